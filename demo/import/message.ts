// Checks and reads one message of a file. Every field is data: only what has the expected type is taken.

import { words } from '../words/index.js';
import {
  type ImportedCall,
  type ImportedContent,
  type ImportedMessage,
  type ImportPlace,
  type ImportProblem,
  INVALID_ARGUMENTS,
} from './conversation.js';
import { describeValue, isObject } from './value.js';

/** A message with what the whole conversation has yet to settle: missing ids, and which call a result answers. */
export interface RawMessage {
  readonly role: ImportedMessage['role'];
  readonly content: ImportedContent;
  readonly name: string | null;
  readonly calls: readonly RawCall[];
  /** Calls that a result names; empty when it names none, and elsewhere. */
  readonly callIds: readonly string[];
  /** Fields of the file that have no place in a conversation. */
  readonly leftOut: readonly string[];
}

export interface RawCall {
  readonly id: string | null;
  readonly name: string;
  readonly args: ImportedCall['args'];
  readonly isValid: boolean;
}

type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: ImportProblem };

const ROLES: Readonly<Record<string, ImportedMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  tool: 'tool',
  function: 'tool',
};

const KNOWN_FIELDS = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'function_call',
  'tool_call_id',
  'tool_call_ids',
  'refusal',
]);

/** One message, or what is wrong with it. */
export function readMessage(value: unknown, at: ImportPlace): Read<RawMessage> {
  if (!isObject(value)) return wrong({ kind: 'not-a-message', at, found: describeValue(value) });
  const written = value['role'];
  if (typeof written !== 'string') return wrong({ kind: 'no-role', at, found: describeValue(written) });
  const role = Object.hasOwn(ROLES, written) ? ROLES[written] : undefined;
  if (role === undefined) return wrong({ kind: 'unknown-role', at, role: written });
  const calls = readCalls(value, role, at);
  if (!calls.ok) return calls;
  const content = readContent(value, role, calls.value.length > 0);
  if (content === null) {
    return wrong({ kind: 'wrong-content', at, role: written, found: describeValue(value['content']) });
  }
  const name = typeof value['name'] === 'string' ? value['name'] : null;
  const leftOut = Object.keys(value).filter((field) => !KNOWN_FIELDS.has(field) && !isBlank(value[field]));
  return {
    ok: true,
    value: { role, content, name, calls: calls.value, callIds: callIdsOf(value, role), leftOut },
  };
}

/** Null when the content has a type that no message has. */
function readContent(
  value: Readonly<Record<string, unknown>>,
  role: ImportedMessage['role'],
  hasCalls: boolean,
): ImportedContent | null {
  const content = value['content'];
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) {
    if (role !== 'assistant') return null;
    if (typeof value['refusal'] === 'string') return value['refusal'];
    // Null is how a message is written that only calls tools.
    return hasCalls || content === null ? '' : null;
  }
  if (!Array.isArray(content)) return null;
  const blocks: { type: string; [field: string]: unknown }[] = [];
  for (const block of content) {
    if (typeof block === 'string') blocks.push({ type: 'text', text: block });
    else if (isObject(block) && typeof block['type'] === 'string') {
      if (block['type'] === 'text' && typeof block['text'] !== 'string') return null;
      blocks.push({ ...block, type: block['type'] });
    } else return null;
  }
  const texts = blocks.map((block) => (block.type === 'text' ? block['text'] : null));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : blocks;
}

function readCalls(
  value: Readonly<Record<string, unknown>>,
  role: ImportedMessage['role'],
  at: ImportPlace,
): Read<readonly RawCall[]> {
  if (role !== 'assistant') return { ok: true, value: [] };
  const written = value['tool_calls'] ?? [];
  if (!Array.isArray(written))
    return wrong({ kind: 'wrong-call', at, found: words.callsAre(describeValue(written)) });
  const legacy = value['function_call'];
  const list: readonly unknown[] = isObject(legacy) ? [...written, { function: legacy }] : written;
  const calls: RawCall[] = [];
  for (const [index, entry] of list.entries()) {
    const call = readCall(entry, index + 1);
    if (typeof call === 'string') return wrong({ kind: 'wrong-call', at, found: call });
    calls.push(call);
  }
  return { ok: true, value: calls };
}

/** A call, or what is wrong with it; `number` counts from 1. */
function readCall(entry: unknown, number: number): RawCall | string {
  if (!isObject(entry)) return words.callIs(number, describeValue(entry));
  // OpenAI nests name and arguments; LangChain has `name` and `args` beside the id.
  const described = isObject(entry['function']) ? entry['function'] : entry;
  const name = described['name'];
  if (typeof name !== 'string' || name === '') return words.callUnnamed(number);
  const id = typeof entry['id'] === 'string' && entry['id'] !== '' ? entry['id'] : null;
  const written = described['arguments'] ?? described['args'] ?? {};
  if (isObject(written)) return { id, name, args: written, isValid: true };
  if (typeof written !== 'string') return words.callArguments(number, describeValue(written));
  if (written.trim() === '') return { id, name, args: {}, isValid: true };
  const args = objectOf(written);
  return args === null
    ? { id, name, args: { [INVALID_ARGUMENTS]: written }, isValid: false }
    : { id, name, args, isValid: true };
}

function callIdsOf(
  value: Readonly<Record<string, unknown>>,
  role: ImportedMessage['role'],
): readonly string[] {
  if (role !== 'tool') return [];
  const one = value['tool_call_id'];
  if (typeof one === 'string' && one !== '') return [one];
  const several = value['tool_call_ids'];
  return Array.isArray(several)
    ? several.filter((id): id is string => typeof id === 'string' && id !== '')
    : [];
}

function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isBlank(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function wrong(problem: ImportProblem): { ok: false; problem: ImportProblem } {
  return { ok: false, problem };
}
