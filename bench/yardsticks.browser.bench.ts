// The archive through its client, against native SQLite and the bare pool, all in one run.
import { wrap } from 'comlink';
import { expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import { type ArchiveClient, openArchive } from '../src/client.js';
import { type BatchId, extractRecord, type Message } from '../src/core/message.js';
import { parseQuery } from '../src/core/query.js';
import { emptyStatistics } from '../src/core/rank.js';
import type { Reply } from '../src/protocol.js';
import type { BarePool } from './bare-pool-worker.js';
import { type Figure, report, type Timing, time, timingOf } from './measure.js';
import { aBatch, CHARS, COMMON, MIDDLING, messageSource, RECORDS, RETENTION } from './messages.js';
import { BATCHES, RARE, ROUNDS, WORDS, type YardstickFigures } from './yardstick-figures.js';

declare module 'vitest/browser' {
  interface BrowserCommands {
    openNative: () => Promise<string | null>;
    captureNative: () => Promise<void>;
    finishNative: () => Promise<YardstickFigures>;
    bundledWorkers: () => Promise<{ readonly packaged: string; readonly bare: string }>;
  }
}

/** How often a first call is timed. */
const STARTS = 12;

interface ClientFigures {
  readonly capture: Timing;
  readonly search: Timing;
  readonly read: Timing;
  /** A call that asks nothing of the database: what it takes to speak with a worker. */
  readonly nothing: Timing;
  /** Sources among all that hold the rare, the middling and the common word. */
  readonly frequencies: readonly number[];
}

test('capture, search, read and the first call against their yardsticks', async () => {
  const workers = await commands.bundledWorkers();
  const packaged = () => new Worker(workers.packaged, { type: 'module' });
  const whyNoNative = await commands.openNative();
  if (whyNoNative !== null) console.log(`Native SQLite is no yardstick in this run: ${whyNoNative}`);
  const ours = await throughClient(packaged);
  const native = whyNoNative === null ? await commands.finishNative() : null;
  const own = await onBarePool(workers.bare, (pool) => pool.own('bench-own'));
  const reference = await onBarePool(workers.bare, (pool) => pool.reference('bench-reference'));
  const { first, bareStart } = await firstCalls(packaged, workers.bare);

  const figures: Figure[] = [
    ...nativeLines(ours, native),
    { name: 'search of three words, through the client', value: ours.search.median, unit: 'ms' },
    { name: '… on the bare pool', value: own.search.median, unit: 'ms' },
    { name: '… its statements alone', value: own.searchStatements.median, unit: 'ms' },
    { name: '… reference tables on the pool', value: reference.search.median, unit: 'ms' },
    { name: '… client / bare pool', value: ratio(ours.search, own.search), unit: '×', atMost: 2 },
    { name: 'read by id, through the client', value: ours.read.median, unit: 'ms' },
    { name: '… of it a call that asks nothing', value: ours.nothing.median, unit: 'ms' },
    { name: '… on the bare pool', value: own.read.median, unit: 'ms' },
    { name: '… its statements alone', value: own.readStatements.median, unit: 'ms' },
    { name: '… reference tables on the pool', value: reference.read.median, unit: 'ms' },
    { name: '… reference tables / client', value: ratio(reference.read, ours.read), unit: '×', atLeast: 50 },
    { name: '… reference tables / bare pool', value: ratio(reference.read, own.read), unit: '×' },
    { name: 'first call, worker and all', value: first.median, unit: 'ms' },
    { name: '… bare WebAssembly and pool', value: bareStart.median, unit: 'ms' },
    { name: '… client / bare', value: ratio(first, bareStart), unit: '×', atMost: 1.5 },
    { name: `deleting one of ${BATCHES} batches, on the bare pool`, value: own.remove.median, unit: 'ms' },
    { name: '… with few others', value: own.removeOfFew.median, unit: 'ms' },
    { name: '… reference tables on the pool', value: reference.remove.median, unit: 'ms' },
  ];
  report(
    `${BATCHES} batches of ${RECORDS} × ${CHARS} characters; medians. Words: ` +
      `${RARE} in ${ours.frequencies[0]} sources, ${MIDDLING} in ${ours.frequencies[1]}, ` +
      `${COMMON} in ${ours.frequencies[2]}`,
    figures,
  );
  expect(ours.frequencies[0]).toBe(1);
});

const ratio = (one: Timing, other: Timing): number => one.median / other.median;

function nativeLines(ours: ClientFigures, native: YardstickFigures | null): Figure[] {
  const lines = [{ name: 'capture of a batch, through the client', value: ours.capture.median, unit: 'ms' }];
  if (native === null) return lines;
  return [
    ...lines,
    { name: '… native SQLite, reference tables', value: native.capture.median, unit: 'ms' },
    { name: '… its transaction alone', value: native.write.median, unit: 'ms' },
    { name: '… client / native', value: ratio(ours.capture, native.capture), unit: '×', atMost: 2.5 },
  ];
}

function unwrap<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(`${reply.failure}: ${reply.detail}`);
  return reply.value;
}

