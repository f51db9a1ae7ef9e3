// Replays conversation files through a real agent in headless Chromium, and prints what came of each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium, ensureDependencies, root } from './prepare.mjs';

const USAGE = `npm run replay -- [--trigger 4000] [--keep 10] [--probes 40] FILE…
Files: OpenAI chat messages in JSON or JSON lines, sessions of Claude Code or pi in JSON lines.`;

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    trigger: { type: 'string', default: '4000' },
    keep: { type: 'string', default: '10' },
    probes: { type: 'string', default: '40' },
  },
});
const options = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
if (files.length === 0 || Object.values(options).some((value) => !Number.isInteger(value) || value < 1)) {
  console.error(USAGE);
  process.exit(2);
}
ensureDependencies();
await ensureChromium();

const { createServer, defaultClientConditions } = await import('vite');
const { chromium: browsers } = await import('@playwright/test');
const { chromium } = await import('../e2e/chromium.mjs');

const server = await createServer({
  configFile: false,
  root: join(root, 'test', 'replay'),
  cacheDir: join(root, 'node_modules', '.vite-replay'),
  logLevel: 'error',
  resolve: { conditions: ['@threadkeep/source', ...defaultClientConditions] },
  // Found only once the page runs, they would make Vite load it anew in the middle of a replay.
  optimizeDeps: {
    exclude: ['threadkeep', '@sqlite.org/sqlite-wasm'],
    include: [
      '@noble/hashes/sha2.js',
      '@noble/hashes/utils.js',
      'comlink',
      'langchain',
      'zod',
      '@langchain/langgraph',
      '@langchain/core/messages',
      '@langchain/core/outputs',
      '@langchain/core/language_models/chat_models',
      '@langchain/core/utils/function_calling',
    ],
  },
  worker: { format: 'es' },
  server: { port: 0, hmr: false, fs: { allow: [root] } },
});
await server.listen();
const browser = await browsers.launch(chromium);
const total = { files: 0, refused: 0, conversations: 0, requests: 0, invalid: 0 };
try {
  for (const file of files) {
    console.log(`\n${file}`);
    const replayed = await replayOf(file);
    if (!replayed.ok) {
      total.refused += 1;
      console.log(`  refused: ${replayed.reason}`);
      continue;
    }
    total.files += 1;
    for (const { title, report } of replayed.conversations) print(title, report);
    const reports = replayed.conversations.map(({ report }) => report);
    for (const { requests, invalid } of reports) {
      total.conversations += 1;
      total.requests += requests;
      total.invalid += invalid.length;
    }
    if (reports.length > 1) print(`all ${reports.length} conversations`, together(reports));
  }
} finally {
  await browser.close();
  await server.close();
}
console.log(
  `\n${total.files} files, ${total.refused} refused; ${total.conversations} conversations, ` +
    `${total.requests} requests, ${total.invalid} invalid`,
);
process.exitCode = total.invalid > 0 || total.files === 0 ? 1 : 0;

/** Each file has a browser profile of its own. */
async function replayOf(file) {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    return { ok: false, reason: `The file could not be read: ${error.message}` };
  }
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(`  ${error.message}`));
    await page.goto(server.resolvedUrls.local[0]);
    await page.waitForFunction(() => 'replayFile' in globalThis, undefined, { timeout: 120_000 });
    return await page.evaluate(([content, given]) => globalThis.replayFile(content, given), [text, options]);
  } finally {
    await context.close();
  }
}

function print(title, report) {
  const { messages, compactions, failures, requests, invalid, active, archive, turns } = report;
  const at = (share) =>
    turns.toSorted((a, b) => a - b)[Math.floor((turns.length - 1) * share)]?.toFixed(0) ?? '–';
  const recall = ({ probed, first, eight }) => `${first} at 1, ${eight} at 8 of ${probed}`;
  console.log(`  ${title}`);
  console.log(
    `    ${messages} messages, ${compactions} compactions; ${requests} requests, ${invalid.length} invalid`,
  );
  console.log(`    identifiers found: active ${recall(active)}; archive ${recall(archive)}`);
  console.log(`    a turn: median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
  for (const fault of invalid.slice(0, 5)) console.log(`    invalid: ${fault}`);
  for (const reason of new Set(failures)) console.log(`    compaction failed: ${reason}`);
}

/** The figures of several conversations as one. */
function together(reports) {
  const sum = (of) => reports.reduce((all, report) => all + of(report), 0);
  const recall = (origin) => ({
    probed: sum((report) => report[origin].probed),
    first: sum((report) => report[origin].first),
    eight: sum((report) => report[origin].eight),
  });
  return {
    messages: sum(({ messages }) => messages),
    compactions: sum(({ compactions }) => compactions),
    requests: sum(({ requests }) => requests),
    invalid: reports.flatMap(({ invalid }) => invalid),
    failures: reports.flatMap(({ failures }) => failures),
    active: recall('active'),
    archive: recall('archive'),
    turns: reports.flatMap(({ turns }) => turns),
  };
}
