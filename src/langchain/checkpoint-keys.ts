// The keys of the database: a kind, the user and the thread, then what the kind needs.
import { scopeDigest } from '../core/digest.js';

export interface ThreadPlace {
  readonly user: string;
  readonly thread: string;
}

/** Whose checkpoints, of which graph: the namespace is empty for the graph that was called itself. */
export interface Place extends ThreadPlace {
  readonly namespace: string;
}

/**
 * What stands in the database, kind by kind:
 * - `checkpoint` …namespace, id: a checkpoint without its channels' values.
 * - `blob` …namespace, channel, version: one value of a channel.
 * - `write` …namespace, checkpoint id, task id, index: what a task wrote after a checkpoint.
 * - `message`, `part`, `node` …digest: a message, a large piece of a value, a piece of a list; once a thread.
 * - `thread`: what a list of threads shows.
 * - `lease`: which tab runs the thread.
 */
export type ThreadKind = 'checkpoint' | 'blob' | 'write' | 'message' | 'part' | 'node' | 'thread' | 'lease';

/** Every kind that belongs to a thread and goes with it. */
export const THREAD_KINDS: readonly ThreadKind[] = [
  'checkpoint',
  'blob',
  'write',
  'message',
  'part',
  'node',
  'thread',
  'lease',
];

export function threadKey(kind: ThreadKind, { user, thread }: ThreadPlace, ...rest: readonly IDBValidKey[]) {
  return [kind, user, thread, ...rest];
}

export function graphKey(
  kind: 'checkpoint' | 'blob' | 'write',
  place: Place,
  ...rest: readonly IDBValidKey[]
): IDBValidKey[] {
  return threadKey(kind, place, place.namespace, ...rest);
}

/** Where deletions of a thread are counted. It outlives the thread, so neither user nor thread can be read in it. */
export function markKey({ user, thread }: ThreadPlace): IDBValidKey[] {
  return ['mark', scopeDigest(user, thread)];
}

/** That a thread's checkpoints are gone and its archive may not be. It stands until the deletion is finished. */
export function deletionKey({ user, thread }: ThreadPlace): IDBValidKey[] {
  return ['deletion', user, thread];
}

/** Names a thread in memory. */
export function nameOf({ user, thread }: ThreadPlace): string {
  return JSON.stringify([user, thread]);
}

/** All keys that begin with these parts: arrays sort after everything else that a key may hold. */
export function startingWith(...parts: readonly IDBValidKey[]): IDBKeyRange {
  return IDBKeyRange.bound([...parts], [...parts, []]);
}

/** The last parts of a key, as text. */
export function tailOf(key: IDBValidKey, count: number): string[] {
  return Array.isArray(key) ? key.slice(-count).map(String) : [];
}
