// A list of digests that shares nearly all of its storage with the list it grew from.
import { sha256HexOfBytes } from '../core/digest.js';

/** Digests in a node. Small, because what fills no node yet is written with every list. */
const FANOUT = 8;
/** A digest: 128 bits of SHA-256, in hex and in bytes. */
export const DIGEST_CHARS = 32;
const DIGEST_BYTES = DIGEST_CHARS / 2;

/**
 * A list as it is stored: like a number written in base eight. Eight digests fill a node, eight nodes the next one;
 * `spine` holds what fills none, the digests first, then the nodes of each level. A list of n digests keeps at most
 * seven of each level itself, and appending to it writes one node in eight times.
 */
export interface StoredList {
  readonly length: number;
  readonly spine: Uint8Array;
}

/** A list in memory: the digests, then the digests of the full nodes of each level. */
export type ListLevels = readonly (readonly string[])[];

export interface ListNode {
  readonly digest: string;
  /** Digests of its children, packed. */
  readonly children: Uint8Array;
}

/** Builds a list over one that it may have grown from, and says which nodes it has beyond that one. */
export function growList(
  digests: readonly string[],
  before: ListLevels,
): { readonly list: StoredList; readonly levels: ListLevels; readonly added: readonly ListNode[] } {
  const levels: (readonly string[])[] = [digests];
  const added: ListNode[] = [];
  const spine: string[] = [];
  let same = commonPrefix(digests, before[0] ?? []);
  for (let items = digests; ; ) {
    const full = Math.floor(items.length / FANOUT);
    spine.push(...items.slice(full * FANOUT));
    if (full === 0) break;
    const nodesBefore = before[levels.length] ?? [];
    same = Math.min(Math.floor(same / FANOUT), nodesBefore.length);
    const nodes = nodesBefore.slice(0, same);
    for (let at = same; at < full; at += 1) {
      const children = pack(items.slice(at * FANOUT, (at + 1) * FANOUT));
      const digest = sha256HexOfBytes(children).slice(0, DIGEST_CHARS);
      nodes.push(digest);
      added.push({ digest, children });
    }
    levels.push(nodes);
    items = nodes;
  }
  return { list: { length: digests.length, spine: pack(spine) }, levels, added };
}

/** Reads a list back, asking for the nodes of one level at a time. Throws when one is missing. */
export async function readList(
  { length, spine }: StoredList,
  nodesOf: (digests: readonly string[]) => Promise<readonly (Uint8Array | undefined)[]>,
): Promise<ListLevels> {
  const own: (readonly string[])[] = [];
  const loose = unpack(spine);
  let at = 0;
  for (let left = length; left > 0; left = Math.floor(left / FANOUT)) {
    own.push(loose.slice(at, at + (left % FANOUT)));
    at += left % FANOUT;
  }
  const levels: (readonly string[])[] = [];
  let nodes: readonly string[] = [];
  for (const items of own.reverse()) {
    const children = await nodesOf(nodes);
    const all = children.flatMap((packed) => {
      if (packed === undefined)
        throw new Error('IndexedDBSaver: a part of a list is missing in the database.');
      return unpack(packed);
    });
    nodes = [...all, ...items];
    levels.unshift(nodes);
  }
  return levels.length === 0 ? [[]] : levels;
}

/** Digests as bytes. */
export function pack(digests: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(digests.length * DIGEST_BYTES);
  for (const [index, digest] of digests.entries()) {
    for (let at = 0; at < DIGEST_BYTES; at += 1) {
      bytes[index * DIGEST_BYTES + at] = Number.parseInt(digest.slice(at * 2, at * 2 + 2), 16);
    }
  }
  return bytes;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function unpack(bytes: Uint8Array): string[] {
  const digests: string[] = [];
  for (let start = 0; start < bytes.length; start += DIGEST_BYTES) {
    let digest = '';
    for (let at = start; at < start + DIGEST_BYTES; at += 1) digest += HEX[bytes[at] ?? 0];
    digests.push(digest);
  }
  return digests;
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at += 1;
  return at;
}
