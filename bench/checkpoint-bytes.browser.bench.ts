// What a conversation with tools takes in the checkpoint store, in Chromium, against what is new in it and against whole channels.
import { promisifyRequest } from 'idb-keyval';
import { test } from 'vitest';
import { openStore } from '../src/langchain/indexeddb-store.js';
import { converse } from '../test/support/long-conversation.js';
import { CountingSaver } from './counting-saver.js';
import { report } from './measure.js';
import { replayConversation } from './replay-conversation.js';

/** What a checkpoint itself may take, beside what is new in it. */
const CHECKPOINT_BYTES = 2_000;

/** Rows read at once. */
const ROWS = 2_000;

/** Bytes of everything in a database, as a browser writes it down: the structured clones of keys and rows. */
async function storedBytes(database: string): Promise<number> {
  const store = openStore(database);
  let bytes = 0;
  let read = 0;
  for (let from: IDBValidKey[] | null = []; from !== null; ) {
    const range = IDBKeyRange.lowerBound(from, true);
    const [keys, rows] = await store.use('readonly', (entries) =>
      Promise.all([
        promisifyRequest(entries.getAllKeys(range, ROWS)),
        promisifyRequest<unknown[]>(entries.getAll(range, ROWS)),
      ]),
    );
    // A browser may answer with fewer rows than asked for.
    const whole = Math.min(keys.length, rows.length);
    for (const [at, row] of rows.slice(0, whole).entries()) bytes += cloneSize(row) + cloneSize(keys[at]);
    read += whole;
    from = whole === 0 ? null : (keys[whole - 1] as IDBValidKey[]);
  }
  const rows = await store.use('readonly', (entries) => promisifyRequest(entries.count()));
  if (read !== rows) throw new Error(`${read} of ${rows} rows were read.`);
  await store.close();
  return bytes;
}

/** What V8 writes for a value: a tag for each, lengths as short as they can be, text in one or two bytes a unit. */
function cloneSize(value: unknown): number {
  if (typeof value === 'string') {
    const width = /[^ -\u00ff\n]/.test(value) ? 2 : 1;
    return 1 + lengthSize(value.length) + value.length * width;
  }
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 30 ? 1 + lengthSize(2 * Math.abs(value)) : 9;
  if (value instanceof Uint8Array) return 7 + 2 * lengthSize(value.length) + value.length;
  if (typeof value !== 'object' || value === null) return 1;
  const parts = Array.isArray(value) ? value : Object.entries(value).flat();
  return parts.reduce((sum: number, part) => sum + cloneSize(part), 3 + 2 * lengthSize(parts.length));
}

const lengthSize = (length: number): number => (length < 128 ? 1 : length < 16_384 ? 2 : 3);

const kB = (bytes: number): number => bytes / 1_000;

async function measure(turns: number, by: 'agent' | 'replay'): Promise<number> {
  const database = `bench-bytes-${by}-${turns}`;
  const saver = new CountingSaver({ database });
  const messages =
    by === 'agent' ? await converse(saver, 'bench', turns) : await replayConversation(saver, 'bench', turns);
  const fresh = await saver.sizeOfEach(messages);
  const stored = await storedBytes(database);
  report(
    `Checkpoints of ${turns} turns, ${by === 'agent' ? 'by an agent' : 'written as an agent writes them'}`,
    [
      { name: 'checkpoints', value: saver.checkpoints, unit: '' },
      { name: 'messages', value: messages.length, unit: '' },
      { name: 'new content, serialised', value: kB(fresh), unit: 'kB' },
      { name: 'stored', value: kB(stored), unit: 'kB' },
      {
        name: 'stored against 1.5 × new content + 2 kB a checkpoint',
        value: stored / (1.5 * fresh + saver.checkpoints * CHECKPOINT_BYTES),
        unit: '×',
        atMost: 1,
      },
      { name: 'one blob per channel change takes', value: saver.wholeBytes / stored, unit: '× that' },
    ],
  );
  await saver.close();
  return stored;
}

/** What is stored is the same when nobody waits until it is on disk, and 50,000 transactions end sooner. */
function waitForNoDisk(): void {
  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (stores, mode) {
    return begin.call(this, stores, mode, { durability: 'relaxed' });
  };
}

test('conversations with a tool, of 100, 1,000 and 5,000 turns', async () => {
  waitForNoDisk();
  const byAgent = await measure(100, 'agent');
  const replayed = await measure(100, 'replay');
  // An agent takes hours for what follows.
  report('The replay', [{ name: 'stores, against the agent', value: replayed / byAgent, unit: '×' }]);
  await measure(1_000, 'replay');
  await measure(5_000, 'replay');
});
