// Takes what is large out of serialised values, so that it is stored once a thread, and puts it back.
import { sha256HexOfBytes } from '../core/digest.js';
import { DIGEST_CHARS, growList, type ListNode, type StoredList } from './checkpoint-list.js';

/** A text of this length, in UTF-16 units, is stored apart; so are images, which are text or bytes here. */
const LARGE_CHARS = 2_048;
/** A list of objects or texts that is large is stored in runs of so many items, which longer lists share. */
const RUN_ITEMS = 16;
/** A list of numbers of this length is bytes or a vector: stored apart, whole. */
const LARGE_NUMBERS = 512;

export type Path = readonly (string | number)[];

/** Where something was taken out of a JSON value: a value, or the full runs at the beginning of a list. */
export type Hole =
  | { readonly path: Path; readonly part: string }
  | { readonly path: Path; readonly runs: StoredList };

/** A value as the serializer wrote it, with null (or only the end of a list) where a part was taken out. */
export interface Piece {
  /** The serializer's word; `octets` for bytes that stand for a JSON list of numbers. */
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly holes?: readonly Hole[];
}

/** What was taken out, by digest. */
export interface Taken {
  readonly parts: Map<string, Piece>;
  readonly nodes: Map<string, ListNode>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Takes the large parts out of a serialised value. Only JSON is looked into. */
export function takeApart(type: string, bytes: Uint8Array, taken: Taken): Piece {
  if (type !== 'json' || bytes.length < LARGE_CHARS) return { type, bytes };
  return cut(JSON.parse(decoder.decode(bytes)), bytes, taken);
}

/** The digest of a serialised value: the same content is stored under the same key. */
export function digestOfPiece(type: string, bytes: Uint8Array): string {
  return sha256HexOfBytes(encoder.encode(`${type} `), bytes).slice(0, DIGEST_CHARS);
}

function cut(value: unknown, bytes: Uint8Array, taken: Taken): Piece {
  const holes: Hole[] = [];
  const rest = withoutLarge(value, [], holes, taken);
  if (holes.length === 0) return { type: 'json', bytes };
  return { type: 'json', bytes: encoder.encode(JSON.stringify(rest)), holes };
}

/** The value without its large parts. Holes are listed from the inside outwards: a list's items before its runs. */
function withoutLarge(value: unknown, path: Path, holes: Hole[], taken: Taken): unknown {
  if (typeof value === 'string') return value.length < LARGE_CHARS ? value : hole(value, path, holes, taken);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'number')) {
      return value.length < LARGE_NUMBERS ? value : hole(value, path, holes, taken);
    }
    const runs = isLongList(value) ? Math.floor(value.length / RUN_ITEMS) : 0;
    const end = value
      .slice(runs * RUN_ITEMS)
      .map((item, index) => withoutLarge(item, [...path, index], holes, taken));
    if (runs > 0) holes.push({ path, runs: runsOf(value, runs, taken) });
    return end;
  }
  const entries = Object.entries(value).map(([key, part]) => [
    key,
    // A path through this name would lead to a prototype.
    key === '__proto__' ? part : withoutLarge(part, [...path, key], holes, taken),
  ]);
  return Object.fromEntries(entries);
}

function isLongList(value: readonly unknown[]): boolean {
  return value.length >= 2 * RUN_ITEMS && JSON.stringify(value).length >= LARGE_CHARS;
}

function hole(value: string | readonly number[], path: Path, holes: Hole[], taken: Taken): null {
  const isOctets = typeof value !== 'string' && value.every((item) => isOctet(item));
  const bytes = isOctets
    ? Uint8Array.from(value as readonly number[])
    : encoder.encode(JSON.stringify(value));
  const type = isOctets ? 'octets' : 'json';
  const part = digestOfPiece(type, bytes);
  taken.parts.set(part, { type, bytes });
  holes.push({ path, part });
  return null;
}

function isOctet(value: unknown): boolean {
  // Negative zero is written as another number than zero in some places, and is no octet here.
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255 && !Object.is(value, -0);
}

function runsOf(value: readonly unknown[], runs: number, taken: Taken): StoredList {
  const digests = Array.from({ length: runs }, (_, run) => {
    const items = value.slice(run * RUN_ITEMS, (run + 1) * RUN_ITEMS);
    const bytes = encoder.encode(JSON.stringify(items));
    const digest = digestOfPiece('json', bytes);
    if (!taken.parts.has(digest)) taken.parts.set(digest, cut(items, bytes, taken));
    return digest;
  });
  const { list, added } = growList(digests, []);
  for (const node of added) taken.nodes.set(node.digest, node);
  return list;
}

/** Where the parts of a piece are found again. Both throw when one is missing. */
export interface Parts {
  part(digest: string): Piece;
  /** The digests of a stored list, in order. */
  list(list: StoredList): readonly string[];
}

/** The serialised value with its parts put back, as bytes or as JSON text. */
export function putTogether(piece: Piece, parts: Parts): Uint8Array | string {
  return piece.holes === undefined ? piece.bytes : JSON.stringify(whole(piece, parts));
}

function whole({ type, bytes, holes = [] }: Piece, parts: Parts): unknown {
  if (type === 'octets') return Array.from(bytes);
  let value: unknown = JSON.parse(decoder.decode(bytes));
  for (const hole of holes) {
    value = changedAt(value, hole.path, (end) =>
      'part' in hole
        ? whole(parts.part(hole.part), parts)
        : [
            ...parts.list(hole.runs).flatMap((run) => itemsOf(whole(parts.part(run), parts))),
            ...itemsOf(end),
          ],
    );
  }
  return value;
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The value with another one in the place of what stands at the path; all above it is changed in place. Throws when
 * nothing stands there: then the value is not the one that the path was made for.
 */
export function changedAt(value: unknown, path: Path, change: (found: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (typeof value !== 'object' || value === null || !(key in value)) {
    throw new Error(`IndexedDBSaver: a stored value has no place for the part at "${path.join('.')}".`);
  }
  Reflect.set(value, key, changedAt(Reflect.get(value, key), rest, change));
  return value;
}
