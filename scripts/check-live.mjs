// Lets a real model lose exact codes to a compaction and find them again, and says which demands it met.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureChromium, ensureDependencies } from './prepare.mjs';
import { serveSources } from './serve-sources.mjs';

const USAGE = `npm run check:live -- --endpoint endpoint.json
The file, which stays private: { "baseUrl": "https://…/v1", "model": "…", "apiKey": "…" }; a key is optional.`;

const endpoint = endpointOf(process.argv.slice(2));
ensureDependencies();
await ensureChromium();

/** Whatever a server or a model says is printed without the key. */
const print = (text) =>
  console.log(endpoint.apiKey === '' ? text : text.replaceAll(endpoint.apiKey, '[key]'));

const site = await serveSources('test/live', 'liveCheck', {
  include: ['@langchain/openai'],
  proxy: { '/model': proxyTo(endpoint) },
});
const verdicts = [];
try {
  const { page, reload } = await site.openPage(print);
  print(`Model ${endpoint.model}. A conversation is written, compacted and archived…`);
  report(await page.evaluate((model) => globalThis.liveCheck.begin(model), endpoint.model));
  if (verdicts.every(({ held }) => held)) {
    print('\nThe page is loaded anew; another agent over the stored thread gets the task…');
    await reload();
    report(await page.evaluate((model) => globalThis.liveCheck.finish(model), endpoint.model));
  } else {
    print('\nWithout that the task would prove nothing; it is not given.');
  }
} finally {
  await site.close();
}
const held = verdicts.filter((verdict) => verdict.held).length;
print(`\n${held} of ${verdicts.length} demands held`);
process.exitCode = held === verdicts.length ? 0 : 1;

function report({ steps, verdicts: found }) {
  for (const step of steps) print(`    ${step.length > 300 ? `${step.slice(0, 300)}…` : step}`);
  for (const { demand, held, seen } of found) print(`  ${held ? 'held  ' : 'MISSED'} ${demand}: ${seen}`);
  verdicts.push(...found);
}

/** The page asks its own server, which adds the key: it needs none, and no leave to ask another origin. */
function proxyTo({ baseUrl, apiKey }) {
  return {
    target: baseUrl.origin,
    changeOrigin: true,
    rewrite: (path) => path.replace(/^\/model/u, baseUrl.pathname.replace(/\/$/u, '')),
    configure(proxy) {
      proxy.on('proxyReq', (request) => {
        for (const name of ['origin', 'referer', 'cookie']) request.removeHeader(name);
        if (apiKey === '') request.removeHeader('authorization');
        else request.setHeader('authorization', `Bearer ${apiKey}`);
      });
    },
  };
}

/** Ends the process with a word of advice when the arguments or the file are of no use. */
function endpointOf(args) {
  try {
    const { values } = parseArgs({ args, options: { endpoint: { type: 'string' } } });
    if (values.endpoint === undefined) throw new Error('--endpoint is missing');
    const { baseUrl, model, apiKey = '' } = named(JSON.parse(readFileSync(values.endpoint, 'utf8')));
    if (typeof model !== 'string' || model === '') throw new Error('the file names no "model"');
    if (typeof apiKey !== 'string') throw new Error('"apiKey" is no text');
    if (!URL.canParse(baseUrl)) throw new Error('the file has no address under "baseUrl"');
    return { baseUrl: new URL(baseUrl), model, apiKey };
  } catch (error) {
    // A parser quotes what it stumbled over, which may be the key.
    console.error(`${error instanceof SyntaxError ? 'the file is no JSON' : error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}

/** The reference's names are understood as well. */
function named({
  llm_base: base,
  llm_model: name,
  llm_key: key,
  baseUrl = base,
  model = name,
  apiKey = key,
}) {
  return { baseUrl, model, apiKey };
}
