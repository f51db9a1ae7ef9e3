// The neutral message that every rule of the core speaks of, and the source record made from it.
import { sourceIdOf } from './digest.js';
import { PythonFloat, pythonJson } from './json.js';
import { sliceChars, wellFormed } from './text.js';
import { isBlank } from './unicode.js';

/** A tool call as a model made it. `args` keeps the order in which the model wrote its keys. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly id: string | null;
}

/**
 * A conversation message without a framework. Adapters make it from their own message classes; it is plain
 * data and survives a structured clone.
 */
export interface Message {
  /** `human`, `ai`, `tool`, `system`; anything else is carried but never archived. */
  readonly type: string;
  /** Text, or a list of bare strings and typed blocks, as the framework had it. */
  readonly content: unknown;
  readonly id: string | null;
  readonly name: string | null;
  readonly additional_kwargs: Readonly<Record<string, unknown>>;
  readonly tool_calls: readonly ToolCall[];
  /** The call that a tool message answers; null elsewhere. */
  readonly tool_call_id: string | null;
}

export type Role = 'human' | 'ai' | 'tool';

/** `r` and 32 lower-case hex digits: the first 128 bits of the digest of identity and full text. */
export type SourceId = string & { readonly __brand: 'SourceId' };
/** 64 lower-case hex digits: the digest of the scope and the batch's complete records. */
export type BatchId = string & { readonly __brand: 'BatchId' };

/** What is archived and searched of one message. The key order is the stored payload's. */
export interface SourceRecord {
  readonly role: Role;
  readonly message_id: string | null;
  readonly name: string | null;
  /** The first `maxChars` characters of the visible text. */
  readonly text: string;
  readonly id: SourceId;
  /** True when the full text is longer than the cap. The id is made from the full text all the same. */
  readonly truncated: boolean;
}

/**
 * The source record of one message, or null when the message is no source: a system message, a framework's
 * injection, a hidden message that is no human's reply, or one without text.
 *
 * `maxChars` cuts the text only; the id is made from the full text. Never throws: tool arguments that have no
 * JSON (they contain themselves) leave a note in their place.
 */
export function extractRecord(message: Message, maxChars: number): SourceRecord | null {
  const role = message.type;
  if (!isRole(role) || isInjected(message)) return null;
  const text = visibleText(message);
  if (text === '') return null;
  const message_id = message.id === null ? null : wellFormed(message.id);
  const name = message.name === null ? null : wellFormed(message.name);
  const id = sourceIdOf({ message_id, name, role, text });
  const capped = text.length <= maxChars ? text : sliceChars(text, 0, maxChars);
  return { role, message_id, name, text: capped, id, truncated: capped.length < text.length };
}

/** A message that says what a record holds, its tool calls being part of the text. */
export function messageOfRecord({ role, message_id, name, text }: SourceRecord): Message {
  return {
    type: role,
    content: text,
    id: message_id,
    name,
    additional_kwargs: {},
    tool_calls: [],
    tool_call_id: null,
  };
}

/** The records of those messages that are sources, in order. */
export function extractRecords(messages: readonly Message[], maxChars: number): SourceRecord[] {
  return messages.map((message) => extractRecord(message, maxChars)).filter((record) => record !== null);
}

/**
 * What a reader of the conversation saw of a message: its text, then its tool calls as JSON. Nothing is trimmed;
 * lone surrogates are U+FFFD. Blocks that are not exactly of type `text` are left out.
 */
export function visibleText(message: Message): string {
  const text = contentText(message.content);
  if (message.tool_calls.length === 0) return wellFormed(text);
  return wellFormed(`${text}\nTool calls: [${message.tool_calls.map(callJson).join(', ')}]`);
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(blockText)
    .filter((part) => part !== '')
    .join('\n');
}

function blockText(block: unknown): string {
  if (typeof block === 'string') return block;
  if (!isObject(block) || block['type'] !== 'text') return '';
  return typeof block['text'] === 'string' ? block['text'] : '';
}

function callJson({ name, args, id }: ToolCall): string {
  try {
    return pythonJson({ name, args: args ?? null, id });
  } catch (error) {
    // Losing one call's arguments must not lose the message; what is missing stays visible.
    const reason = error instanceof Error ? error.message : String(error);
    return pythonJson({ name, args: `<arguments left out: ${reason}>`, id });
  }
}

/** True for what a user said, or answered to a question card: no framework's injection in the user's role. */
export function isUserMessage(message: Message): boolean {
  return message.type === 'human' && !isInjected(message);
}

/** True for what an application repeats to the model, like the date: it is no part of the conversation's past. */
export function isReminder({ additional_kwargs: marks }: Message): boolean {
  return isTruthy(marks['dynamic_context_reminder']);
}

function isRole(type: string): type is Role {
  return type === 'human' || type === 'ai' || type === 'tool';
}

function isInjected({ type, name, additional_kwargs: marks }: Message): boolean {
  if (isTruthy(marks['deerflow_content_kind']) || isTruthy(marks['dynamic_context_reminder'])) return true;
  if (name?.startsWith('__') === true) return true;
  return (
    isTruthy(marks['hide_from_ui']) && !(type === 'human' && isHumanReply(marks['human_input_response']))
  );
}

/** Truth as Python sees it: empty strings, lists and objects and zeros are false, `"false"` is true. */
function isTruthy(value: unknown): boolean {
  if (typeof value === 'number' && Number.isNaN(value)) return true;
  if (value instanceof PythonFloat) return value.value !== 0;
  if (value instanceof Map || value instanceof Set) return value.size > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** A person's answer to a question card is a source although its message is hidden. */
function isHumanReply(reply: unknown): boolean {
  if (!isObject(reply)) return false;
  const { version, kind, source, request_id, value, response_kind, option_id } = reply;
  const isVersionOne =
    version === 1 ||
    version === true ||
    version === 1n ||
    (version instanceof PythonFloat && version.value === 1);
  return (
    isVersionOne &&
    kind === 'human_input_response' &&
    [source, request_id, value].every(isSaying) &&
    (response_kind === 'text' || (response_kind === 'option' && isSaying(option_id)))
  );
}

const isSaying = (value: unknown): boolean => typeof value === 'string' && !isBlank(value);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
