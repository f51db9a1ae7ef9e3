// Ranked search over the reachable batches, on one scale with the live conversation.
import { excerptOf } from '../src/core/excerpt.js';
import { SEARCH_HITS } from '../src/core/limits.js';
import type { BatchId, Role, SourceId } from '../src/core/message.js';
import { type ParsedQuery, parseQuery } from '../src/core/query.js';
import { emptyStatistics, mergeStatistics, scoreCandidates, statisticsOf } from '../src/core/rank.js';
import { wellFormed } from '../src/core/text.js';
import type { ArchiveHit, ArchiveMatches, ArchiveQuery } from '../src/protocol.js';
import { contentsOf, reachableBatches, type StoredBatch } from './batches.js';
import { findSource } from './lookup.js';
import type { ThreadFile } from './thread-file.js';
import { findWord, listOf } from './word-index.js';

const SELECT_LISTS = `
  SELECT word_lists.pk, word_lists.list
  FROM json_each(?1) AS wanted
  CROSS JOIN word_lists ON word_lists.pk = wanted.value`;

/** A source, whichever batches hold it; its first stored version is the one shown. */
interface Source {
  readonly id: SourceId;
  readonly role: Role;
  /** Place among all reachable sources in the order of their insertion. */
  readonly position: number;
  words: number;
  /** Occurrences of each query term; null without any. */
  counts: number[] | null;
}

/**
 * The best sources for a query, at most eight and no id twice.
 *
 * Live sources are no hits and do not count in the statistics; as neighbours they count. Never throws for
 * anything that a query may hold: it is tokenized, and never seen by SQL but as a bound value.
 */
export function search(file: ThreadFile, batches: readonly BatchId[], query: ArchiveQuery): ArchiveMatches {
  const parsed = parseQuery(query.text);
  const reachable = reachableBatches(file, batches);
  const places = sourcesOf(file, reachable);
  const sources = new Set(places.flat());
  const isActive = idSet(query.activeIds);
  // The usual case: compaction removes nothing from the conversation.
  if ([...sources].every((source) => isActive.has(source.id))) return noMatches(query, reachable.length);

  countTerms(file, reachable, places, parsed);
  const archived = [...sources].filter((source) => !isActive.has(source.id));
  const statistics = statisticsOf(
    archived.map(({ counts, words }) => ({ counts: counts ?? [], words })),
    parsed.terms.length,
  );
  const candidates = [...sources].filter((source) => source.counts !== null);
  const scores = scoreCandidates(
    candidates.map(({ counts, words, position }) => ({ counts: counts ?? [], words, position })),
    mergeStatistics(statistics, query.activeStatistics),
    parsed,
  );
  const hits = candidates
    .map((source, index) => ({ source, score: scores[index] ?? 0 }))
    .filter(({ source }) => !isActive.has(source.id) && (query.role === null || source.role === query.role))
    .sort((a, b) => b.score - a.score || a.source.position - b.source.position)
    .slice(0, SEARCH_HITS)
    .map(({ source, score }) => hitOf(file, batches, source.id, score, parsed))
    .filter((hit) => hit !== null);
  return { hits, statistics, batchesFound: reachable.length };
}

/** The answer of an archive in which nothing is to be searched; `batchesFound` is null when the thread has none. */
export function noMatches(query: ArchiveQuery, batchesFound: number | null): ArchiveMatches {
  return { hits: [], statistics: emptyStatistics(parseQuery(query.text).terms.length), batchesFound };
}

/** For each batch, its sources by their place in it. A source that several batches hold is one object. */
function sourcesOf(file: ThreadFile, batches: readonly StoredBatch[]): Source[][] {
  const sourceById = new Map<SourceId, Source>();
  let position = 0;
  return batches.map((batch) => {
    const { ids, roles, words } = contentsOf(file, batch);
    return ids.map((id, place) => {
      const length = words[place] ?? 0;
      const known = sourceById.get(id);
      if (known !== undefined) {
        known.words = Math.max(known.words, length);
        return known;
      }
      const source: Source = { id, role: roles[place] ?? 'tool', position, words: length, counts: null };
      position += 1;
      sourceById.set(id, source);
      return source;
    });
  });
}

function countTerms(
  file: ThreadFile,
  batches: readonly StoredBatch[],
  places: readonly (readonly Source[])[],
  { terms }: ParsedQuery,
): void {
  const words = terms.map(wellFormed);
  const keys = words.map((word) => batches.map(({ firstList, lists }) => firstList + listOf(word, lists)));
  const listByKey = readLists(file, new Set(keys.flat()));
  for (const [term, word] of words.entries()) {
    for (const [batch, sources] of places.entries()) {
      findWord(listByKey.get(keys[term]?.[batch] ?? 0) ?? '', word, (place, count) => {
        const source = sources[place];
        if (source === undefined) return;
        source.counts ??= new Array<number>(terms.length).fill(0);
        // Versions with different caps are one source: the longest of them tells how often a word occurs.
        source.counts[term] = Math.max(source.counts[term] ?? 0, count);
      });
    }
  }
}

function readLists(file: ThreadFile, keys: ReadonlySet<number>): ReadonlyMap<number, string> {
  const decoder = new TextDecoder();
  const rows = file.db.selectArrays(SELECT_LISTS, [JSON.stringify([...keys])]);
  return new Map(rows.map(([key, list]) => [Number(key), decoder.decode(list as Uint8Array)]));
}

function hitOf(
  file: ThreadFile,
  batches: readonly BatchId[],
  id: SourceId,
  score: number,
  query: ParsedQuery,
): ArchiveHit | null {
  const source = findSource(file, batches, id);
  if (source === null) return null;
  const { text, ...record } = source.record;
  return { ...record, ...excerptOf(text, query, 'token'), score, archivedAt: source.archivedAt };
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Source ids from 16 bytes each. */
function idSet(bytes: Uint8Array): ReadonlySet<string> {
  const ids = new Set<string>();
  for (let at = 0; at + 16 <= bytes.length; at += 16) {
    let id = 'r';
    for (const byte of bytes.subarray(at, at + 16)) id += HEX[byte];
    ids.add(id);
  }
  return ids;
}
