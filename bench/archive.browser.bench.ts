// What the archive costs a page, on OPFS through the public client, as it fills up.
import { test } from 'vitest';
import { type ArchiveClient, openArchive } from '../src/client.js';
import { createContinuity } from '../src/continuity.js';
import { type BatchId, extractRecord, type Message } from '../src/core/message.js';
import { parseQuery } from '../src/core/query.js';
import { emptyStatistics } from '../src/core/rank.js';
import type { Reply } from '../src/protocol.js';
import { recordMainThread } from './main-thread.js';
import { type Figure, report, time, timingOf } from './measure.js';
import { aBatch, COMMON, MIDDLING, messageSource, RECORDS, RETENTION } from './messages.js';

function unwrap<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(`${reply.failure}: ${reply.detail}`);
  return reply.value;
}

/** Captures that are timed, and those during which the page is watched. */
const CAPTURES = 30;
const WATCHED = 10;

test('an archive as it fills up', async () => {
  const start = performance.now();
  const archive = openArchive();
  const next = messageSource();
  const scope = { user: 'bench', thread: `archive ${crypto.randomUUID()}` };
  try {
    const figures = await recordMainThread(async (watch) => {
      await watch('the first call of a page', async () => unwrap(await archive.details(scope)));
    });
    figures.unshift({ name: 'the first call of a page', value: performance.now() - start, unit: 'ms' });
    let batches: BatchId[] = [];
    let latest: readonly Message[] = [];
    /** Prepares a batch, and answers with what captures it into an archive of so many batches, full or not. */
    const one = (maxBatches: number) => {
      const messages = aBatch(next);
      latest = messages;
      return async () => {
        const retention = { ...RETENTION, maxBatches };
        const request = { sources: { messages }, retention, known: batches };
        const { batch, evicted } = unwrap(await archive.capture(scope, request));
        batches = batches.filter((id) => !evicted.includes(id));
        if (batch !== null) batches.push(batch);
      };
    };
    for (const goal of [1_024, 8_192, 16_384]) {
      const maxBatches = goal / RECORDS;
      while (batches.length < maxBatches) await one(maxBatches)();
      const taken: number[] = [];
      for (let round = 0; round < CAPTURES; round += 1) {
        const run = one(maxBatches);
        const began = performance.now();
        await run();
        taken.push(performance.now() - began);
      }
      const capture = timingOf(taken);
      const query = `${rareOf(latest)} ${MIDDLING} ${COMMON}`;
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
      const at = `${goal} records`;
      const held = await recordMainThread(async (watch) => {
        for (let round = 0; round < WATCHED; round += 1) {
          await watch(`${at}: capture`, one(maxBatches));
          await watch(`${at}: search`, search);
          await watch(`${at}: read`, () => archive.read(scope, batches, { id, offset: 0 }));
        }
      });
      const { usage } = unwrap(await archive.threads('bench'));
      figures.push(
        { name: `${at}: capture of 256, oldest batch goes, median`, value: capture.median, unit: 'ms' },
        { name: `${at}: capture, 95th percentile`, value: capture.p95, unit: 'ms' },
        { name: `${at}: search of three words, median`, value: searched.median, unit: 'ms' },
        { name: `${at}: search, 95th percentile`, value: searched.p95, unit: 'ms' },
        { name: `${at}: read by id, median`, value: read.median, unit: 'ms' },
        { name: `${at}: read, 95th percentile`, value: read.p95, unit: 'ms' },
        ...held,
        { name: `${at}: the origin takes`, value: (usage ?? Number.NaN) / 1e6, unit: 'MB' },
      );
    }
    figures.push(...(await withRedaction(archive, next)));
    report('The archive through its client, batches of 256 × 2,000 characters', figures);
  } finally {
    unwrap(await archive.forget(scope));
    archive.dispose();
  }
});

const rareOf = (messages: readonly Message[]): string => String(messages[0]?.content).split(' ')[0] ?? '';

/** The hook runs on the page, over records that are made there. */
async function withRedaction(archive: ArchiveClient, next: () => Message): Promise<Figure[]> {
  const continuity = createContinuity({ archive, redact: (record) => record });
  const scope = { user: 'bench', thread: `redacted ${crypto.randomUUID()}` };
  const figures = await recordMainThread(async (watch) => {
    let history: unknown = null;
    for (let round = 0; round < WATCHED; round += 1) {
      const messages = aBatch(next);
      await watch('capture with a redaction hook', async () => {
        const outcome = await continuity.capture(scope, history, messages);
        if (outcome.failure !== null) throw new Error(outcome.failure);
        history = outcome.history;
      });
    }
  });
  unwrap(await archive.forget(scope));
  return figures;
}
