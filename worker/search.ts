// Ranked search over the reachable batches, on one scale with the live conversation.
import { excerptOf } from '../src/core/excerpt.js';
import { SEARCH_HITS } from '../src/core/limits.js';
import type { BatchId, SourceId } from '../src/core/message.js';
import { type ParsedQuery, parseQuery } from '../src/core/query.js';
import {
  type CorpusStatistics,
  emptyStatistics,
  mergeStatistics,
  scoreCandidates,
} from '../src/core/rank.js';
import { wellFormed } from '../src/core/text.js';
import type { ArchiveHit, ArchiveMatches, ArchiveQuery } from '../src/protocol.js';
import { type Corpus, corpusOf } from './corpus.js';
import { sourcesByKey } from './lookup.js';
import type { ThreadFile } from './thread-file.js';
import { findWord, listOf } from './word-index.js';

const SELECT_LISTS = `
  SELECT word_lists.pk, word_lists.list
  FROM json_each(?1) AS wanted
  CROSS JOIN word_lists ON word_lists.pk = wanted.value`;

/**
 * The best sources for a query, at most eight and no id twice.
 *
 * Live sources are no hits and do not count in the statistics; as neighbours they count. Never throws for
 * anything that a query may hold: it is tokenized, and never seen by SQL but as a bound value.
 */
export function search(file: ThreadFile, batches: readonly BatchId[], query: ArchiveQuery): ArchiveMatches {
  const parsed = parseQuery(query.text);
  const corpus = corpusOf(file, batches);
  const active = activePositions(corpus, query.activeIds);
  const batchesFound = corpus.batches.length;
  // The usual case: compaction removes nothing from the conversation.
  if (active.size === corpus.ids.length) return noMatches(query, batchesFound);

  const countsByPosition = countTerms(file, corpus, parsed);
  const statistics = archivedStatistics(corpus, active, countsByPosition, parsed.terms.length);
  const positions = [...countsByPosition.keys()].sort((a, b) => a - b);
  const scores = scoreCandidates(
    positions.map((position) => ({
      counts: countsByPosition.get(position) ?? [],
      words: corpus.words[position] ?? 0,
      position,
    })),
    mergeStatistics(statistics, query.activeStatistics),
    parsed,
  );
  const best = positions
    .map((position, index) => ({ position, score: scores[index] ?? 0 }))
    .filter(({ position }) => {
      return !active.has(position) && (query.role === null || corpus.roles[position] === query.role);
    })
    .sort((a, b) => b.score - a.score || a.position - b.position)
    .slice(0, SEARCH_HITS);
  return { hits: hitsOf(file, corpus, best, parsed), statistics, batchesFound };
}

/** The answer of an archive in which nothing is to be searched; `batchesFound` is null when the thread has none. */
export function noMatches(query: ArchiveQuery, batchesFound: number | null): ArchiveMatches {
  return { hits: [], statistics: emptyStatistics(parseQuery(query.text).terms.length), batchesFound };
}

/** Positions of the live sources. */
function activePositions(corpus: Corpus, activeIds: Uint8Array): ReadonlySet<number> {
  const positions = new Set<number>();
  for (const id of unpackIds(activeIds)) {
    const position = corpus.positionById.get(id);
    if (position !== undefined) positions.add(position);
  }
  return positions;
}

type CountsByPosition = ReadonlyMap<number, readonly number[]>;

/** Occurrences of each query term, for the sources that hold any of them. */
function countTerms(file: ThreadFile, corpus: Corpus, { terms }: ParsedQuery): CountsByPosition {
  const countsByPosition = new Map<number, number[]>();
  const { batches, positions } = corpus;
  const words = terms.map(wellFormed);
  const keys = words.map((word) => batches.map(({ firstList, lists }) => firstList + listOf(word, lists)));
  const listByKey = readLists(file, new Set(keys.flat()));
  for (const [term, word] of words.entries()) {
    for (const [batch, places] of positions.entries()) {
      findWord(listByKey.get(keys[term]?.[batch] ?? 0) ?? '', word, (place, count) => {
        const position = places[place];
        if (position === undefined) return;
        const counts = countsByPosition.get(position) ?? new Array<number>(terms.length).fill(0);
        countsByPosition.set(position, counts);
        // Versions with different caps are one source: the longest of them tells how often a word occurs.
        counts[term] = Math.max(counts[term] ?? 0, count);
      });
    }
  }
  return countsByPosition;
}

/** Over all sources that are not live, whether they match or not. */
function archivedStatistics(
  corpus: Corpus,
  active: ReadonlySet<number>,
  countsByPosition: CountsByPosition,
  terms: number,
): CorpusStatistics {
  const documentFrequency = new Array<number>(terms).fill(0);
  for (const [position, counts] of countsByPosition) {
    if (active.has(position)) continue;
    for (const [term, count] of counts.entries()) {
      if (count > 0) documentFrequency[term] = (documentFrequency[term] ?? 0) + 1;
    }
  }
  let words = corpus.totalWords;
  for (const position of active) words -= corpus.words[position] ?? 0;
  return { documents: corpus.ids.length - active.size, words, documentFrequency };
}

function readLists(file: ThreadFile, keys: ReadonlySet<number>): ReadonlyMap<number, string> {
  const decoder = new TextDecoder();
  const rows = file.db.selectArrays(SELECT_LISTS, [JSON.stringify([...keys])]);
  return new Map(rows.map(([key, list]) => [Number(key), decoder.decode(list as Uint8Array)]));
}

function hitsOf(
  file: ThreadFile,
  { keys, batches }: Corpus,
  best: readonly { readonly position: number; readonly score: number }[],
  query: ParsedQuery,
): ArchiveHit[] {
  const keyed = best.map(({ position, score }) => ({ key: keys[position] ?? 0, score }));
  const recordByKey = sourcesByKey(
    file,
    keyed.map(({ key }) => key),
  );
  const hits: ArchiveHit[] = [];
  for (const { key, score } of keyed) {
    const record = recordByKey.get(key);
    const batch = batches.find(
      ({ firstSource, sources }) => key >= firstSource && key < firstSource + sources,
    );
    if (record === undefined || batch === undefined) continue;
    const { text, ...rest } = record;
    hits.push({ ...rest, ...excerptOf(text, query, 'token'), score, archivedAt: batch.capturedAt });
  }
  return hits;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Source ids from 16 bytes each. */
function* unpackIds(bytes: Uint8Array): Generator<SourceId> {
  for (let at = 0; at + 16 <= bytes.length; at += 16) {
    let id = 'r';
    for (const byte of bytes.subarray(at, at + 16)) id += HEX[byte];
    yield id as SourceId;
  }
}
