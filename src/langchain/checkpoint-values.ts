// From values of channels and writes to what is stored of them, and back.
import { BaseMessage } from '@langchain/core/messages';
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';
import { createBreathe } from '../breathe.js';
import { growList, type ListNode, type StoredList } from './checkpoint-list.js';
import {
  type CheckpointMemory,
  isPlain,
  isUnchanged,
  type KnownList,
  type KnownObject,
  snapshotOf,
  type ThreadMemory,
} from './checkpoint-memory.js';
import {
  changedAt,
  digestOfPiece,
  type Parts,
  type Path,
  type Piece,
  putTogether,
  takeApart,
} from './checkpoint-pieces.js';

/** A value with as many fields is stored apart: what a step sends to its tasks is a copy of the whole state. */
const LARGE_FIELDS = 48;
/** How deep messages are looked for: a list of things sent, their arguments, a channel's value in them. */
const SEARCH_DEPTH = 5;

/** Where something was taken out of a value before it was serialised. */
export type LiveHole =
  | { readonly path: Path; readonly message: string }
  | { readonly path: Path; readonly messages: StoredList }
  | { readonly path: Path; readonly value: string };

/** A value in the database, with null where a message, a list of messages or something large was taken out. */
export interface StoredValue extends Piece {
  readonly live?: readonly LiveHole[];
}

/** A value's row: of a list of messages alone only the list, of null nothing; else, and in older rows, all of it. */
export type ValueRow = StoredValue | StoredList | undefined;

const NULL: StoredValue = { type: 'json', bytes: new TextEncoder().encode('null') };

/** Most values are short, and there are several in every checkpoint: what goes without saying is not stored. */
export function toRow(value: StoredValue): ValueRow {
  const [hole, ...others] = value.live ?? [];
  if (hole !== undefined) {
    const isAlone = 'messages' in hole && hole.path.length === 0 && others.length === 0;
    return isAlone ? hole.messages : value;
  }
  const isNull = value.type === 'json' && value.bytes.length === 4 && value.bytes[0] === NULL.bytes[0];
  return isNull && value.holes === undefined ? undefined : value;
}

export function fromRow(row: ValueRow): StoredValue {
  if (row === undefined) return NULL;
  return 'spine' in row ? { ...NULL, live: [{ path: [], messages: row }] } : row;
}

/** Takes values of one thread apart, for one transaction; gathers what the thread does not hold yet. */
export class Taking {
  readonly messages = new Map<string, Piece>();
  readonly parts = new Map<string, Piece>();
  readonly nodes = new Map<string, ListNode>();
  readonly #lists = new Map<string, KnownList>();
  readonly #objects = new Map<object, KnownObject>();
  readonly #serde: SerializerProtocol;
  readonly #memory: CheckpointMemory;
  readonly #thread: ThreadMemory;
  readonly #namespace: string;

  constructor(serde: SerializerProtocol, memory: CheckpointMemory, thread: ThreadMemory, namespace: string) {
    this.#serde = serde;
    this.#memory = memory;
    this.#thread = thread;
    this.#namespace = namespace;
  }

  /** What is stored of a value. Lists of messages grow from the last one of the same name. */
  async value(name: string, value: unknown): Promise<StoredValue> {
    const live: LiveHole[] = [];
    const shell = await this.#shell(value, [], name, live);
    const [type, bytes] = await this.#serde.dumpsTyped(shell);
    const piece = takeApart(type, bytes, this);
    return live.length === 0 ? piece : { ...piece, live };
  }

