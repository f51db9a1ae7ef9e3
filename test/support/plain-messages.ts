// Neutral messages for tests of the core, short enough that a conversation fits on a screen.
import type { Message } from '../../src/core/message.js';

function plain(type: string, content: unknown, more: Partial<Message>): Message {
  return {
    type,
    content,
    id: null,
    name: null,
    additional_kwargs: {},
    tool_calls: [],
    tool_call_id: null,
    ...more,
  };
}

export const user = (content: unknown, more: Partial<Message> = {}): Message => plain('human', content, more);
export const assistant = (content: unknown, more: Partial<Message> = {}): Message =>
  plain('ai', content, more);
export const system = (content: string): Message => plain('system', content, {});

/** An assistant's calls of a tool `look`, by their ids. */
export const calls = (...ids: readonly string[]): Message =>
  plain('ai', '', { tool_calls: ids.map((id) => ({ name: 'look', args: {}, id })) });
export const result = (id: string, content = `result of ${id}`): Message =>
  plain('tool', content, { tool_call_id: id, name: 'look' });

/** A call that reads a file, and its result. */
export const reads = (id: string, path: string, content: string, tool = 'read_file'): Message[] => [
  plain('ai', '', { tool_calls: [{ name: tool, args: { path }, id }] }),
  plain('tool', content, { tool_call_id: id, name: tool }),
];
