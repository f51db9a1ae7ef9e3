// What the archive costs a page, on OPFS through the public client, as it fills up.
import { test } from 'vitest';
import { openArchive } from '../src/client.js';
import { type BatchId, extractRecord, type Message } from '../src/core/message.js';
import { parseQuery } from '../src/core/query.js';
import { emptyStatistics } from '../src/core/rank.js';
import type { Reply } from '../src/protocol.js';
import { type Figure, report, time, timingOf } from './measure.js';
import { aBatch, COMMON, MIDDLING, messageSource, RETENTION, rareWord } from './messages.js';

function unwrap<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(`${reply.failure}: ${reply.detail}`);
  return reply.value;
}

/** The longest time between two turns of the page while something runs, in milliseconds. */
async function longestBlock(run: () => Promise<unknown>): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let longest = 0;
  let last = performance.now();
  port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    port2.postMessage(null);
  };
  port2.postMessage(null);
  try {
    await run();
  } finally {
    port1.close();
    port2.close();
  }
  return longest;
}

test('an archive as it fills up', async () => {
  const start = performance.now();
  const archive = openArchive();
  const next = messageSource();
  const scope = { user: 'bench', thread: `archive ${crypto.randomUUID()}` };
  try {
    unwrap(await archive.details(scope));
    const figures: Figure[] = [
      { name: 'the first call of a page', value: performance.now() - start, unit: 'ms' },
    ];
    const batches: BatchId[] = [];
    let records = 0;
    let latest: readonly Message[] = [];
    const one = async (messages: readonly Message[]): Promise<void> => {
      latest = messages;
      const { batch } = unwrap(
        await archive.capture(scope, { sources: { messages }, retention: RETENTION, known: batches.slice() }),
      );
      if (batch !== null) batches.push(batch);
    };
    for (const goal of [1_024, 8_192, 16_384]) {
      const taken: number[] = [];
      let captureBlock = 0;
      while (records < goal) {
        const messages = aBatch(next);
        records += messages.length;
        const began = performance.now();
        captureBlock = Math.max(captureBlock, await longestBlock(() => one(messages)));
        taken.push(performance.now() - began);
      }
      const capture = timingOf(taken.slice(-30));
      const query = `${rareWord(goal - 77)} ${MIDDLING} ${COMMON}`;
      const search = () =>
        archive.search(scope, batches, {
          text: query,
          role: null,
          activeIds: new Uint8Array(),
          activeStatistics: emptyStatistics(parseQuery(query).terms.length),
        });
      unwrap(await search());
      const searched = await time(search);
      const [message] = latest;
      const id = message === undefined ? undefined : extractRecord(message, RETENTION.maxRecordChars)?.id;
      if (id === undefined) throw new Error('There is no such record.');
      const page = unwrap(await archive.read(scope, batches, { id, offset: 0 }));
      if (page.record === null) throw new Error('The record was not found.');
      const read = await time(() => archive.read(scope, batches, { id, offset: 0 }));
      const block = await longestBlock(search);
      const { usage } = unwrap(await archive.threads('bench'));
      figures.push(
        { name: `${goal} records: capture of 256, median`, value: capture.median, unit: 'ms' },
        { name: `${goal} records: capture, 95th percentile`, value: capture.p95, unit: 'ms' },
        { name: `${goal} records: capture, longest block`, value: captureBlock, unit: 'ms', atMost: 16 },
        { name: `${goal} records: search of three words, median`, value: searched.median, unit: 'ms' },
        { name: `${goal} records: search, 95th percentile`, value: searched.p95, unit: 'ms' },
        { name: `${goal} records: search, longest block`, value: block, unit: 'ms', atMost: 16 },
        { name: `${goal} records: read by id, median`, value: read.median, unit: 'ms' },
        { name: `${goal} records: read, 95th percentile`, value: read.p95, unit: 'ms' },
        { name: `${goal} records: the origin takes`, value: (usage ?? Number.NaN) / 1e6, unit: 'MB' },
      );
    }
    report('The archive through its client, batches of 256 × 2,000 characters', figures);
  } finally {
    unwrap(await archive.forget(scope));
    archive.dispose();
  }
});