  /** To be called once everything gathered is stored. */
  remember(): void {
    for (const digest of [...this.messages.keys(), ...this.parts.keys(), ...this.nodes.keys()]) {
      this.#thread.add(digest);
    }
    for (const [object, known] of this.#objects) this.#memory.remember(this.#thread, object, known);
    for (const [name, list] of this.#lists) this.#thread.setList(name, list);
  }

  async #shell(value: unknown, path: Path, name: string, live: LiveHole[]): Promise<unknown> {
    if (typeof value !== 'object' || value === null) return value;
    if (BaseMessage.isInstance(value)) {
      live.push({ path, message: (await this.#stored(value, this.messages)).digest });
      return null;
    }
    const before = this.#before(name);
    if (isMessageList(value, before)) {
      live.push({ path, messages: await this.#list(name, value, before) });
      return null;
    }
    if (path.length >= SEARCH_DEPTH || !isSearched(value)) return value;
    const snapshot = snapshotOf(value);
    if (snapshot !== null) {
      if (snapshot.fields.length < 3 * LARGE_FIELDS) return value;
      live.push({ path, value: (await this.#stored(value, this.parts)).digest });
      return null;
    }
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const [at, item] of value.entries()) {
        items.push(await this.#shell(item, [...path, at], name, live));
      }
      return items;
    }
    const copy: object = Object.create(Object.getPrototypeOf(value));
    for (const [key, part] of Object.entries(value)) {
      const inner = key === '__proto__' ? part : await this.#shell(part, [...path, key], key, live);
      Object.defineProperty(copy, key, {
        value: inner,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
    return copy;
  }

  /** The last list of this name, of this transaction or an earlier one. */
  #before(key: string): KnownList {
    const name = listName(this.#namespace, key);
    return this.#lists.get(name) ?? this.#thread.list(name);
  }

  async #list(key: string, messages: readonly BaseMessage[], before: KnownList): Promise<StoredList> {
    const known: KnownObject[] = [];
    const breathe = createBreathe();
    for (const [at, message] of messages.entries()) {
      const last = message === before.messages[at] ? before.known[at] : undefined;
      // Without `await` and without a look at the clock for what is known, a long list stays within one task.
      if (last !== undefined && isUnchanged(last.snapshot)) {
        known.push(last);
        continue;
      }
      known.push(this.#known(message) ?? (await this.#stored(message, this.messages)));
      // A recording of thousands of messages comes in one write.
      const turn = breathe();
      if (turn !== undefined) await turn;
    }
    const digests = known.map(({ digest }) => digest);
    const { list, levels, added } = growList(digests, before.levels);
    for (const node of added) if (!this.#thread.has(node.digest)) this.nodes.set(node.digest, node);
    this.#lists.set(listName(this.#namespace, key), { levels, messages: [...messages], known });
    return list;
  }

  #known(value: object): KnownObject | undefined {
    return this.#objects.get(value) ?? this.#memory.find(this.#thread, value);
  }

  async #stored(value: object, gathered: Map<string, Piece>): Promise<KnownObject> {
    const known = this.#known(value);
    if (known !== undefined) return known;
    const snapshot = snapshotOf(value);
    const [type, bytes] = await this.#serde.dumpsTyped(value);
    const digest = digestOfPiece(type, bytes);
    this.#objects.set(value, { digest, snapshot });
    if (!this.#thread.has(digest) && !gathered.has(digest))
      gathered.set(digest, takeApart(type, bytes, this));
    return { digest, snapshot };
  }
}

/** How many messages a value is that is a list of them; 0 for any other. */
export function lengthOf({ live = [] }: StoredValue): number {
  const [hole] = live;
  return hole !== undefined && 'messages' in hole && hole.path.length === 0 ? hole.messages.length : 0;
}

/** What a list is remembered by: the copy in a thing sent has the name of the channel that it was copied from. */
export function listName(namespace: string, key: string): string {
  return JSON.stringify([namespace, key]);
}

/** Objects in which messages are looked for: those without a class, and LangGraph's own envelopes. */
function isSearched(value: object): boolean {
  if ('toJSON' in value && Object.hasOwn(value, 'toJSON')) return false;
  const envelope: unknown = Reflect.get(value, 'lg_name');
  return isPlain(value) || envelope === 'Send' || envelope === 'DeltaSnapshot';
}

/** A list of messages alone. What stood at the same place of the last list need not be looked at again. */
function isMessageList(value: object, { messages }: KnownList): value is readonly BaseMessage[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((one, at) => one === messages[at] || BaseMessage.isInstance(one));
}

/** Everything that stored values of a thread refer to. Its methods throw when it is missing. */
export interface Gathered extends Parts {
  message(digest: string): Piece;
}

/** Loads values; each message is made once, so values loaded together share them. */
export class Loading {
  /** Messages by digest. */
  readonly loaded = new Map<string, unknown>();
  readonly #serde: SerializerProtocol;

  constructor(serde: SerializerProtocol) {
    this.#serde = serde;
  }

  async value(stored: StoredValue, gathered: Gathered): Promise<unknown> {
    let value = await this.#piece(stored, gathered);
    for (const hole of stored.live ?? []) {
      const taken = await this.#taken(hole, gathered);
      value = changedAt(value, hole.path, () => taken);
    }
    return value;
  }

  async #taken(hole: LiveHole, gathered: Gathered): Promise<unknown> {
    if ('value' in hole) return this.#piece(gathered.part(hole.value), gathered);
    if ('message' in hole) return this.#message(hole.message, gathered);
    const messages: unknown[] = [];
    const breathe = createBreathe();
    for (const digest of gathered.list(hole.messages)) {
      messages.push(this.loaded.get(digest) ?? (await this.#message(digest, gathered)));
      const turn = breathe();
      if (turn !== undefined) await turn;
    }
    return messages;
  }

  async #message(digest: string, gathered: Gathered): Promise<unknown> {
    const known = this.loaded.get(digest);
    if (known !== undefined) return known;
    const message = await this.#piece(gathered.message(digest), gathered);
    this.loaded.set(digest, message);
    return message;
  }

  #piece(piece: Piece, gathered: Gathered): Promise<unknown> {
    return this.#serde.loadsTyped(piece.type, putTogether(piece, gathered));
  }
}
