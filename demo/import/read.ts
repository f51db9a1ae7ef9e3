// Reads a recorded conversation from a file: OpenAI chat messages in any of the wrappings that people keep them in.

import { words } from '../words/index.js';
import type { ImportedConversation, ImportOutcome, ImportProblem, ImportWarning } from './conversation.js';
import { parseJsonText } from './json-text.js';
import { linkCalls } from './link.js';
import { type RawMessage, readMessage } from './message.js';
import { sessionMessages } from './sessions.js';
import { describeValue, isObject } from './value.js';

/** Largest file that is opened, in bytes. A conversation of a thousand long messages is about 4 MB. */
export const FILE_LIMIT_BYTES = 25 * 1024 * 1024;

/** Longest title, in UTF-16 units. */
const TITLE_UNITS = 70;

/** Reads a file that a user chose or dropped. Never throws, and keeps nothing of a file that is wrong anywhere. */
export async function readConversationFile(file: Blob): Promise<ImportOutcome> {
  if (file.size > FILE_LIMIT_BYTES) return refused(tooLarge(file.size));
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch (error) {
    // A folder was dropped, or the file is gone since it was chosen.
    return refused({ kind: 'unreadable', detail: error instanceof Error ? error.message : String(error) });
  }
  const text = decoded(new Uint8Array(bytes));
  return text === null ? refused({ kind: 'not-text' }) : readConversationText(text);
}

/** Reads the text of a file: JSON, or one JSON value a line. */
export function readConversationText(file: string): ImportOutcome {
  const text = file.startsWith('\ufeff') ? file.slice(1) : file;
  // A UTF-16 unit is at least one byte in UTF-8, so most texts need no count.
  if (text.length * 3 > FILE_LIMIT_BYTES) {
    const bytes = new TextEncoder().encode(text).length;
    if (bytes > FILE_LIMIT_BYTES) return refused(tooLarge(bytes));
  }
  if (text.trim() === '') return refused({ kind: 'empty' });
  const json = parseJsonText(text);
  if (!json.ok) return refused({ kind: 'not-json', line: json.line, column: json.column });
  return readConversationValue(json.value);
}

/** Reads JSON that was parsed already. */
export function readConversationValue(value: unknown): ImportOutcome {
  const found = findConversations(value);
  if ('kind' in found) return refused(found);
  const conversations: ImportedConversation[] = [];
  for (const { name, messages } of found) {
    const read = readConversation(messages, found.length > 1 ? name : null);
    if ('kind' in read) return refused(read);
    conversations.push({ ...read, title: titleOf(found.length > 1 ? name : null, read) });
  }
  return { ok: true, conversations };
}

interface Found {
  readonly name: string;
  readonly messages: readonly unknown[];
}

/** The lists of messages that a value holds, at least one; or why it holds none. */
function findConversations(value: unknown): readonly Found[] | ImportProblem {
  if (Array.isArray(value)) {
    if (value.length === 0) return { kind: 'no-messages', conversation: null };
    const session = sessionMessages(value);
    if (session !== null) return [{ name: '', messages: session }];
    const runs = value.map((entry) => (Array.isArray(entry) ? entry : messagesOf(entry)));
    if (runs.every((run) => run === null)) return [{ name: '', messages: value }];
    const at = runs.indexOf(null);
    if (at >= 0) return { kind: 'no-messages', conversation: `${at + 1}` };
    return runs.map((run, index) => ({ name: `${index + 1}`, messages: run ?? [] }));
  }
  if (!isObject(value)) return { kind: 'no-conversation', found: describeValue(value) };
  const own = messagesOf(value);
  if (own !== null) return [{ name: '', messages: own }];
  const conversations = value['conversations'];
  if (Array.isArray(conversations)) return findConversations(conversations);
  if (isObject(conversations)) return namedConversations(conversations);
  // Beside its conversations such an object may hold other things; what has no roles is none.
  const named = Object.entries(value).filter(([, entry]) => messagesOf(entry) !== null || hasRoles(entry));
  if (named.length === 0) return { kind: 'no-conversation', found: describeObject(value) };
  return namedConversations(Object.fromEntries(named));
}

function namedConversations(named: Readonly<Record<string, unknown>>): readonly Found[] | ImportProblem {
  const found: Found[] = [];
  for (const [name, entry] of Object.entries(named)) {
    const messages = Array.isArray(entry) ? entry : messagesOf(entry);
    if (messages === null) return { kind: 'no-messages', conversation: name };
    found.push({ name, messages });
  }
  return found.length > 0 ? found : { kind: 'no-messages', conversation: null };
}

function hasRoles(value: unknown): boolean {
  return Array.isArray(value) && value.some((entry) => isObject(entry) && 'role' in entry);
}

function messagesOf(value: unknown): readonly unknown[] | null {
  if (!isObject(value)) return null;
  const messages = value['messages'] ?? value['traj'];
  return Array.isArray(messages) ? messages : null;
}

function readConversation(
  values: readonly unknown[],
  conversation: string | null,
): Omit<ImportedConversation, 'title'> | ImportProblem {
  const raw: RawMessage[] = [];
  for (const [index, value] of values.entries()) {
    const read = readMessage(value, { conversation, message: index + 1 });
    if (!read.ok) return read.problem;
    raw.push(read.value);
  }
  if (!raw.some(({ role }) => role !== 'system')) return { kind: 'no-messages', conversation };
  const { messages, warnings } = linkCalls(raw);
  return { messages, warnings: [...warnings, ...fieldWarnings(raw), ...systemWarnings(raw)] };
}

function fieldWarnings(raw: readonly RawMessage[]): readonly ImportWarning[] {
  const fields = [...new Set(raw.flatMap(({ leftOut }) => leftOut))];
  return fields.length > 0 ? [{ kind: 'left-out-fields', fields }] : [];
}

function systemWarnings(raw: readonly RawMessage[]): readonly ImportWarning[] {
  const first = raw.findIndex(({ role }) => role !== 'system');
  return raw.flatMap(({ role }, index) =>
    role === 'system' && index > first ? [{ kind: 'late-system-message' as const, message: index + 1 }] : [],
  );
}

function titleOf(name: string | null, { messages }: Pick<ImportedConversation, 'messages'>): string {
  const first =
    messages.find(({ role, content }) => role === 'user' && textOf(content) !== '') ?? messages[0];
  const opening = textOf(first?.content ?? '')
    .replace(/\s+/gu, ' ')
    .trim();
  const cut = opening.length > TITLE_UNITS ? `${opening.slice(0, TITLE_UNITS).trimEnd()}…` : opening;
  return [name, cut === '' ? null : cut.replace(/[\ud800-\udfff]…$/u, '…')]
    .filter((part) => part !== null)
    .join(': ');
}

function textOf(content: ImportedConversation['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (typeof block['text'] === 'string' ? block['text'] : '')).join(' ');
}

function describeObject(value: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(value).slice(0, 5);
  return names.length === 0 ? words.value.emptyObject : words.objectWith(names);
}

/** UTF-8, or UTF-16 with its mark; null when the bytes are neither. */
function decoded(bytes: Uint8Array): string | null {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function tooLarge(bytes: number): ImportProblem {
  return { kind: 'too-large', bytes, limitBytes: FILE_LIMIT_BYTES };
}

function refused(problem: ImportProblem): ImportOutcome {
  return { ok: false, problem };
}
