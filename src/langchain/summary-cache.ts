// Summaries of this process by thread: for agents without a checkpointer, and for model calls that failed after
// their summary had succeeded. Losing it costs a call, never the truth.
import type { TaskHistory } from '../core/history.js';
import type { Message } from '../core/message.js';
import { type CompactionRecord, fitRecord, messageDigest, type RecordFit } from '../core/record.js';
import type { Identity } from './identity.js';

/** What a compaction has to write into the state. */
export interface CompactionUpdate {
  readonly compaction: CompactionRecord;
  /** Null when nothing was to be archived. */
  readonly taskHistory: TaskHistory | null;
}

/** What is known of a thread besides its checkpoint. */
interface Entry {
  /** The record with lifted messages listed by digest, for messages whose ids change with every run. */
  readonly byContent: CompactionRecord;
  readonly update: CompactionUpdate;
  /** False until a checkpoint was seen to hold the update. */
  isWritten: boolean;
}

/** When the last attempt was made, so that a hopeless one is not made again with every call. */
export interface Attempt {
  /** Digest of the newest message at the time. */
  readonly newest: string;
  /** Size of what no summary covered, in the trigger's unit; null when the attempt may be repeated at the next message. */
  readonly uncovered: number | null;
}

/** Threads remembered; the one longest unused goes first. */
export const CACHED_THREADS = 128;

const entries = new Map<string, Entry>();
const attempts = new Map<string, Attempt>();

/** A summary of this process that stands for the beginning of these messages. */
export function cachedRecord(
  identity: Identity,
  messages: readonly Message[],
  start: number,
): { readonly update: CompactionUpdate; readonly fit: RecordFit } | null {
  const entry = touch(entries, identity);
  if (entry === undefined) return null;
  const fit = fitRecord(entry.byContent, messages, { byContent: true, start });
  return fit === null ? null : { update: entry.update, fit };
}

/** Remembers a compaction until a checkpoint holds it, and after. */
export function rememberCompaction(
  identity: Identity,
  update: CompactionUpdate,
  lifted: readonly Message[],
): void {
  const byContent = { ...update.compaction, lifted: lifted.map(messageDigest) };
  store(entries, identity, { byContent, update, isWritten: false });
}

/**
 * What a successful call has to write again because the state lacks it. Null when the state holds it, or when the
 * messages are no longer those that it stands for (a rollback must not bring back later batches).
 */
export function unwrittenUpdate(
  identity: Identity,
  messages: readonly Message[],
  start: number,
  stored: unknown,
): CompactionUpdate | null {
  const entry = touch(entries, identity);
  if (entry === undefined || entry.isWritten) return null;
  if (isStored(stored, entry.update.compaction)) {
    entry.isWritten = true;
    return null;
  }
  return fitRecord(entry.byContent, messages, { byContent: true, start }) === null ? null : entry.update;
}

/** The history of a compaction whose update no checkpoint holds yet, for the request that is being made. */
export function pendingHistory(user: string, thread: string, namespace: string): TaskHistory | undefined {
  const entry = entries.get(keyOf({ user, thread, namespace }));
  return entry === undefined || entry.isWritten ? undefined : (entry.update.taskHistory ?? undefined);
}

/** Forgets what is known of a thread, in all its namespaces. */
export function forgetThread(user: string, thread: string): void {
  for (const map of [entries, attempts]) {
    for (const key of map.keys()) {
      if (key.startsWith(threadKey(user, thread))) map.delete(key);
    }
  }
}

export function lastAttempt(identity: Identity): Attempt | undefined {
  return touch(attempts, identity);
}

export function rememberAttempt(identity: Identity, attempt: Attempt): void {
  store(attempts, identity, attempt);
}

function isStored(stored: unknown, record: CompactionRecord): boolean {
  if (typeof stored !== 'object' || stored === null) return false;
  const { summary, covered } = stored as Readonly<Record<string, unknown>>;
  return summary === record.summary && Array.isArray(covered) && covered.length === record.covered.length;
}

const threadKey = (user: string, thread: string): string => `${JSON.stringify([user, thread])}\n`;

function keyOf({ user, thread, namespace }: Identity): string {
  return `${threadKey(user, thread ?? '')}${namespace}`;
}

function touch<T>(map: Map<string, T>, identity: Identity): T | undefined {
  if (identity.thread === null) return undefined;
  const key = keyOf(identity);
  const value = map.get(key);
  if (value !== undefined) {
    map.delete(key);
    map.set(key, value);
  }
  return value;
}

function store<T>(map: Map<string, T>, identity: Identity, value: T): void {
  if (identity.thread === null) return;
  const key = keyOf(identity);
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= CACHED_THREADS) break;
    map.delete(oldest);
  }
}
