// LangChain's messages as the core's neutral ones; the same object as long as the message says the same.
import type { BaseMessage } from '@langchain/core/messages';
import type { Message, ToolCall } from '../core/message.js';

interface Converted {
  /** The message's own parts, to see when they change. */
  readonly seen: Message;
  readonly form: Message;
}

const converted = new WeakMap<BaseMessage, Converted>();

/**
 * Forms of messages by id, the latest last: a checkpointer brings every message back as a new object with every
 * run, and what was worked out of its text must not be lost with the old one. Bounded by the texts' size.
 */
const recentById = new Map<string, Message>();
let recentChars = 0;

/** UTF-16 units of text that are remembered across runs. What is prepared for searching takes about five times that. */
const RECENT_CHARS = 8_000_000;

/**
 * The neutral form of a message. The same message gives the same object, also when it comes back from a checkpoint:
 * what the core remembers of a message (digests, folded text) hangs on the result's identity. A message that got
 * its id, name or content later gets a new form.
 *
 * Streamed chunks have the role of their message.
 */
export function toMessage(message: BaseMessage): Message {
  const known = converted.get(message);
  const calls = toolCallsOf(message);
  if (known !== undefined && isUnchanged(known.seen, message, calls)) return known.form;
  const seen: Message = {
    type: message.getType(),
    content: message.content,
    id: message.id ?? null,
    name: message.name ?? null,
    additional_kwargs: message.additional_kwargs ?? {},
    tool_calls: calls,
    tool_call_id: toolCallIdOf(message),
  };
  const form = asRemembered(seen);
  converted.set(message, { seen, form });
  return form;
}

/** The neutral forms of messages, in order. */
export function toMessages(messages: readonly BaseMessage[]): readonly Message[] {
  return messages.map(toMessage);
}

const callsByList = new WeakMap<object, readonly ToolCall[]>();
const NO_CALLS: readonly ToolCall[] = [];

function toolCallsOf(message: BaseMessage): readonly ToolCall[] {
  if (!('tool_calls' in message) || !Array.isArray(message.tool_calls)) return NO_CALLS;
  const list: readonly unknown[] = message.tool_calls;
  const known = callsByList.get(list);
  if (known !== undefined && known.length === list.length) return known;
  const calls = list.filter(isCall).map(({ name, args, id }) => ({ name, args, id: id ?? null }));
  callsByList.set(list, calls);
  return calls;
}

interface LangChainCall {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string | undefined;
}

function isCall(value: unknown): value is LangChainCall {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

function toolCallIdOf(message: BaseMessage): string | null {
  return 'tool_call_id' in message && typeof message.tool_call_id === 'string' ? message.tool_call_id : null;
}

function asRemembered(neutral: Message): Message {
  const { id } = neutral;
  const size = sizeOf(neutral);
  if (id === null || size === null) return neutral;
  const known = recentById.get(id);
  if (known !== undefined) forget(id, known);
  const kept = known !== undefined && isSamePlain(known, neutral) ? known : neutral;
  recentById.set(id, kept);
  recentChars += size;
  for (const [oldId, old] of recentById) {
    if (recentChars <= RECENT_CHARS) break;
    forget(oldId, old);
  }
  return kept;
}

function forget(id: string, message: Message): void {
  recentById.delete(id);
  recentChars -= sizeOf(message) ?? 0;
}

/** Null for a message that would hold more than text alive, like an image. */
function sizeOf({ content, tool_calls: calls }: Message): number | null {
  let size = 0;
  for (const { args } of calls) {
    for (const value of Object.values(Object(args))) size += typeof value === 'string' ? value.length : 0;
  }
  if (typeof content === 'string') return size + content.length;
  if (!Array.isArray(content)) return null;
  for (const part of content) {
    const text: unknown = isTextPart(part) ? part.text : part;
    if (typeof text !== 'string') return null;
    size += text.length;
  }
  return size;
}

function isTextPart(part: unknown): part is { readonly text: unknown } {
  return (
    typeof part === 'object' && part !== null && 'type' in part && part.type === 'text' && 'text' in part
  );
}

/** Equal as JSON, the order of keys included. */
function isSamePlain(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || left === null) return Object.is(left, right);
  if (typeof right !== 'object' || right === null || Array.isArray(left) !== Array.isArray(right))
    return false;
  const entries = Object.entries(left);
  const others = Object.entries(right);
  return (
    entries.length === others.length &&
    entries.every(([key, value], index) => {
      const [otherKey, otherValue] = others[index] ?? [];
      return key === otherKey && isSamePlain(value, otherValue);
    })
  );
}

function isUnchanged(known: Message, message: BaseMessage, calls: readonly ToolCall[]): boolean {
  return (
    known.content === message.content &&
    known.id === (message.id ?? null) &&
    known.name === (message.name ?? null) &&
    known.additional_kwargs === message.additional_kwargs &&
    known.tool_calls === calls
  );
}
