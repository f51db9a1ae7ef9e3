// The list of threads, their titles, and the end of one.
import { promisifyRequest } from 'idb-keyval';
import {
  deletionKey,
  markKey,
  startingWith,
  THREAD_KINDS,
  type ThreadPlace,
  tailOf,
  threadKey,
} from './checkpoint-keys.js';
import { epochOf, readMark, type ThreadRow } from './checkpoint-rows.js';

/** A thread that has checkpoints. */
export interface StoredThread {
  readonly thread: string;
  /** As given with `rename`; null until then. */
  readonly title: string | null;
  /** When its newest checkpoint was written, in milliseconds since 1970. */
  readonly updatedAt: number;
  /** Messages in the newest checkpoint of its outermost graph. */
  readonly messages: number;
  /** Checkpoints that are stored of it, those of inner graphs among them. */
  readonly checkpoints: number;
  /** Bytes written for it, about; what it takes on disk is up to the browser. */
  readonly bytes: number;
}

/** The threads of a user, the newest first. */
export async function listThreads(store: IDBObjectStore, user: string): Promise<readonly StoredThread[]> {
  const range = startingWith('thread', user);
  const [keys, rows] = await Promise.all([
    promisifyRequest(store.getAllKeys(range)),
    promisifyRequest<ThreadRow[]>(store.getAll(range)),
  ]);
  const listed = rows.map(async ({ title = null, updatedAt, messages, bytes }, at) => {
    const [thread = ''] = tailOf(keys[at] ?? [], 1);
    const checkpoints = await promisifyRequest(
      store.count(startingWith(...threadKey('checkpoint', { user, thread }))),
    );
    return { thread, title, updatedAt, messages, checkpoints, bytes };
  });
  return (await Promise.all(listed)).sort((a, b) => b.updatedAt - a.updatedAt);
}

/** Gives a thread a title, or takes it away; false when there is no such thread. */
export async function renameThread(
  store: IDBObjectStore,
  place: ThreadPlace,
  title: string | null,
): Promise<boolean> {
  const key = threadKey('thread', place);
  const row = await promisifyRequest<ThreadRow | undefined>(store.get(key));
  if (row === undefined) return false;
  const { title: _, ...rest } = row;
  store.put(title === null ? rest : { ...rest, title }, key);
  return true;
}

/** A thread whose checkpoints were deleted at a time, in milliseconds since 1970, and whose archive may not be. */
export interface UnfinishedDeletion extends ThreadPlace {
  readonly at: number;
}

/** Deletions that were begun with `isUnfinished` and not finished since. */
export async function unfinishedDeletions(store: IDBObjectStore): Promise<readonly UnfinishedDeletion[]> {
  const range = startingWith('deletion');
  const [keys, times] = await Promise.all([
    promisifyRequest(store.getAllKeys(range)),
    promisifyRequest<number[]>(store.getAll(range)),
  ]);
  return times.map((at, place) => {
    const [user = '', thread = ''] = tailOf(keys[place] ?? [], 2);
    return { user, thread, at };
  });
}

/**
 * Removes everything that is stored of a thread, and marks that it was: a run that began before writes nothing more.
 * An unfinished deletion stays known until it is finished. Answers the thread's new epoch.
 */
export async function removeThread(
  store: IDBObjectStore,
  place: ThreadPlace,
  isUnfinished: boolean,
): Promise<string> {
  const mark = await readMark(store, place);
  if (isUnfinished) store.put(Date.now(), deletionKey(place));
  const after = { ...mark, deletions: mark.deletions + 1 };
  store.put(after, markKey(place));
  for (const kind of THREAD_KINDS) store.delete(startingWith(...threadKey(kind, place)));
  return epochOf(after);
}
