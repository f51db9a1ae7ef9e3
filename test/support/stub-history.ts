// Stub history tools over a list of messages, ranked as the product ranks: what the model's tests search in.
import type { BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { excerptOf } from '../../src/core/excerpt.js';
import { READ_PAGE_CHARS, SEARCH_HITS } from '../../src/core/limits.js';
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

const SCHEMAS = {
  task_note: z.object({
    key: z.string(),
    content: z.string(),
    source_ids: z.array(z.string()).default([]),
  }),
  history_search: z.object({ query: z.string(), role: z.string().nullish() }),
  history_read: z.object({ source_id: z.string(), offset: z.number().default(0) }),
};

/** What each tool answers about what was said. */
function answersAbout(said: readonly Said[]) {
  return {
    task_note: (args: unknown) => ({
      key: SCHEMAS.task_note.parse(args).key,
      status: 'saved',
      cited: true,
    }),
    history_search: (args: unknown) => {
      const { query, role } = SCHEMAS.history_search.parse(args);
      return { results: hitsOf(said, query, role ?? null), status: 'available' };
    },
    history_read: (args: unknown) => {
      const { source_id, offset } = SCHEMAS.history_read.parse(args);
      const position = said.findIndex((_, index) => idAt(index) === source_id);
      const message = said[position];
      if (message === undefined) return { error: 'source_unavailable', status: 'available' };
      return {
        role: message.role,
        message_id: `m${position}`,
        name: message.name ?? null,
        text: sliceChars(message.text, offset, offset + READ_PAGE_CHARS),
        id: source_id,
        truncated: false,
        next_offset: null,
        status: 'available',
        origin: 'archive',
      };
    },
  };
}

/** The tools, a log of what they were called with, and a way to run them without an agent. */
export function historyTools(said: readonly Said[]) {
  const calls: { name: string; args: unknown }[] = [];
  const answers = answersAbout(said);
  const run = (name: keyof typeof SCHEMAS, args: unknown): string => {
    calls.push({ name, args });
    return JSON.stringify(answers[name](args));
  };
  const made = (name: keyof typeof SCHEMAS) =>
    tool((args: unknown) => run(name, args), { name, description: name, schema: SCHEMAS[name] });
  return { tools: [made('task_note'), made('history_search'), made('history_read')], calls, run };
}
