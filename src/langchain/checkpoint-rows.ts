// What a thread's rows are, and how one checkpoint is read with everything that it refers to.
import {
  type ChannelVersions,
  type Checkpoint,
  compareWritesSortKeys,
  writesSortKey,
} from '@langchain/langgraph-checkpoint';
import { promisifyRequest } from 'idb-keyval';
import {
  graphKey,
  markKey,
  type Place,
  startingWith,
  type ThreadKind,
  type ThreadPlace,
  tailOf,
  threadKey,
} from './checkpoint-keys.js';
import { type ListLevels, readList, type StoredList } from './checkpoint-list.js';
import type { Piece } from './checkpoint-pieces.js';
import { fromRow, type Gathered, type StoredValue, type ValueRow } from './checkpoint-values.js';

/** A checkpoint without its values. */
export interface CheckpointRow {
  /** LangGraph's version of the checkpoint's format. */
  readonly format: number;
  readonly ts: string;
  readonly parent: string | null;
  readonly versions: ChannelVersions;
  readonly seen: Checkpoint['versions_seen'];
  readonly metadata: Piece;
  /** The channels that have a value here; those that hold null have no row of their own and stand in `nulls`. */
  readonly channels: readonly string[];
  readonly nulls?: readonly string[];
  /** Whether a channel of deltas is told by the writes of checkpoints before; absent where that was not kept. */
  readonly leans?: boolean;
}

export interface WriteRow {
  readonly channel: string;
  readonly taskPath: string;
  readonly value?: ValueRow;
}

/** What a list of threads shows of one. */
export interface ThreadRow {
  /** When its newest checkpoint was written, in milliseconds since 1970. */
  readonly updatedAt: number;
  readonly title?: string;
  /** Messages in its newest checkpoint. */
  readonly messages: number;
  /** Bytes written for it, about. */
  readonly bytes: number;
}

/** How often a thread was deleted, and how often old checkpoints were taken out of it. */
export interface MarkRow {
  readonly deletions: number;
  readonly sweeps: number;
}

const NO_MARK: MarkRow = { deletions: 0, sweeps: 0 };

export async function readMark(store: IDBObjectStore, place: ThreadPlace): Promise<MarkRow> {
  return (await promisifyRequest<MarkRow | undefined>(store.get(markKey(place)))) ?? NO_MARK;
}

/** Changes whenever something of a thread was removed: what was known to be stored may be gone. */
export function epochOf({ deletions, sweeps }: MarkRow): string {
  return `${deletions}.${sweeps}`;
}

export interface PendingWrite {
  readonly taskId: string;
  readonly channel: string;
  readonly value: StoredValue;
}

/** One checkpoint as it was read in one transaction. */
export interface RawCheckpoint {
  readonly id: string;
  readonly row: CheckpointRow;
  readonly values: readonly (readonly [channel: string, value: StoredValue])[];
  /** In the order in which LangGraph applies them. */
  readonly writes: readonly PendingWrite[];
  /** For checkpoints of a format before the fourth. */
  readonly parentWrites: readonly PendingWrite[];
  readonly gathered: GatheredRows;
}

/** One checkpoint (the newest when `id` is null) with all that it needs; null when there is none. */
export async function readCheckpoint(
  store: IDBObjectStore,
  place: Place,
  id: string | null,
  known: ReadonlySet<string> = new Set(),
): Promise<RawCheckpoint | null> {
  const found = id ?? (await newestId(store, place));
  if (found === null) return null;
  const row = await readRow(store, place, found);
  if (row === undefined) return null;
  const [values, writes, parentWrites] = await Promise.all([
    valuesOf(store, place, row),
    writesOf(store, place, found),
    row.parent === null || row.format >= 4 ? [] : writesOf(store, place, row.parent),
  ]);
  const gathered = new GatheredRows(store, place, known);
  await gathered.gather([
    ...values.map(([, value]) => value),
    ...[...writes, ...parentWrites].map(({ value }) => value),
  ]);
  return { id: found, row, values, writes, parentWrites, gathered };
}

export function readRow(store: IDBObjectStore, place: Place, id: string): Promise<CheckpointRow | undefined> {
  return promisifyRequest<CheckpointRow | undefined>(store.get(graphKey('checkpoint', place, id)));
}

/** The newest checkpoint of a graph; null when it has none. */
export async function newestId(store: IDBObjectStore, place: Place): Promise<string | null> {
  const range = startingWith(...graphKey('checkpoint', place));
  const cursor = await promisifyRequest(store.openKeyCursor(range, 'prev'));
  return cursor === null ? null : (tailOf(cursor.key, 1)[0] ?? null);
}

/** The values that a checkpoint has. */
export async function valuesOf(
  store: IDBObjectStore,
  place: Place,
  { channels, versions, nulls = [] }: CheckpointRow,
): Promise<readonly (readonly [channel: string, value: StoredValue])[]> {
  const values = await Promise.all(
    channels.map(async (channel) => {
      const key = graphKey('blob', place, channel, versions[channel] ?? '');
      return [channel, await promisifyRequest<ValueRow>(store.get(key))] as const;
    }),
  );
  const found = values.flatMap(([channel, value]) =>
    value === undefined ? [] : [[channel, fromRow(value)] as const],
  );
  return [...found, ...nulls.map((channel) => [channel, fromRow(undefined)] as const)];
}

