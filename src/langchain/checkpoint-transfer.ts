// All rows of one thread, taken out of the database and put into it.
import { promisifyRequest } from 'idb-keyval';
import {
  startingWith,
  THREAD_KINDS,
  type ThreadKind,
  type ThreadPlace,
  threadKey,
} from './checkpoint-keys.js';
import { removeThread } from './checkpoint-threads.js';

/** The kinds that a thread takes with it: who runs it just now is not among them. */
const TRANSFERRED = THREAD_KINDS.filter((kind) => kind !== 'lease');
/** Rows put in one go, before the page gets its turn. */
const PUTS_PER_TURN = 256;

/** A row under its key, without user and thread. */
export type TransferRow = readonly [key: readonly [ThreadKind, ...IDBValidKey[]], row: unknown];

/** All rows of a thread; null when none is stored of it. */
export async function readThread(
  store: IDBObjectStore,
  place: ThreadPlace,
): Promise<readonly TransferRow[] | null> {
  const ofKinds = await Promise.all(
    TRANSFERRED.map(async (kind) => {
      const range = startingWith(...threadKey(kind, place));
      const [keys, rows] = await Promise.all([
        promisifyRequest(store.getAllKeys(range)),
        promisifyRequest<unknown[]>(store.getAll(range)),
      ]);
      return keys.map((key, at): TransferRow => {
        const rest = Array.isArray(key) ? key.slice(threadKey(kind, place).length) : [];
        return [[kind, ...rest], rows[at]];
      });
    }),
  );
  const rows = ofKinds.flat();
  return rows.some(([[kind]]) => kind === 'thread') ? rows : null;
}

/**
 * Puts rows in the place of all that is stored of a thread; runs that were going on in it write nothing more. Answers
 * the thread's new epoch; null, and nothing is changed, when the thread exists and is not to be replaced.
 */
export async function putThread(
  store: IDBObjectStore,
  place: ThreadPlace,
  rows: readonly TransferRow[],
  isReplacing: boolean,
): Promise<string | null> {
  const existing = await promisifyRequest(store.getKey(threadKey('thread', place)));
  if (existing !== undefined && !isReplacing) return null;
  const epoch = await removeThread(store, place, false);
  for (const [at, [[kind, ...rest], row]] of rows.entries()) {
    const request = store.put(row, threadKey(kind, place, ...rest));
    if (at % PUTS_PER_TURN === PUTS_PER_TURN - 1) await promisifyRequest(request);
  }
  return epoch;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isBytes: Check = (value) => value instanceof Uint8Array;
const isTextOrNumber: Check = (value) => isText(value) || isNumber(value);
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (check: Check): Check => {
  return (value) => Array.isArray(value) && value.every(check);
};
const optional = (check: Check): Check => {
  return (value) => value === undefined || check(value);
};
const record = (fields: Readonly<Record<string, Check>>): Check => {
  return (value) =>
    isObject(value) &&
    Object.entries(fields).every(([name, check]) => check(Reflect.get(Object(value), name)));
};

const isList = record({ length: isNumber, spine: isBytes });
const isHole = record({
  path: listOf(isTextOrNumber),
  part: optional(isText),
  runs: optional(isList),
  message: optional(isText),
  messages: optional(isList),
  value: optional(isText),
});
const isValue = record({
  type: isText,
  bytes: isBytes,
  holes: optional(listOf(isHole)),
  live: optional(listOf(isHole)),
});

const isValueRow: Check = (value) => isValue(value) || isList(value);

/** What stands in the key after user and thread, and in the row. */
const SHAPES: ReadonlyMap<unknown, readonly [rest: readonly Check[], row: Check]> = new Map([
  [
    'checkpoint',
    [
      [isText, isText],
      record({
        format: isNumber,
        ts: isText,
        parent: (value) => value === null || isText(value),
        versions: isObject,
        seen: isObject,
        metadata: isValue,
        channels: listOf(isText),
        nulls: optional(listOf(isText)),
      }),
    ],
  ],
  ['blob', [[isText, isText, isTextOrNumber], isValueRow]],
  [
    'write',
    [
      [isText, isText, isText, isNumber],
      record({ channel: isText, taskPath: isText, value: optional(isValueRow) }),
    ],
  ],
  ['message', [[isText], isValue]],
  ['part', [[isText], isValue]],
  ['node', [[isText], isBytes]],
  [
    'thread',
    [[], record({ updatedAt: isNumber, title: optional(isText), messages: isNumber, bytes: isNumber })],
  ],
] as const);

/** Whether a value of unknown origin is a row that a thread may have. */
export function isThreadRow(value: unknown): value is TransferRow {
  if (!Array.isArray(value) || value.length !== 2 || !Array.isArray(value[0])) return false;
  const [[kind, ...rest], row] = value;
  const [checks, check] = SHAPES.get(kind) ?? [];
  if (checks === undefined || check === undefined || rest.length !== checks.length) return false;
  return checks.every((isPart, at) => isPart(rest[at])) && check(row);
}