async function throughClient(worker: () => Worker): Promise<ClientFigures> {
  const archive = openArchive({ worker });
  const scope = { user: 'bench', thread: `yardsticks ${crypto.randomUUID()}` };
  try {
    return await filled(archive, scope);
  } finally {
    unwrap(await archive.forget(scope));
    archive.dispose();
  }
}

async function filled(
  archive: ArchiveClient,
  scope: { readonly user: string; readonly thread: string },
): Promise<ClientFigures> {
  unwrap(await archive.info());
  const next = messageSource();
  const batches: BatchId[] = [];
  const captures: number[] = [];
  let latest: readonly Message[] = [];
  for (let round = 0; round < BATCHES; round += 1) {
    latest = aBatch(next);
    await commands.captureNative();
    const start = performance.now();
    const request = { sources: { messages: latest }, retention: RETENTION, known: batches.slice() };
    const { batch } = unwrap(await archive.capture(scope, request));
    captures.push(performance.now() - start);
    if (batch !== null) batches.push(batch);
  }
  const text = WORDS.join(' ');
  const { terms } = parseQuery(text);
  const search = () =>
    archive.search(scope, batches, {
      text,
      role: null,
      activeIds: new Uint8Array(),
      activeStatistics: emptyStatistics(terms.length),
    });
  const { statistics } = unwrap(await search());
  const frequencies = WORDS.map(
    (word) => statistics.documentFrequency[terms.indexOf(parseQuery(word).terms[0] ?? '')] ?? Number.NaN,
  );
  const [message] = latest;
  const id = message === undefined ? undefined : extractRecord(message, RETENTION.maxRecordChars)?.id;
  if (id === undefined) throw new Error('There is no such record.');
  const read = () => archive.read(scope, batches, { id, offset: 0 });
  if (unwrap(await read()).record === null) throw new Error('The record was not found.');
  return {
    capture: timingOf(captures),
    search: await time(search, { rounds: ROUNDS }),
    read: await time(read, { rounds: ROUNDS }),
    nothing: await time(async () => unwrap(await archive.info()), { rounds: ROUNDS }),
    frequencies,
  };
}

async function onBarePool<T>(address: string, use: (pool: BarePool) => Promise<T>): Promise<T> {
  const worker = new Worker(address, { type: 'module' });
  try {
    return await use(wrap<BarePool>(worker) as unknown as BarePool);
  } finally {
    worker.terminate();
  }
}

/** By turns, each with a new worker; the database of each is there already. */
async function firstCalls(
  packaged: () => Worker,
  bareAddress: string,
): Promise<{ readonly first: Timing; readonly bareStart: Timing }> {
  const scope = { user: 'bench', thread: `first call ${crypto.randomUUID()}` };
  const directory = `bench-first-${crypto.randomUUID()}`;
  const taken: { readonly ours: number[]; readonly bare: number[] } = { ours: [], bare: [] };
  for (let round = -2; round < STARTS; round += 1) {
    const began = performance.now();
    const archive = openArchive({ worker: packaged });
    const messages = aBatch(messageSource()).slice(0, 1);
    if (round === -2) {
      unwrap(await archive.capture(scope, { sources: { messages }, retention: RETENTION, known: [] }));
    }
    unwrap(await archive.details(scope));
    const ended = performance.now();
    if (round === STARTS - 1) unwrap(await archive.forget(scope));
    archive.dispose();
    const start = performance.now();
    await onBarePool(bareAddress, (pool) => pool.start(directory));
    if (round >= 0) {
      taken.ours.push(ended - began);
      taken.bare.push(performance.now() - start);
    }
  }
  return { first: timingOf(taken.ours), bareStart: timingOf(taken.bare) };
}
