// Summaries of this process by thread: for agents without a checkpointer, and for model calls that failed after
// their summary had succeeded. Losing it costs a call, never the truth.
import { normalizeHistory, type TaskHistory } from '../core/history.js';
import { MAX_BATCHES } from '../core/limits.js';
import type { Message } from '../core/message.js';
import { type CompactionRecord, messageDigest, type RecordFit } from '../core/record.js';
import type { Identity } from './identity.js';
import type { Conversation } from './request.js';

/** What a compaction has to write into the state. */
export interface CompactionUpdate {
  readonly compaction: CompactionRecord;
  /** Null when nothing was to be archived. */
  readonly taskHistory: TaskHistory | null;
}

/** What is known of a thread besides its checkpoint. */
interface Entry {
  /** Digests of the messages that are covered, in order: ids change with every run for plain objects. */
  readonly covered: readonly string[];
  /** Digests of those that stand among them and stay in the request. */
  readonly lifted: ReadonlySet<string>;
  readonly update: CompactionUpdate;
  /** True once a state was seen that knows as much. */
  isSettled: boolean;
}

/** When the last attempt was made, so that a hopeless one is not made again with every call. */
export interface Attempt {
  /** Digest of the newest message at the time. */
  readonly newest: string;
  /** Size of what no summary covered; null when the attempt may be repeated at the next message. */
  readonly uncovered: { readonly tokens: number; readonly messages: number } | null;
}

/** Threads remembered by default; the one longest unused goes first. */
export const CACHED_THREADS = 128;

let maxThreads = CACHED_THREADS;
const entries = new Map<string, Entry>();
const attempts = new Map<string, Attempt>();
const pending = new Map<string, TaskHistory>();
/** Attempts of runs without a thread, by the first message of their conversation. */
const attemptByOpening = new WeakMap<Message, Attempt>();

/** Sets how many threads are remembered. The cache is the process's: the last word counts for all agents. */
export function setCachedThreads(count: number): void {
  maxThreads = count;
  for (const map of [entries, attempts, pending]) trim(map);
}

/** A summary of this process that stands for the beginning of these messages. */
export function cachedCompaction(
  identity: Identity,
  { neutral, start }: Conversation,
): { readonly update: CompactionUpdate; readonly fit: RecordFit } | null {
  const entry = touch(entries, identity);
  if (entry === undefined) return null;
  const fit = fitContent(entry, neutral, start);
  return fit === null ? null : { update: entry.update, fit };
}

function fitContent(
  { covered, lifted: stays }: Entry,
  messages: readonly Message[],
  start: number,
): RecordFit | null {
  const lifted: number[] = [];
  let at = start;
  for (const digest of covered) {
    for (; ; at += 1) {
      const message = messages[at];
      if (message === undefined) return null;
      const found = messageDigest(message);
      if (found === digest) break;
      if (!stays.has(found)) return null;
      lifted.push(at);
    }
    at += 1;
  }
  return { end: at, lifted };
}

/** Remembers a compaction until a checkpoint holds it, and after. */
export function rememberCompaction(
  identity: Identity,
  update: CompactionUpdate,
  { covered, lifted }: { readonly covered: readonly Message[]; readonly lifted: readonly Message[] },
): void {
  store(entries, identity, {
    covered: covered.map(messageDigest),
    lifted: new Set(lifted.map(messageDigest)),
    update,
    isSettled: false,
  });
}

/** Notes that the state knows as much as this process. */
export function settleCompaction(identity: Identity): void {
  const entry = entries.get(keyOf(identity));
  if (entry !== undefined) entry.isSettled = true;
}

/** Whether there is a compaction that no state was seen to hold yet. */
export function hasUnsettled(identity: Identity): boolean {
  return entries.get(keyOf(identity))?.isSettled === false;
}

/** Both histories' references, those of the state first; the status is that of what this process did last. */
export function mergedHistory(stored: unknown, known: TaskHistory): TaskHistory {
  const held = normalizeHistory(stored);
  if (held === null || held.scope !== known.scope) return known;
  const batches = [...held.batches, ...known.batches.filter((id) => !held.batches.includes(id))];
  return { ...known, batches: batches.slice(-MAX_BATCHES.max) };
}

/** Tells `pendingHistory` what the call under way will write; null when it writes none. */
export function announceHistory(identity: Identity, history: TaskHistory | null): void {
  if (history === null) pending.delete(keyOf(identity));
  else store(pending, identity, history);
}

/** The history that the model call under way will write, for the request that is being made. */
export function pendingHistory(user: string, thread: string, namespace: string): TaskHistory | undefined {
  return pending.get(keyOf({ user, thread, namespace }));
}

/** Forgets what is known of a thread, in all its namespaces. */
export function forgetThread(user: string, thread: string): void {
  for (const map of [entries, attempts, pending]) {
    for (const key of map.keys()) {
      if (key.startsWith(threadKey(user, thread))) map.delete(key);
    }
  }
}

export function lastAttempt(identity: Identity, conversation: Conversation): Attempt | undefined {
  if (identity.thread !== null) return touch(attempts, identity);
  const opening = openingOf(conversation);
  return opening === undefined ? undefined : attemptByOpening.get(opening);
}

export function rememberAttempt(identity: Identity, conversation: Conversation, attempt: Attempt): void {
  const opening = openingOf(conversation);
  if (identity.thread !== null) store(attempts, identity, attempt);
  else if (opening !== undefined) attemptByOpening.set(opening, attempt);
}

const openingOf = ({ neutral, start }: Conversation): Message | undefined => neutral[start];

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
  trim(map);
}

function trim(map: Map<string, unknown>): void {
  for (const oldest of map.keys()) {
    if (map.size <= maxThreads) break;
    map.delete(oldest);
  }
}
