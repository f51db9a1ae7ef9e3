// One scorer for the live conversation and the archive: BM25 with word frequency, and a word from the neighbours.
import type { ParsedQuery } from './query.js';

/** What a scorer must know of a body of sources for one query. */
export interface CorpusStatistics {
  readonly documents: number;
  /** Sum of all document lengths, in words. */
  readonly words: number;
  /** Documents that hold each query term, in the order of the parsed query's terms. */
  readonly documentFrequency: readonly number[];
}

/** A source that holds something of the query. */
export interface Candidate {
  /** Occurrences of each query term, in the order of the parsed query's terms. */
  readonly counts: readonly number[];
  /** The source's length in words, as `indexText` counts them. */
  readonly words: number;
  /** Its place in the conversation: neighbours are one apart. */
  readonly position: number;
  /** Telling needles of the query that stand in the text (see `matchText`); they decide where no term is found. */
  readonly substrings?: number;
}

/** BM25's saturation of word frequency and its weight of document length. */
const K1 = 1.2;
const B = 0.75;
/** Sources whose neighbours are looked at: the best so many by their own score. */
const NEIGHBOUR_CANDIDATES = 200;
const NEIGHBOUR_DISTANCE = 2;
/** Share of a neighbour's score, divided by its distance. */
const NEIGHBOUR_SHARE = 0.35;
/** Up to this length in words a source lends the full share: what is short is understood from what stands around. */
const LEANING_WORDS = 30;
/** How much of a score hangs on how many of the query's telling words a source holds, and not only how often. */
const COVERAGE_SHARE = 0.5;
/** Score of a word found inside of other words only: less than nearly any word found as such. */
const SUBSTRING_SCORE = 0.02;

/** Statistics of nothing for a query of so many terms. */
export function emptyStatistics(terms: number): CorpusStatistics {
  return { documents: 0, words: 0, documentFrequency: new Array<number>(terms).fill(0) };
}

/** Statistics over all sources of a body, those without a match included: their `counts` are zeros. */
export function statisticsOf(
  sources: Iterable<{ readonly counts: readonly number[]; readonly words: number }>,
  terms: number,
): CorpusStatistics {
  const documentFrequency = new Array<number>(terms).fill(0);
  let documents = 0;
  let words = 0;
  for (const source of sources) {
    documents += 1;
    words += source.words;
    for (let term = 0; term < terms; term += 1) {
      if ((source.counts[term] ?? 0) > 0) documentFrequency[term] = (documentFrequency[term] ?? 0) + 1;
    }
  }
  return { documents, words, documentFrequency };
}

/** Both bodies as one. They must be statistics for the same query. */
export function mergeStatistics(a: CorpusStatistics, b: CorpusStatistics): CorpusStatistics {
  const length = Math.max(a.documentFrequency.length, b.documentFrequency.length);
  return {
    documents: a.documents + b.documents,
    words: a.words + b.words,
    documentFrequency: Array.from(
      { length },
      (_, term) => (a.documentFrequency[term] ?? 0) + (b.documentFrequency[term] ?? 0),
    ),
  };
}

/**
 * A score for each candidate, in their order; higher is better, and scores of two bodies are comparable when
 * `statistics` is the merged one for both.
 *
 * Candidates should each hold a term or a needle of the query. Among the best 200, what stands within two places
 * of another candidate gains a share of its score.
 */
export function scoreCandidates(
  candidates: readonly Candidate[],
  statistics: CorpusStatistics,
  query: ParsedQuery,
): number[] {
  const averageWords = statistics.documents > 0 ? statistics.words / statistics.documents : 1;
  const termWeights = query.terms.map(
    (_, term) =>
      (query.weights[term] ?? 0) * rarity(statistics.documents, statistics.documentFrequency[term] ?? 0),
  );
  const totalWeight = termWeights.reduce((sum, weight) => sum + weight, 0);
  const own = candidates.map(({ counts, words, substrings }) => {
    const length = K1 * (1 - B + B * (averageWords > 0 ? words / averageWords : 1));
    let score = 0;
    let covered = 0;
    for (let term = 0; term < termWeights.length; term += 1) {
      const count = counts[term] ?? 0;
      if (count === 0) continue;
      const weight = termWeights[term] ?? 0;
      score += (weight * count * (K1 + 1)) / (count + length);
      covered += weight;
    }
    const coverage = totalWeight > 0 ? covered / totalWeight : 0;
    return score * (1 - COVERAGE_SHARE + COVERAGE_SHARE * coverage) + SUBSTRING_SCORE * (substrings ?? 0);
  });
  return withNeighbours(candidates, own);
}

/** Always above zero, so that a word in every source still counts for something. */
function rarity(documents: number, frequency: number): number {
  return Math.log(1 + (Math.max(documents, frequency) - frequency + 0.5) / (frequency + 0.5));
}

function withNeighbours(candidates: readonly Candidate[], own: readonly number[]): number[] {
  const best = bestIndices(own, NEIGHBOUR_CANDIDATES);
  const scoreByPosition = new Map<number, number>();
  for (const index of best) {
    const position = candidates[index]?.position ?? 0;
    scoreByPosition.set(position, Math.max(scoreByPosition.get(position) ?? 0, own[index] ?? 0));
  }
  const scores = [...own];
  for (const index of best) {
    const { position = 0, words = 0 } = candidates[index] ?? {};
    let gain = 0;
    for (let distance = 1; distance <= NEIGHBOUR_DISTANCE; distance += 1) {
      const before = scoreByPosition.get(position - distance) ?? 0;
      const after = scoreByPosition.get(position + distance) ?? 0;
      gain += (NEIGHBOUR_SHARE * (before + after)) / distance;
    }
    scores[index] = (own[index] ?? 0) + gain * Math.min(1, LEANING_WORDS / Math.max(1, words));
  }
  return scores;
}

/** Where the highest of many scores stand, in any order; of equal ones the first. */
function bestIndices(scores: readonly number[], limit: number): number[] {
  // Numbers alone are put in order far sooner than by a comparison of ours.
  const ordered = Float64Array.from(scores).sort();
  const least = ordered[Math.max(0, ordered.length - limit)] ?? 0;
  const best: number[] = [];
  const equal: number[] = [];
  for (let index = 0; index < scores.length; index += 1) {
    const score = scores[index] ?? 0;
    if (score > least) best.push(index);
    else if (score === least) equal.push(index);
  }
  return [...best, ...equal.slice(0, limit - best.length)];
}
