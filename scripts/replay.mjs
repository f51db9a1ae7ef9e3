// Replays conversation files through a real agent in headless Chromium, and prints what came of each.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureChromium, ensureDependencies } from './prepare.mjs';
import { serveSources } from './serve-sources.mjs';

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

const site = await serveSources('test/replay', 'replayFile');
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
  await site.close();
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
  const { page, close } = await site.openPage();
  try {
    return await page.evaluate(([content, given]) => globalThis.replayFile(content, given), [text, options]);
  } finally {
    await close();
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
