// The summarization vectors' own measures: the reference's token estimate and its way to write sizes.

import type { Message } from '../../src/core/message.js';
import type { ContextSize } from '../../src/core/partition.js';
import type { CountTokens } from '../../src/core/tokens.js';

/** A vector's message: absent means null or empty. */
export function aMessage(given: Partial<Message>): Message {
  return {
    type: given.type ?? '',
    content: given.content ?? null,
    id: given.id ?? null,
    name: given.name ?? null,
    additional_kwargs: given.additional_kwargs ?? {},
    tool_calls: given.tool_calls ?? [],
    tool_call_id: given.tool_call_id ?? null,
  };
}

export const messagesOf = (input: Readonly<Record<string, unknown>>): readonly Message[] =>
  (input['messages'] as Partial<Message>[]).map(aMessage);

const ROLES: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
]);

/** SPEC 13's estimate for plain text: ceil(characters / 4) + 3 a message, calls as Python prints them. */
export const referenceCount: CountTokens = (messages) =>
  messages.reduce((sum, message) => {
    const { type, content, name, tool_call_id: call, tool_calls: calls } = message;
    let chars = [...String(content)].length + (ROLES.get(type) ?? type).length;
    if (type === 'ai' && calls.length > 0) chars += printed(calls.map(withType)).length;
    if (type === 'tool') chars += (call ?? '').length;
    return sum + Math.ceil((chars + (name ?? '').length) / 4) + 3;
  }, 0);

const withType = ({ name, args, id }: Message['tool_calls'][number]) => ({
  name,
  args,
  id,
  type: 'tool_call',
});

/** Python's `repr` of what the vectors' calls hold: strings without quotes, lists and mappings. */
function printed(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, part]) => `'${key}': ${printed(part)}`)
    .join(', ')}}`;
}

/** A size or a list of them, as `[type, value]`; null is none. */
export function sizesOf(value: unknown): readonly ContextSize[] {
  if (value === null || value === undefined) return [];
  const list = value as readonly unknown[];
  const sizes = (Array.isArray(list[0]) ? list : [list]) as readonly [ContextSize['type'], number][];
  return sizes.map(([type, value]) => ({ type, value }));
}
