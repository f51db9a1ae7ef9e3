// How often a search finds the evidence for a question in real conversations, by the ranking rules alone.
import { readFileSync } from 'node:fs';
import { parseQuery } from '../../src/core/query.js';
import { type Candidate, scoreCandidates, statisticsOf } from '../../src/core/rank.js';
import { indexText, referenceTerms } from '../../src/core/tokenize.js';

export interface Conversation {
  readonly name: string;
  readonly messages: readonly string[];
  readonly questions: readonly { readonly query: string; readonly evidence: readonly number[] }[];
}

/** Indices of messages, best first. */
export type Ranking = (messages: readonly string[]) => (query: string) => number[];

export interface RecallFigures {
  readonly questions: number;
  /** Share of questions with evidence among the first 1, 3 and 8. */
  readonly hitAt: Readonly<Record<1 | 3 | 8, number>>;
  /** Mean of one over the place of the first evidence among the first eight; zero where there is none. */
  readonly meanReciprocalRank: number;
}

/** Reads the conversations of a `memory.json`: `conversations` by name, and `probes` with evidence positions. */
export function readConversations(file: string): Conversation[] {
  const data = JSON.parse(readFileSync(file, 'utf8')) as {
    conversations: Record<string, { content: string }[]>;
    probes: { conversation: string; query: string; evidence: number[] }[];
  };
  return Object.entries(data.conversations).map(([name, messages]) => ({
    name,
    messages: messages.map((message) => message.content),
    questions: data.probes.filter((probe) => probe.conversation === name),
  }));
}

/** Asks every question as it stands. */
export function measureRecall(conversations: readonly Conversation[], ranking: Ranking): RecallFigures {
  const places = conversations.flatMap(({ messages, questions }) => {
    const search = ranking(messages);
    return questions.map(({ query, evidence }) => {
      const place = search(query)
        .slice(0, 8)
        .findIndex((message) => evidence.includes(message));
      return place < 0 ? Number.POSITIVE_INFINITY : place + 1;
    });
  });
  const share = (limit: number): number => places.filter((place) => place <= limit).length / places.length;
  return {
    questions: places.length,
    hitAt: { 1: share(1), 3: share(3), 8: share(8) },
    meanReciprocalRank: places.reduce((sum, place) => sum + 1 / place, 0) / places.length,
  };
}

/** The reference: distinct words, OR-ed, FTS5's bm25 (k1 1.2, b 0.75), ties by age. */
export const referenceRanking: Ranking = (messages) => {
  const documents = messages.map((text) => new Set(referenceTerms(text)));
  const average = documents.reduce((sum, words) => sum + words.size, 0) / Math.max(1, documents.length);
  return (query) => {
    const terms = parseQuery(query).needles;
    const scores = documents.map((words) => {
      let score = 0;
      for (const term of terms) {
        if (!words.has(term)) continue;
        const frequency = documents.filter((other) => other.has(term)).length;
        const rarity = Math.max(1e-6, Math.log((documents.length - frequency + 0.5) / (frequency + 0.5)));
        score += (rarity * 2.2) / (1 + 1.2 * (0.25 + (0.75 * words.size) / average));
      }
      return score;
    });
    return bestFirst(scores);
  };
};

/** Ours, as the archive and the live conversation are ranked. */
export const ourRanking: Ranking = (messages) => {
  const documents = messages.map((text) => {
    const { keys, words } = indexText(text);
    const countByKey = new Map<string, number>();
    for (const key of keys) countByKey.set(key, (countByKey.get(key) ?? 0) + 1);
    return { countByKey, words };
  });
  return (query) => {
    const parsed = parseQuery(query);
    const all: Candidate[] = documents.map(({ countByKey, words }, position) => ({
      counts: parsed.terms.map((term) => countByKey.get(term) ?? 0),
      words,
      position,
    }));
    const candidates = all.filter(({ counts }) => counts.some((count) => count > 0));
    const scores = scoreCandidates(candidates, statisticsOf(all, parsed.terms.length), parsed);
    return bestFirst(scores).map((index) => candidates[index]?.position ?? -1);
  };
};

/** Indices of positive scores, highest first; the earlier message wins a tie. */
function bestFirst(scores: readonly number[]): number[] {
  return [...scores.keys()]
    .filter((index) => (scores[index] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}
