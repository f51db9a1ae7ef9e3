// What this tab knows to be stored of its threads, so that nothing is serialised or written twice.
import { BaseMessage } from '@langchain/core/messages';
import type { ListLevels } from './checkpoint-list.js';

/** Threads remembered; beyond it the one not used for longest is forgotten, which costs time and nothing else. */
const THREADS = 8;
/** Lists remembered of one thread. */
const LISTS = 16;
/** Digests remembered of one thread. */
const STORED = 262_144;
/** Nesting that is looked into. Deeper values are serialised each time. */
const DEPTH = 32;

/** An object as it was stored. */
export interface KnownObject {
  readonly digest: string;
  /** Null when it cannot be seen whether the object has changed. */
  readonly snapshot: Snapshot | null;
}

/** A list of messages as it was stored. */
export interface KnownList {
  readonly levels: ListLevels;
  readonly messages: readonly object[];
  readonly known: readonly KnownObject[];
}

const NO_LIST: KnownList = { levels: [], messages: [], known: [] };

/** What is known of one thread, as long as the database has not removed anything of it. */
export class ThreadMemory {
  /** The thread's epoch that this holds for; null until it was read. */
  epoch: string | null = null;
  readonly #lists = new Map<string, KnownList>();
  readonly #stored = new Set<string>();

  /** The last list of this name, to grow the next one from. */
  list(name: string): KnownList {
    return this.#lists.get(name) ?? NO_LIST;
  }

  setList(name: string, list: KnownList): void {
    setBounded(this.#lists, name, list, LISTS);
  }

  get isFull(): boolean {
    return this.#stored.size >= STORED;
  }

  has(digest: string): boolean {
    return this.#stored.has(digest);
  }

  add(digest: string): void {
    this.#stored.add(digest);
  }
}

export class CheckpointMemory {
  readonly #threads = new Map<string, ThreadMemory>();
  readonly #objects = new WeakMap<object, { thread: ThreadMemory; known: KnownObject }>();

  /** What is known of the thread with this name; when it is of another epoch than the one given, nothing. */
  of(name: string, epoch: string | null = null): ThreadMemory {
    let memory = this.#threads.get(name) ?? new ThreadMemory();
    const isOther = epoch !== null && memory.epoch !== null && memory.epoch !== epoch;
    if (isOther || memory.isFull) memory = new ThreadMemory();
    memory.epoch = epoch ?? memory.epoch;
    setBounded(this.#threads, name, memory, THREADS);
    return memory;
  }

  /** An object as it was stored, unless something in it has changed since. */
  find(thread: ThreadMemory, value: object): KnownObject | undefined {
    const found = this.#objects.get(value);
    return found?.thread === thread && isUnchanged(found.known.snapshot) ? found.known : undefined;
  }

  /** To be called once the object is stored. */
  remember(thread: ThreadMemory, value: object, known: KnownObject): void {
    this.#objects.set(value, { thread, known });
  }
}

/**
 * What an object and all objects in it hold. Looking whether it still holds is much cheaper than serialising; a put of
 * a long conversation does it for each message.
 */
export interface Snapshot {
  /** Holder, name and value of each field, one after another: one list is read faster than three. */
  readonly fields: readonly unknown[];
  /** Objects without a class and how many fields they have, so that added ones are seen. */
  readonly counts: readonly (object | number)[];
}

/**
 * A snapshot of a message, or of a value that holds none. Null when the value holds a message, or an object of which
 * it cannot be seen whether it has changed.
 */
export function snapshotOf(value: object): Snapshot | null {
  const snapshot = { fields: [], counts: [] };
  const isWhole = BaseMessage.isInstance(value)
    ? addMessage(value, snapshot)
    : addFields(value, snapshot, DEPTH);
  return isWhole ? snapshot : null;
}

interface GrowingSnapshot {
  fields: unknown[];
  counts: (object | number)[];
}

/** What a message is serialised from: the names are those that its constructor was given, the values those of now. */
function addMessage(message: BaseMessage, snapshot: GrowingSnapshot): boolean {
  const names = Object.keys(message.lc_kwargs);
  snapshot.counts.push(message.lc_kwargs, names.length);
  return names.every((name) =>
    addField(name in message ? message : message.lc_kwargs, name, snapshot, DEPTH),
  );
}

function addField(holder: object, key: string | number, snapshot: GrowingSnapshot, depth: number): boolean {
  const value: unknown = Reflect.get(holder, key);
  snapshot.fields.push(holder, key, value);
  const isLeaf = typeof value !== 'object' || value === null || value instanceof Uint8Array;
  return isLeaf || addFields(value, snapshot, depth);
}

function addFields(value: object, snapshot: GrowingSnapshot, depth: number): boolean {
  if (depth === 0 || !isPlain(value)) return false;
  if (Array.isArray(value)) {
    addField(value, 'length', snapshot, depth);
    return value.every((_, at) => addField(value, at, snapshot, depth - 1));
  }
  const names = Object.keys(value);
  snapshot.counts.push(value, names.length);
  return names.every((name) => addField(value, name, snapshot, depth - 1));
}

/** Whether all of it still holds; never for null. */
export function isUnchanged(snapshot: Snapshot | null): boolean {
  if (snapshot === null) return false;
  const { fields, counts } = snapshot;
  for (let at = 0; at < fields.length; at += 3) {
    const holder = fields[at] as Record<string, unknown>;
    // Not `Object.is`: a NaN counts as changed, which costs time and nothing else.
    if (holder[fields[at + 1] as string] !== fields[at + 2]) return false;
  }
  for (let at = 0; at < counts.length; at += 2) {
    let count = 0;
    for (const _ in counts[at] as object) count += 1;
    if (count !== counts[at + 1]) return false;
  }
  return true;
}

/** A list, or an object without a class. */
export function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Sets an entry as the newest; the oldest goes when there are too many. */
function setBounded<T>(map: Map<string, T>, key: string, value: T, size: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > size && oldest !== undefined) map.delete(oldest);
}
