// How often a search finds the evidence for a question in real conversations, through the archive as agents use it.
import { readFileSync } from 'node:fs';
import { createContinuity } from '../../src/continuity.js';
import { QUERY_CHARS, QUERY_TERMS, SEARCH_HITS } from '../../src/core/limits.js';
import type { Message } from '../../src/core/message.js';
import { sliceChars } from '../../src/core/text.js';
import { referenceTerms } from '../../src/core/tokenize.js';
import { memoryArchive } from '../../worker/memory.js';
import { loadSqlite } from '../../worker/sqlite.js';
import { message } from '../support/memory-archives.js';

export interface Conversation {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly questions: readonly { readonly query: string; readonly evidence: readonly number[] }[];
}

/** A way to search one conversation: answers with the positions of messages, best first, at most eight. */
export type Route = (conversation: Conversation) => Promise<(query: string) => Promise<readonly number[]>>;

export interface RecallFigures {
  readonly questions: number;
  /** Share of questions with evidence among the first 1, 3 and 8. */
  readonly hitAt: Readonly<Record<1 | 3 | 8, number>>;
  /** Mean of one over the place of the first evidence among the first eight; zero where there is none. */
  readonly meanReciprocalRank: number;
}

/** Messages of one compaction. */
const BATCH_MESSAGES = 24;
const TYPES: Readonly<Record<string, string>> = { assistant: 'ai', tool: 'tool' };

/** Reads a file such as `memory.json`: `conversations` by name, and `probes` with evidence positions. */
export function readConversations(file: string): Conversation[] {
  const data = JSON.parse(readFileSync(file, 'utf8')) as {
    conversations: Record<string, { role: string; content: string }[]>;
    probes: { conversation: string; query: string; evidence: number[] }[];
  };
  return Object.entries(data.conversations).map(([name, messages]) => ({
    name,
    messages: messages.map(({ role, content }, at) => message(TYPES[role] ?? 'human', content, String(at))),
    questions: data.probes.filter((probe) => probe.conversation === name),
  }));
}

/** The place of the first evidence for each question, asked as it stands; infinite where there is none. */
export async function placesOf(conversation: Conversation, route: Route): Promise<readonly number[]> {
  const search = await route(conversation);
  const places: number[] = [];
  for (const { query, evidence } of conversation.questions) {
    const place = (await search(query)).findIndex((position) => evidence.includes(position));
    places.push(place < 0 ? Number.POSITIVE_INFINITY : place + 1);
  }
  return places;
}

export function figuresOf(places: readonly number[]): RecallFigures {
  const share = (limit: number): number => places.filter((place) => place <= limit).length / places.length;
  return {
    questions: places.length,
    hitAt: { 1: share(1), 3: share(3), 8: share(8) },
    meanReciprocalRank: places.reduce((sum, place) => sum + 1 / place, 0) / places.length,
  };
}

/** The reference's rule on its own tables: distinct words, OR-ed, FTS5's bm25, ties by age. */
export const reference: Route = async ({ messages }) => {
  const sqlite3 = await loadSqlite();
  const db = new sqlite3.oo1.DB(':memory:');
  db.exec('CREATE VIRTUAL TABLE sources USING fts5(position UNINDEXED, words)');
  for (const [position, { content }] of messages.entries()) {
    db.exec('INSERT INTO sources VALUES (?, ?)', {
      bind: [position, referenceTerms(String(content)).join(' ')],
    });
  }
  return async (query) => {
    const terms = referenceTerms(sliceChars(query, 0, QUERY_CHARS)).slice(0, QUERY_TERMS);
    if (terms.length === 0) return [];
    const match = terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
    return db
      .selectValues('SELECT position FROM sources WHERE sources MATCH ? ORDER BY rank, rowid LIMIT 8', [
        match,
      ])
      .map(Number);
  };
};

/** Everything has left the conversation and stands in the archive, one batch a compaction. */
export const archived: Route = async ({ name, messages }) => {
  const continuity = createContinuity({ archive: await memoryArchive(), retention: { maxBatches: 64 } });
  const scope = { user: 'recall', thread: name };
  const size = Math.max(BATCH_MESSAGES, Math.ceil(messages.length / 64));
  let history: unknown = null;
  for (let at = 0; at < messages.length; at += size) {
    const captured = await continuity.capture(scope, history, messages.slice(at, at + size));
    if (captured.failure !== null || captured.evicted.length > 0)
      throw new Error(`${name} was not archived whole.`);
    history = captured.history;
  }
  return async (query) => positions(await continuity.search({ scope, history, messages: [] }, { query }));
};

/** Everything still stands in the conversation. */
export const active: Route = async ({ name, messages }) => {
  const continuity = createContinuity({ archive: await memoryArchive() });
  const view = { scope: { user: 'recall', thread: name }, history: null, messages };
  return async (query) => positions(await continuity.search(view, { query }));
};

function positions(
  found: Awaited<ReturnType<ReturnType<typeof createContinuity>['search']>>,
): readonly number[] {
  if (found.kind === 'error') throw new Error(found.error);
  return found.results.slice(0, SEARCH_HITS).map(({ message_id }) => Number(message_id));
}
