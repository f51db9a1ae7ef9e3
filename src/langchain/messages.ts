// LangChain's messages as the core's neutral ones; the same object as long as the message does not change.
import type { BaseMessage } from '@langchain/core/messages';
import type { Message, ToolCall } from '../core/message.js';

const converted = new WeakMap<BaseMessage, Message>();

/**
 * The neutral form of a message, made once per message object: what the core remembers of a message (digests,
 * folded text) hangs on the result's identity. A message that got its id, name or content later gets a new form.
 *
 * Streamed chunks have the role of their message.
 */
export function toMessage(message: BaseMessage): Message {
  const known = converted.get(message);
  const calls = toolCallsOf(message);
  if (known !== undefined && isSame(known, message, calls)) return known;
  const neutral: Message = {
    type: message.getType(),
    content: message.content,
    id: message.id ?? null,
    name: message.name ?? null,
    additional_kwargs: message.additional_kwargs ?? {},
    tool_calls: calls,
    tool_call_id: toolCallIdOf(message),
  };
  converted.set(message, neutral);
  return neutral;
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

function isSame(known: Message, message: BaseMessage, calls: readonly ToolCall[]): boolean {
  return (
    known.content === message.content &&
    known.id === (message.id ?? null) &&
    known.name === (message.name ?? null) &&
    known.additional_kwargs === message.additional_kwargs &&
    known.tool_calls === calls
  );
}
