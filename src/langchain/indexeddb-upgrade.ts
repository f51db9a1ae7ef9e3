// The versions of the database, and how an older one becomes the present one.
import type { Checkpoint } from '@langchain/langgraph-checkpoint';
import { growList } from './checkpoint-list.js';
import type { Piece } from './checkpoint-pieces.js';
import type { CheckpointRow, ThreadRow, WriteRow } from './checkpoint-rows.js';
import type { StoredValue } from './checkpoint-values.js';

/** Raised with every change of what is stored; each needs a step in `upgrade`. */
export const DATABASE_VERSION = 2;

export const STORE = 'entries';

/** Steps of the schema, by the version that they start from. All within the opening transaction: all or nothing. */
export function upgrade(db: IDBDatabase, transaction: IDBTransaction, from: number): void {
  if (from < 1) {
    db.createObjectStore(STORE);
    return;
  }
  if (from < 2) fromFirst(transaction.objectStore(STORE));
}

/**
 * In the first version a list was a tree of nodes of sixteen, named by a root, and all else was whole. Messages keep
 * their digests.
 */
type FirstValue =
  | { readonly kind: 'value'; readonly dumped: Piece }
  | { readonly kind: 'message'; readonly digest: string }
  | { readonly kind: 'list'; readonly digests: readonly string[] }
  | { readonly kind: 'list'; readonly root: string | null; readonly depth: number }
  | { readonly kind: 'absent' };

interface FirstCheckpoint {
  readonly format: number;
  readonly parent: string | null;
  readonly checkpoint: Piece;
  readonly metadata: Piece;
  readonly values: Readonly<Record<string, string | number>>;
}

function fromFirst(store: IDBObjectStore): void {
  const keysRequest = store.getAllKeys();
  const rowsRequest = store.getAll();
  // Requests of a transaction are answered in their order, so the keys are there by now.
  rowsRequest.onsuccess = () => {
    const keys = keysRequest.result as (readonly IDBValidKey[])[];
    const rows = rowsRequest.result as readonly unknown[];
    const nodes = new Map<string, readonly string[]>();
    for (const [at, [kind, user, thread, digest]] of keys.entries()) {
      if (kind === 'node') nodes.set(JSON.stringify([user, thread, digest]), rows[at] as readonly string[]);
    }
    store.clear();
    for (const [at, key] of keys.entries()) putSecond(store, key, rows[at], nodes);
  };
}

function putSecond(
  store: IDBObjectStore,
  key: readonly IDBValidKey[],
  row: unknown,
  nodes: ReadonlyMap<string, readonly string[]>,
): void {
  const [kind, user = '', thread = ''] = key;
  const put = (value: unknown) => store.put(value, [...key]);
  const second = (value: FirstValue): StoredValue | null => {
    if (value.kind === 'absent') return null;
    if (value.kind === 'value') return value.dumped;
    const shell = { type: 'json', bytes: new TextEncoder().encode('null') };
    if (value.kind === 'message') return { ...shell, live: [{ path: [], message: value.digest }] };
    const childrenOf = (digest: string) => nodes.get(JSON.stringify([user, thread, digest])) ?? [];
    let digests = 'digests' in value ? value.digests : value.root === null ? [] : [value.root];
    const depth = 'depth' in value ? value.depth : 0;
    for (let level = 0; level < depth; level += 1) digests = digests.flatMap(childrenOf);
    const { list, added } = growList(digests, []);
    for (const { digest, children } of added) store.put(children, ['node', user, thread, digest]);
    return { ...shell, live: [{ path: [], messages: list }] };
  };
  if (kind === 'checkpoint') put(secondCheckpoint(row as FirstCheckpoint));
  if (kind === 'message') put(row);
  if (kind === 'thread') put({ ...(row as object), messages: 0, bytes: 0 } as ThreadRow);
  if (kind === 'blob') {
    const value = second(row as FirstValue);
    if (value !== null) put(value);
  }
  if (kind === 'write') {
    const { channel, taskPath, value } = row as { channel: string; taskPath: string; value: FirstValue };
    const kept = second(value);
    if (kept !== null) put({ channel, taskPath, value: kept } satisfies WriteRow);
  }
}

function secondCheckpoint({ format, parent, checkpoint, metadata, values }: FirstCheckpoint): CheckpointRow {
  const { ts, channel_versions, versions_seen } = JSON.parse(
    new TextDecoder().decode(checkpoint.bytes),
  ) as Checkpoint;
  const channels = Object.keys(values);
  return { format, ts, parent, versions: channel_versions, seen: versions_seen, metadata, channels };
}
