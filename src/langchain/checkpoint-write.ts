// The one transaction in which a checkpoint, or what a task wrote, is stored.
import type { Checkpoint, CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import { promisifyRequest } from 'idb-keyval';
import { graphKey, type Place, threadKey } from './checkpoint-keys.js';
import type { Piece } from './checkpoint-pieces.js';
import {
  type CheckpointRow,
  epochOf,
  type MarkRow,
  readMark,
  type ThreadRow,
  type WriteRow,
} from './checkpoint-rows.js';
import type { Taking } from './checkpoint-values.js';

/** Rows put in one go. A row takes some 30 µs. */
const PUTS_PER_TURN = 256;

/** Everything to be written, serialised before the transaction opens. */
export interface Writing {
  readonly rows: readonly (readonly [key: IDBValidKey[], row: unknown])[];
  /** Rows of tasks; those that are there already stay, unless they are to be replaced. */
  readonly writes: readonly {
    readonly key: IDBValidKey[];
    readonly row: WriteRow;
    readonly replaces: boolean;
  }[];
  readonly taking: Taking;
  readonly parent: string | null;
  /** Messages in the checkpoint; null when it does not say. */
  readonly messages: number | null;
  readonly isCheckpoint: boolean;
}

/** What was assumed of the thread when the rows were made. */
export interface Assumed {
  /** The epoch of what was taken to be stored already; null when nothing was. */
  readonly epoch: string | null;
  /** What the run saw of the thread when it began; null for a call outside of runs. */
  readonly start: MarkRow | null;
}

/** The row of a checkpoint; its metadata as the serializer wrote it. */
export function checkpointRow(
  { v, ts, channel_values: values, channel_versions: versions, versions_seen: seen }: Checkpoint,
  parent: string | null,
  metadata: CheckpointMetadata,
  dumped: Piece,
): CheckpointRow {
  const held = Object.keys(values).filter((channel) => versions[channel] !== undefined);
  const nulls = held.filter((channel) => values[channel] === null);
  return {
    format: v,
    ts,
    parent,
    versions,
    seen,
    metadata: dumped,
    channels: held.filter((channel) => values[channel] !== null),
    ...(nulls.length === 0 ? {} : { nulls }),
    leans: Object.keys(Object(Reflect.get(metadata, 'counters_since_delta_snapshot'))).length > 0,
  };
}

/**
 * Writes in the given transaction and answers the thread's epoch. Nothing is written when it is not the assumed one:
 * then something of the thread was removed, and the rows have to be made anew. Throws when the run must not write:
 * its thread was deleted, or the checkpoint that it goes on from was taken out.
 */
export async function commit(
  store: IDBObjectStore,
  place: Place,
  { rows, writes, taking, parent, messages, isCheckpoint }: Writing,
  { epoch, start }: Assumed,
): Promise<{ readonly epoch: string; readonly isWritten: boolean }> {
  const [mark, thread, parentKey, known] = await Promise.all([
    readMark(store, place),
    promisifyRequest<ThreadRow | undefined>(store.get(threadKey('thread', place))),
    parent === null ? null : promisifyRequest(store.getKey(graphKey('checkpoint', place, parent))),
    Promise.all(writes.map(({ key }) => promisifyRequest(store.getKey(key)))),
  ]);
  if (start !== null && start.deletions !== mark.deletions) {
    throw new Error(
      `IndexedDBSaver: thread "${place.thread}" was deleted while this run was going on. The run writes nothing more.`,
    );
  }
  if (isCheckpoint && start !== null && start.sweeps !== mark.sweeps && parentKey === undefined) {
    throw new Error(
      `IndexedDBSaver: checkpoint "${parent}", from which this run goes on, was taken out of thread "${place.thread}".`,
    );
  }
  const now = epochOf(mark);
  if (epoch !== null && epoch !== now) return { epoch: now, isWritten: false };
  let bytes = 0;
  let count = 0;
  const put = (row: unknown, key: IDBValidKey[]): Promise<unknown> | undefined => {
    bytes += sizeOf(row) + sizeOf(key);
    const request = store.put(row, key);
    count += 1;
    // The page gets its turn; waiting for a request keeps the transaction open.
    return count % PUTS_PER_TURN === 0 ? promisifyRequest(request) : undefined;
  };
  for (const [digest, piece] of taking.messages) await put(piece, threadKey('message', place, digest));
  for (const [digest, piece] of taking.parts) await put(piece, threadKey('part', place, digest));
  for (const [digest, { children }] of taking.nodes) await put(children, threadKey('node', place, digest));
  for (const [key, row] of rows) await put(row, key);
  for (const [at, { key, row, replaces }] of writes.entries()) {
    if (replaces || known[at] === undefined) await put(row, key);
  }
  const row: ThreadRow = {
    ...thread,
    updatedAt: isCheckpoint || thread === undefined ? Date.now() : thread.updatedAt,
    messages: messages ?? thread?.messages ?? 0,
    bytes: (thread?.bytes ?? 0) + bytes,
  };
  store.put(row, threadKey('thread', place));
  return { epoch: now, isWritten: true };
}

/** Bytes of a row, about: of its texts and bytes, with the names of its fields. */
export function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), 0);
  return Object.entries(value).reduce((sum, [key, part]) => sum + key.length + sizeOf(part), 0);
}
