// Taking old checkpoints out of a thread, with everything that only they need.
import { promisifyRequest } from 'idb-keyval';
import { graphKey, markKey, startingWith, type ThreadPlace, tailOf, threadKey } from './checkpoint-keys.js';
import {
  type CheckpointRow,
  epochOf,
  GatheredRows,
  readMark,
  valuesOf,
  writesOf,
} from './checkpoint-rows.js';
import type { StoredValue } from './checkpoint-values.js';

export interface ThinOptions {
  /** How many of the newest checkpoints stay, in each namespace; at least 1. */
  readonly keepLast: number;
  /** Checkpoints of this time or later stay as well, in milliseconds since 1970; by default none does. */
  readonly olderThan?: number;
}

interface Held {
  readonly namespace: string;
  readonly id: string;
  readonly row: CheckpointRow;
}

/**
 * Removes old checkpoints, in the given transaction, and what no other one refers to. What a checkpoint that stays
 * needs of its ancestors stays too. Answers how many went, and the thread's epoch. Throws a `RangeError` when
 * `keepLast` is no whole number from 1 on.
 */
export async function thinThread(
  store: IDBObjectStore,
  place: ThreadPlace,
  options: ThinOptions,
): Promise<{ readonly removed: number; readonly epoch: string }> {
  const { keepLast } = options;
  if (!Number.isInteger(keepLast) || keepLast < 1) {
    throw new RangeError(
      `IndexedDBSaver: keepLast is ${keepLast}; give how many checkpoints stay, a whole number from 1 on.`,
    );
  }
  const mark = await readMark(store, place);
  const all = await checkpointsOf(store, place);
  const kept = keptOf(all, options);
  const gone = all.filter((one) => !kept.has(one));
  if (gone.length === 0) return { removed: 0, epoch: epochOf(mark) };

  const blobs = new Set<string>();
  const values: StoredValue[] = [];
  for (const { namespace, id, row } of kept) {
    const at = { ...place, namespace };
    for (const [channel, value] of await valuesOf(store, at, row)) {
      blobs.add(JSON.stringify([namespace, channel, String(row.versions[channel])]));
      values.push(value);
    }
    values.push(...(await writesOf(store, at, id)).map(({ value }) => value));
  }
  const gathered = new GatheredRows(store, place);
  await gathered.gather(values);
  const needed = gathered.digests();

  for (const { namespace, id } of gone) {
    const at = { ...place, namespace };
    store.delete(graphKey('checkpoint', at, id));
    store.delete(startingWith(...graphKey('write', at, id)));
  }
  await sweep(store, startingWith(...threadKey('blob', place)), (key) =>
    blobs.has(JSON.stringify(tailOf(key, 3))),
  );
  for (const kind of ['message', 'part', 'node'] as const) {
    const digests = new Set(needed[kind]);
    await sweep(store, startingWith(...threadKey(kind, place)), (key) =>
      digests.has(tailOf(key, 1)[0] ?? ''),
    );
  }
  const after = { ...mark, sweeps: mark.sweeps + 1 };
  store.put(after, markKey(place));
  return { removed: gone.length, epoch: epochOf(after) };
}

async function checkpointsOf(store: IDBObjectStore, place: ThreadPlace): Promise<readonly Held[]> {
  const range = startingWith(...threadKey('checkpoint', place));
  const [keys, rows] = await Promise.all([
    promisifyRequest(store.getAllKeys(range)),
    promisifyRequest<CheckpointRow[]>(store.getAll(range)),
  ]);
  return rows.map((row, at) => {
    const [namespace = '', id = ''] = tailOf(keys[at] ?? [], 2);
    return { namespace, id, row };
  });
}

/** What stays: the newest of each namespace, the young ones, and the ancestors that those cannot be read without. */
function keptOf(
  all: readonly Held[],
  { keepLast, olderThan = Number.POSITIVE_INFINITY }: ThinOptions,
): Set<Held> {
  const byName = new Map(all.map((one) => [nameOf(one.namespace, one.id), one]));
  const seen = new Map<string, number>();
  const kept = new Set<Held>();
  for (const one of all.toSorted((a, b) => (a.id < b.id ? 1 : -1))) {
    const newer = seen.get(one.namespace) ?? 0;
    seen.set(one.namespace, newer + 1);
    if (newer < keepLast || Date.parse(one.row.ts) >= olderThan) kept.add(one);
  }
  // A set that grows while it is walked through: ancestors of ancestors come up in their turn.
  for (const { namespace, row } of kept) {
    const parent = row.parent === null ? undefined : byName.get(nameOf(namespace, row.parent));
    if (parent !== undefined && needsParent(row)) kept.add(parent);
  }
  return kept;
}

/** Old formats keep what a step sends with its parent; where it is not known whether a row leans on it, it does. */
function needsParent({ format, leans = true }: CheckpointRow): boolean {
  return format < 4 || leans;
}

const nameOf = (namespace: string, id: string): string => JSON.stringify([namespace, id]);

async function sweep(
  store: IDBObjectStore,
  range: IDBKeyRange,
  isNeeded: (key: IDBValidKey) => boolean,
): Promise<void> {
  for (const key of await promisifyRequest(store.getAllKeys(range))) if (!isNeeded(key)) store.delete(key);
}
