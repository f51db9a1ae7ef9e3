// Stub history tools over a list of messages, ranked as the product ranks: what the model's tests search in.
import type { BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { excerptOf } from '../../src/core/excerpt.js';
import { SEARCH_HITS } from '../../src/core/limits.js';
import { matchText, searchableText } from '../../src/core/match.js';
import { parseQuery } from '../../src/core/query.js';
import { scoreCandidates, statisticsOf } from '../../src/core/rank.js';
import { sliceChars } from '../../src/core/text.js';

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

const ROLES: ReadonlyMap<string, Said['role']> = new Map([
  ['user', 'human'],
  ['assistant', 'ai'],
  ['tool', 'tool'],
]);

/** Hits as the product ranks and cuts them. */
export function hitsOf(said: readonly Said[], text: string, role: string | null = null) {
  const query = parseQuery(text);
  const prepared = said.map((message) => matchText(searchableText(message.text), query));
  const none = { counts: query.terms.map(() => 0), words: 0 };
  const statistics = statisticsOf(
    prepared.map((match) => match ?? none),
    query.terms.length,
  );
  const isAsked = (position: number) => role === null || said[position]?.role === ROLES.get(role);
  const found = prepared.flatMap((match, position) =>
    match === null || !isAsked(position) ? [] : [{ ...match, position }],
  );
  const scores = scoreCandidates(found, statistics, query);
  return found
    .map(({ position }, index) => ({ position, score: scores[index] ?? 0 }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, SEARCH_HITS)
    .flatMap(({ position }) => {
      const message = said[position];
      return message === undefined
        ? []
        : [
            {
              role: message.role,
              message_id: `m${position}`,
              name: message.name ?? null,
              id: idAt(position),
              truncated: false,
              ...excerptOf(message.text, query, 'token'),
              origin: 'archive',
            },
          ];
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
    (args) =>
      log('history_search', args, () => ({
        results: hitsOf(said, args.query, args.role ?? null),
        status: 'available',
      })),
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
