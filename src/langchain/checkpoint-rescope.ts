// References to an archive, made those of another thread: a batch's name is made of the thread that it belongs to.
import type { BatchId } from '../core/message.js';
import { readList, type StoredList } from './checkpoint-list.js';
import {
  digestOfPiece,
  type Parts,
  type Piece,
  putTogether,
  type Taken,
  takeApart,
} from './checkpoint-pieces.js';
import type { WriteRow } from './checkpoint-rows.js';
import type { TransferRow } from './checkpoint-transfer.js';
import { fromRow, type LiveHole, type StoredValue, toRow, type ValueRow } from './checkpoint-values.js';

export interface Rescoping {
  /** Digests of the two threads. */
  readonly from: string;
  readonly to: string;
  /** What the batches are called now. Batches that are not named here are in no archive. */
  readonly batches: ReadonlyMap<BatchId, BatchId>;
}

/**
 * The rows with every reference to the archive changed, in channels, in what tasks wrote and in what they were sent.
 * Messages stay word for word. Throws when a part of a value is missing.
 */
export async function rescopeRows(
  rows: readonly TransferRow[],
  rescoping: Rescoping,
): Promise<readonly TransferRow[]> {
  const values = new RescopedValues(rows, rescoping);
  const changed: TransferRow[] = [];
  for (const [key, row] of rows) {
    if (key[0] === 'blob') changed.push([key, toRow(await values.value(fromRow(row as ValueRow)))]);
    else if (key[0] === 'write') {
      const write = row as WriteRow;
      if (write.value === undefined) changed.push([key, write]);
      else changed.push([key, { ...write, value: toRow(await values.value(fromRow(write.value))) }]);
    } else changed.push([key, row]);
  }
  return [...changed, ...values.added()];
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

class RescopedValues {
  readonly #taken: Taken = { parts: new Map(), nodes: new Map() };
  readonly #parts: ReadonlyMap<string, Piece>;
  readonly #nodes: ReadonlyMap<string, Uint8Array>;
  readonly #rescoping: Rescoping;
  /** Parts that do not name the former thread, nor does one within them. */
  readonly #silent = new Set<string>();
  /** What became of parts that are values of their own. */
  readonly #changed = new Map<string, string>();

  constructor(rows: readonly TransferRow[], rescoping: Rescoping) {
    this.#rescoping = rescoping;
    const ofKind = <T>(kind: string) =>
      new Map(rows.flatMap(([key, row]) => (key[0] === kind ? [[String(key[1]), row as T] as const] : [])));
    this.#parts = ofKind<Piece>('part');
    this.#nodes = ofKind<Uint8Array>('node');
  }

  async value(value: StoredValue): Promise<StoredValue> {
    const piece = await this.#piece(value);
    if (value.live === undefined) return piece;
    const live: LiveHole[] = [];
    for (const hole of value.live) {
      live.push('value' in hole ? { ...hole, value: await this.#part(hole.value) } : hole);
    }
    return { ...piece, live };
  }

  /** Rows of parts and nodes that came into being. */
  added(): readonly TransferRow[] {
    const parts = [...this.#taken.parts].map(([digest, piece]): TransferRow => [['part', digest], piece]);
    const nodes = [...this.#taken.nodes.values()].map(
      ({ digest, children }): TransferRow => [['node', digest], children],
    );
    return [...parts, ...nodes];
  }

  async #part(digest: string): Promise<string> {
    const known = this.#changed.get(digest);
    if (known !== undefined) return known;
    const part = this.#partOf(digest);
    const bytes = await this.#rescoped(part);
    const changed = bytes === null ? digest : digestOfPiece('json', bytes);
    if (bytes !== null) this.#taken.parts.set(changed, takeApart('json', bytes, this.#taken));
    this.#changed.set(digest, changed);
    return changed;
  }

  async #piece(piece: Piece): Promise<Piece> {
    const bytes = await this.#rescoped(piece);
    return bytes === null ? piece : takeApart('json', bytes, this.#taken);
  }

  /** The whole value with its references changed, as JSON; null when it has none. */
  async #rescoped(piece: Piece): Promise<Uint8Array | null> {
    const lists = new Map<StoredList, readonly string[]>();
    if (piece.type !== 'json' || !(await this.#isMentioned(piece, lists))) return null;
    const parts: Parts = {
      part: (digest) => this.#partOf(digest),
      list: (list) => lists.get(list) ?? [],
    };
    const whole = putTogether(piece, parts);
    const value: unknown = JSON.parse(typeof whole === 'string' ? whole : decoder.decode(whole));
    return encoder.encode(JSON.stringify(this.#changedValue(value)));
  }

  async #isMentioned(piece: Piece, lists: Map<StoredList, readonly string[]>): Promise<boolean> {
    let isMentioned = decoder.decode(piece.bytes).includes(this.#rescoping.from);
    for (const hole of piece.holes ?? []) {
      const digests = 'part' in hole ? [hole.part] : await this.#list(hole.runs, lists);
      for (const digest of digests) {
        const part = this.#partOf(digest);
        // What has parts of its own is gone through each time: its lists are wanted with those around it.
        if (part.holes === undefined && this.#silent.has(digest)) continue;
        if (await this.#isMentioned(part, lists)) isMentioned = true;
        else this.#silent.add(digest);
      }
    }
    return isMentioned;
  }

  async #list(list: StoredList, lists: Map<StoredList, readonly string[]>): Promise<readonly string[]> {
    const [digests = []] = await readList(list, async (nodes) => nodes.map((node) => this.#nodes.get(node)));
    lists.set(list, digests);
    return digests;
  }

  #partOf(digest: string): Piece {
    const part = this.#parts.get(digest);
    if (part === undefined) throw new Error('A part of a value is missing in the thread.');
    return part;
  }

  #changedValue(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#changedValue(item));
    const { from, to, batches } = this.#rescoping;
    const isHistory = Reflect.get(value, 'scope') === from && Array.isArray(Reflect.get(value, 'batches'));
    const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
      if (!isHistory) return [key, this.#changedValue(part)];
      if (key === 'scope') return [key, to];
      return [key, key === 'batches' ? part.map((id: BatchId) => batches.get(id) ?? id) : part];
    });
    return Object.fromEntries(entries);
  }
}
