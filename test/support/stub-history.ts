// Stub history tools over a list of messages, ranked by simple word overlap: what the model's tests search in.
import type { BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { sliceChars } from '../../src/core/text.js';
import { wordKeys } from '../../src/offline-model/words.js';

/** The text of LangChain messages, for the stub tools to search in. */
export function saidIn(messages: readonly BaseMessage[]): Said[] {
  return messages.map(({ type, text, name }) => ({
    role: type === 'human' ? 'human' : type === 'tool' ? 'tool' : 'ai',
    text,
    ...(name === undefined ? {} : { name }),
  }));
}

export interface Said {
  readonly role: 'human' | 'ai' | 'tool';
  readonly text: string;
  readonly name?: string;
}

/** The source id of the message at a position. */
export function idAt(position: number): string {
  return `r${position.toString(16).padStart(32, '0')}`;
}

/** Eight hits by how many words of the query a message holds, an excerpt of 600 characters around the first. */
export function hitsOf(said: readonly Said[], query: string) {
  const keys = wordKeys(query);
  return said
    .map((message, position) => ({
      message,
      position,
      shared: [...wordKeys(message.text)].filter((key) => keys.has(key)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .toSorted((left, right) => right.shared - left.shared)
    .slice(0, 8)
    .map(({ message, position }) => {
      const [first = ''] = query
        .split(' ')
        .filter((word) => message.text.toLowerCase().includes(word.toLowerCase()));
      const start = Math.max(0, message.text.toLowerCase().indexOf(first.toLowerCase()) - 300);
      const excerpt = sliceChars(message.text, start, start + 600);
      return {
        role: message.role,
        message_id: `m${position}`,
        name: message.name ?? null,
        id: idAt(position),
        truncated: false,
        excerpt,
        excerpt_start: start,
        excerpt_end: start + excerpt.length,
        excerpt_match: true,
        origin: 'archive',
      };
    });
}

/** The three tools, and a log of what they were called with. */
export function historyTools(
  said: readonly Said[],
  answers: Partial<Record<string, (call: number) => string>> = {},
) {
  const calls: { name: string; args: Readonly<Record<string, unknown>> }[] = [];
  const log = (name: string, args: Readonly<Record<string, unknown>>, usual: () => unknown) => {
    const before = calls.filter((call) => call.name === name).length;
    calls.push({ name, args });
    return answers[name]?.(before) ?? JSON.stringify(usual());
  };
  const search = tool(
    (args) => log('history_search', args, () => ({ results: hitsOf(said, args.query), status: 'available' })),
    {
      name: 'history_search',
      description: 'search',
      schema: z.object({ query: z.string(), role: z.string().nullish() }),
    },
  );
  const read = tool(
    (args) =>
      log('history_read', args, () => {
        const position = said.findIndex((_, index) => idAt(index) === args.source_id);
        const message = said[position];
        if (message === undefined) return { error: 'source_unavailable', status: 'available' };
        const text = sliceChars(message.text, args.offset, args.offset + 4_000);
        return {
          role: message.role,
          message_id: `m${position}`,
          name: message.name ?? null,
          text,
          id: args.source_id,
          truncated: false,
          next_offset: null,
          status: 'available',
          origin: 'archive',
        };
      }),
    {
      name: 'history_read',
      description: 'read',
      schema: z.object({ source_id: z.string(), offset: z.number().default(0) }),
    },
  );
  const note = tool(
    (args) => log('task_note', args, () => ({ key: args.key, status: 'saved', cited: true })),
    {
      name: 'task_note',
      description: 'note',
      schema: z.object({ key: z.string(), content: z.string(), source_ids: z.array(z.string()).default([]) }),
    },
  );
  return { tools: [note, search, read], calls };
}