export async function writesOf(
  store: IDBObjectStore,
  place: Place,
  id: string,
): Promise<readonly PendingWrite[]> {
  const range = startingWith(...graphKey('write', place, id));
  const [keys, rows] = await Promise.all([
    promisifyRequest(store.getAllKeys(range)),
    promisifyRequest<WriteRow[]>(store.getAll(range)),
  ]);
  return rows
    .map(({ channel, taskPath, value }, at) => {
      const [taskId = '', index] = tailOf(keys[at] ?? [], 2);
      return {
        key: writesSortKey(taskPath, taskId, Number(index)),
        write: { taskId, channel, value: fromRow(value) },
      };
    })
    .sort((a, b) => compareWritesSortKeys(a.key, b.key))
    .map(({ write }) => write);
}

/** From so many rows of a kind on, reading all of the thread's at once is faster than one after another. */
const MANY = 64;

/** Reads what values refer to, and what that refers to in turn. */
export class GatheredRows implements Gathered {
  readonly #pieces = { message: new Map<string, Piece>(), part: new Map<string, Piece>() };
  readonly #nodes = new Map<string, Uint8Array>();
  readonly #lists = new Map<StoredList, ListLevels>();
  /** Rows by kind, where all of the thread's were read at once. */
  readonly #all = new Map<string, ReadonlyMap<string, unknown>>();
  readonly #store: IDBObjectStore;
  readonly #place: ThreadPlace;
  readonly #known: ReadonlySet<string>;

  /** Messages in `known` are not read. */
  constructor(store: IDBObjectStore, place: ThreadPlace, known: ReadonlySet<string> = new Set()) {
    this.#store = store;
    this.#place = place;
    this.#known = known;
  }

  /** To be called within one transaction. Throws when a list cannot be read. */
  async gather(values: readonly StoredValue[]): Promise<void> {
    for (let pieces: readonly StoredValue[] = values; pieces.length > 0; ) {
      const wanted = { message: new Set<string>(), part: new Set<string>() };
      for (const piece of pieces) await this.#addWanted(piece, wanted);
      const found = await Promise.all([
        this.#read('message', wanted.message, this.#pieces.message),
        this.#read('part', wanted.part, this.#pieces.part),
      ]);
      pieces = found.flat();
    }
  }

  message(digest: string): Piece {
    return this.#pieces.message.get(digest) ?? this.#missing('message');
  }

  part(digest: string): Piece {
    return this.#pieces.part.get(digest) ?? this.#missing('part of a value');
  }

  list(list: StoredList): readonly string[] {
    return this.levels(list)[0] ?? [];
  }

  levels(list: StoredList): ListLevels {
    return this.#lists.get(list) ?? this.#missing('list');
  }

  /** Digests of everything that was read, by kind. */
  digests(): {
    readonly message: Iterable<string>;
    readonly part: Iterable<string>;
    readonly node: Iterable<string>;
  } {
    const node = new Set([...this.#lists.values()].flatMap((levels) => levels.slice(1).flat()));
    return { message: this.#pieces.message.keys(), part: this.#pieces.part.keys(), node };
  }

  async #addWanted(
    { holes = [], live = [] }: StoredValue,
    wanted: { readonly message: Set<string>; readonly part: Set<string> },
  ): Promise<void> {
    for (const hole of holes) {
      if ('part' in hole) wanted.part.add(hole.part);
      else for (const run of await this.#readList(hole.runs)) wanted.part.add(run);
    }
    for (const hole of live) {
      if ('value' in hole) wanted.part.add(hole.value);
      else if ('message' in hole) wanted.message.add(hole.message);
      else for (const digest of await this.#readList(hole.messages)) wanted.message.add(digest);
    }
  }

  async #readList(list: StoredList): Promise<readonly string[]> {
    const levels = await readList(list, async (digests) => {
      await this.#read('node', new Set(digests), this.#nodes);
      return digests.map((digest) => this.#nodes.get(digest));
    });
    this.#lists.set(list, levels);
    return levels[0] ?? [];
  }

  /** Reads what is wanted and not there yet; answers what was found of it. */
  async #read<T>(
    kind: 'message' | 'part' | 'node',
    digests: ReadonlySet<string>,
    into: Map<string, T>,
  ): Promise<readonly T[]> {
    const absent = [...digests].filter((digest) => !into.has(digest) && !this.#known.has(digest));
    if (absent.length > MANY && !this.#all.has(kind)) this.#all.set(kind, await this.#readAll<T>(kind));
    const all = this.#all.get(kind) as ReadonlyMap<string, T> | undefined;
    await Promise.all(
      absent.map(async (digest) => {
        const row = all === undefined ? await this.#readOne<T>(kind, digest) : all.get(digest);
        if (row !== undefined) into.set(digest, row);
      }),
    );
    return absent.flatMap((digest) => into.get(digest) ?? []);
  }

  #readOne<T>(kind: ThreadKind, digest: string): Promise<T | undefined> {
    return promisifyRequest<T | undefined>(this.#store.get(threadKey(kind, this.#place, digest)));
  }

  async #readAll<T>(kind: ThreadKind): Promise<ReadonlyMap<string, T>> {
    const range = startingWith(...threadKey(kind, this.#place));
    const [keys, rows] = await Promise.all([
      promisifyRequest(this.#store.getAllKeys(range)),
      promisifyRequest<T[]>(this.#store.getAll(range)),
    ]);
    return new Map(rows.map((row, at) => [tailOf(keys[at] ?? [], 1)[0] ?? '', row]));
  }

  #missing(what: string): never {
    throw new Error(
      `IndexedDBSaver: a ${what} of thread "${this.#place.thread}" is missing in the database; it was damaged.`,
    );
  }
}
