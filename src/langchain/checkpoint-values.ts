// From values of channels and writes to what is stored of them, and back. Messages are stored apart, once a thread.
import { BaseMessage } from '@langchain/core/messages';
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';
import { sha256Hex } from '../core/digest.js';

/** A value as the serializer wrote it. */
export interface Dumped {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A value taken apart: all of it, or the messages that it is made of. */
export type TakenApart =
  | { readonly kind: 'value'; readonly dumped: Dumped }
  | { readonly kind: 'message'; readonly digest: string }
  | { readonly kind: 'list'; readonly digests: readonly string[] };

/** A message to be stored under its digest. */
export interface StoredMessage {
  readonly digest: string;
  readonly dumped: Dumped;
}

/** Remembers what was already stored of a thread's messages, so that none is serialised twice. */
export class MessageMemory {
  readonly #known = new WeakMap<BaseMessage, Known>();

  /** The digest of a message that this thread is known to hold, unless the message has changed since. */
  find(thread: string, message: BaseMessage): string | undefined {
    const known = this.#known.get(message);
    return known?.thread === thread && isUnchanged(known, message) ? known.digest : undefined;
  }

  remember(thread: string, message: BaseMessage, digest: string): void {
    this.#known.set(message, { thread, digest, ...partsOf(message) });
  }
}

interface Known extends ReturnType<typeof partsOf> {
  readonly thread: string;
  readonly digest: string;
}

function partsOf(message: BaseMessage) {
  return {
    content: message.content,
    id: message.id,
    name: message.name,
    kwargs: message.additional_kwargs,
    metadata: message.response_metadata,
    calls: 'tool_calls' in message ? message.tool_calls : undefined,
  };
}

function isUnchanged(known: Known, message: BaseMessage): boolean {
  const now = partsOf(message);
  return (
    known.content === now.content &&
    known.id === now.id &&
    known.name === now.name &&
    known.kwargs === now.kwargs &&
    known.metadata === now.metadata &&
    known.calls === now.calls
  );
}

/** Takes values of one thread apart; the messages that are new to it gather in `fresh`. */
export class TakingApart {
  readonly fresh = new Map<string, { readonly message: BaseMessage; readonly dumped: Dumped }>();
  readonly #serde: SerializerProtocol;
  readonly #memory: MessageMemory;
  readonly #thread: string;

  constructor(serde: SerializerProtocol, memory: MessageMemory, thread: string) {
    this.#serde = serde;
    this.#memory = memory;
    this.#thread = thread;
  }

  async value(value: unknown): Promise<TakenApart> {
    if (BaseMessage.isInstance(value)) return { kind: 'message', digest: await this.#digest(value) };
    if (!isMessageList(value)) return { kind: 'value', dumped: await dump(this.#serde, value) };
    const digests: string[] = [];
    for (const message of value)
      digests.push(this.#memory.find(this.#thread, message) ?? (await this.#digest(message)));
    return { kind: 'list', digests };
  }

  async #digest(message: BaseMessage): Promise<string> {
    const known = this.#memory.find(this.#thread, message);
    if (known !== undefined) return known;
    const dumped = await dump(this.#serde, message);
    const digest = sha256Hex(`${dumped.type} ${new TextDecoder().decode(dumped.bytes)}`).slice(0, 32);
    this.fresh.set(digest, { message, dumped });
    return digest;
  }

  /** To be called once the messages are stored. */
  remember(): void {
    for (const [digest, { message }] of this.fresh) this.#memory.remember(this.#thread, message, digest);
  }
}

export async function dump(serde: SerializerProtocol, value: unknown): Promise<Dumped> {
  const [type, bytes] = await serde.dumpsTyped(value);
  return { type, bytes };
}

export async function load(serde: SerializerProtocol, { type, bytes }: Dumped): Promise<unknown> {
  return serde.loadsTyped(type, bytes);
}

function isMessageList(value: unknown): value is readonly BaseMessage[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => BaseMessage.isInstance(one));
}
