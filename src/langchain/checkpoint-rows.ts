// What is read of one checkpoint: rows as they are stored, in one transaction.
import { compareWritesSortKeys, writesSortKey } from '@langchain/langgraph-checkpoint';
import { promisifyRequest } from 'idb-keyval';
import type { Dumped, TakenApart } from './checkpoint-values.js';
import { startingWith } from './indexeddb-store.js';
import { type ListRoot, type ListTree, readTree } from './message-list.js';

/** Whose checkpoints, of which graph. */
export interface Place {
  readonly user: string;
  readonly thread: string;
  readonly namespace: string;
}

/** The parts of every key of a graph's checkpoints, after the kind. */
export function partsOf({ user, thread, namespace }: Place): [string, string, string] {
  return [user, thread, namespace];
}

/** Names a thread. */
export function keyOf({ user, thread }: Place): string {
  return JSON.stringify([user, thread]);
}

/** A value of a channel in the database. */
export type StoredValue =
  | { readonly kind: 'value'; readonly dumped: Dumped }
  | { readonly kind: 'message'; readonly digest: string }
  | ({ readonly kind: 'list' } & ListRoot)
  | { readonly kind: 'absent' };

export interface StoredCheckpoint {
  /** LangGraph's version of the checkpoint's format. */
  readonly format: number;
  readonly parent: string | null;
  readonly checkpoint: Dumped;
  readonly metadata: Dumped;
  /** Versions of the channels that have a value here. */
  readonly values: Readonly<Record<string, string | number>>;
}

export interface StoredWrite {
  readonly taskId: string;
  readonly channel: string;
  readonly taskPath: string;
  readonly value: TakenApart;
}

/** What is read of one checkpoint in one transaction. */
export interface RawTuple {
  readonly id: string;
  readonly stored: StoredCheckpoint;
  readonly values: readonly (readonly [channel: string, value: StoredValue, tree: ListTree | null])[];
  readonly writes: readonly StoredWrite[];
  /** For checkpoints of a format before the fourth. */
  readonly parentWrites: readonly StoredWrite[];
  readonly messages: ReadonlyMap<string, Dumped>;
}

/** One checkpoint (the newest when `id` is null) with all that it needs; null when there is none. */
export async function readRaw(
  store: IDBObjectStore,
  place: Place,
  id: string | null,
): Promise<RawTuple | null> {
  const parts = partsOf(place);
  const found = id ?? (await newest(store, parts));
  const stored =
    found === null
      ? undefined
      : await promisifyRequest<StoredCheckpoint | undefined>(store.get(['checkpoint', ...parts, found]));
  if (found === null || stored === undefined) return null;
  const [blobs, writes, parentWrites] = await Promise.all([
    Promise.all(
      Object.entries(stored.values).map(async ([channel, version]) => {
        const value = await promisifyRequest<StoredValue | undefined>(
          store.get(['blob', ...parts, channel, version]),
        );
        return [channel, value ?? ({ kind: 'absent' } as const)] as const;
      }),
    ),
    writesOf(store, parts, found),
    stored.parent === null || stored.format >= 4 ? [] : writesOf(store, parts, stored.parent),
  ]);
  const nodesOf = (digests: readonly string[]) =>
    Promise.all(
      digests.map((digest) =>
        promisifyRequest<string[] | undefined>(store.get(['node', place.user, place.thread, digest])),
      ),
    );
  const values = await Promise.all(
    blobs.map(
      async ([channel, value]) =>
        [channel, value, value.kind === 'list' ? await readTree(value, nodesOf) : null] as const,
    ),
  );
  const digests = new Set<string>();
  for (const [, value, tree] of values) {
    if (value.kind === 'message') digests.add(value.digest);
    for (const digest of tree?.digests ?? []) digests.add(digest);
  }
  for (const { value } of [...writes, ...parentWrites]) {
    if (value.kind === 'message') digests.add(value.digest);
    if (value.kind === 'list') for (const digest of value.digests) digests.add(digest);
  }
  const messages = await messagesOf(store, place, digests);
  return { id: found, stored, values, writes, parentWrites, messages };
}

async function newest(store: IDBObjectStore, parts: readonly string[]): Promise<string | null> {
  const cursor = await promisifyRequest(store.openKeyCursor(startingWith('checkpoint', ...parts), 'prev'));
  const id = cursor === null ? null : (cursor.key as IDBValidKey[]).at(-1);
  return typeof id === 'string' ? id : null;
}

async function writesOf(
  store: IDBObjectStore,
  parts: readonly string[],
  id: string,
): Promise<readonly StoredWrite[]> {
  const range = startingWith('write', ...parts, id);
  const [keys, rows] = await Promise.all([
    promisifyRequest(store.getAllKeys(range)),
    promisifyRequest<StoredWrite[]>(store.getAll(range)),
  ]);
  return rows
    .map((row, at) => ({
      row,
      key: writesSortKey(row.taskPath, row.taskId, Number((keys[at] as IDBValidKey[]).at(-1))),
    }))
    .sort((a, b) => compareWritesSortKeys(a.key, b.key))
    .map(({ row }) => row);
}

/** Messages by digest; all of the thread's at once when many are wanted. */
async function messagesOf(
  store: IDBObjectStore,
  { user, thread }: Place,
  digests: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Dumped>> {
  const messages = new Map<string, Dumped>();
  if (digests.size > 64) {
    const range = startingWith('message', user, thread);
    const [keys, rows] = await Promise.all([
      promisifyRequest(store.getAllKeys(range)),
      promisifyRequest<Dumped[]>(store.getAll(range)),
    ]);
    for (const [at, row] of rows.entries()) messages.set(String((keys[at] as IDBValidKey[]).at(-1)), row);
    return messages;
  }
  await Promise.all(
    [...digests].map(async (digest) => {
      const row = await promisifyRequest<Dumped | undefined>(store.get(['message', user, thread, digest]));
      if (row !== undefined) messages.set(digest, row);
    }),
  );
  return messages;
}
