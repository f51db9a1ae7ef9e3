// `npm run check:live`, run as a person runs it, against local models of which only one does what is demanded.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type ChatModel, startChatServer } from '../support/chat-server.js';
import { type Manner, scriptedModel } from './scripted.js';

const KEY = 'sk-private-4711';
const script = join(import.meta.dirname, '../../scripts/check-live.mjs');

/** All that the check prints, and how it ends. */
async function check(endpoint: string): Promise<{ readonly code: number | null; readonly printed: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'check-live-'));
  const file = join(folder, 'endpoint.json');
  writeFileSync(file, endpoint);
  const child = spawn(process.execPath, [script, '--endpoint', file]);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  rmSync(folder, { recursive: true });
  return { code, printed };
}

async function checkOf(model: ChatModel) {
  const server = await startChatServer({ model, allowsPages: false });
  try {
    const endpoint = { baseUrl: server.baseUrl, model: 'scripted', apiKey: KEY };
    const { code, printed } = await check(JSON.stringify(endpoint));
    return { code, printed, missed: missedIn(printed), requests: server.requests };
  } finally {
    await server.close();
  }
}

const missedIn = (printed: string): string[] =>
  [...printed.matchAll(/MISSED (.+?):/gu)].map(([, demand = '']) => demand);

const NOTE = 'A note cites sources that were read before';
const MANIFEST = 'The manifest is JSON and right to the letter';

test('a model that searches, reads, cites and answers passes; its key is nowhere to be seen', async () => {
  const { code, printed, missed, requests } = await checkOf(scriptedModel('good'));
  expect(missed, printed).toEqual([]);
  expect(printed).toContain('9 of 9 demands held');
  expect(code).toBe(0);
  expect(printed).not.toContain(KEY);
  expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]));
  expect(requests.some(({ body }) => body.stream === true)).toBe(true);
});

const failures: readonly (readonly [Manner, readonly string[]])[] = [
  ['tells', ['The summary leaves the codes out']],
  ['never-searches', ['A search finds a code', 'A read shows a code', NOTE, MANIFEST]],
  ['never-reads', ['A read shows a code', NOTE]],
  ['invents', [MANIFEST]],
  ['cites-unread', [NOTE]],
];
for (const [manner, demands] of failures) {
  test(`a model that ${manner.replace('-', ' ')} fails what it should, and nothing else`, async () => {
    const { code, printed, missed } = await checkOf(scriptedModel(manner));
    expect(missed, printed).toEqual(demands);
    expect(code).toBe(1);
  });
}

test('a server that refuses, and repeats the key, fails the check and leaks nothing', async () => {
  const { code, printed, missed } = await checkOf(() => ({
    refused: `Incorrect API key provided: ${KEY}`,
  }));
  expect(code).toBe(1);
  expect(missed).toContain('The conversation is compacted and archived on OPFS');
  expect(printed).toContain('Incorrect API key provided: [key]');
  expect(printed).not.toContain(KEY);
});
