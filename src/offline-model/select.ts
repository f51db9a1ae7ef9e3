// Chooses among texts the passages that answer a question best. Scores are plain sums; nothing is learned.
import type { Hit } from './answers.js';
import { holdsKind } from './kinds.js';
import { isOwnAnswer } from './phrases.js';
import { asks, type Question } from './question.js';
import { type Passage, passagesOf } from './sentences.js';
import { wordKeys } from './words.js';

/** A text to quote from. */
export interface Source {
  readonly role: string;
  readonly name: string | null;
  readonly text: string;
}

/** A passage that may answer, with where it stands. */
export interface Candidate<S extends Source> {
  readonly source: S;
  readonly passage: Passage;
  /** The greater the better; comparable within one call. */
  readonly score: number;
  /** True when it holds something of the kind asked for, beyond what the question itself holds. */
  readonly fits: boolean;
}

/** Weights, found by trying them on recorded conversations. A word of the question counts up to 1 in all. */
const KIND_WEIGHT = 0.45;
const NEARBY_WEIGHT = 0.35;
const ASKING_PENALTY = 0.5;
const LONG_PENALTY = 0.1;
/** How many passages before and after belong to what a passage speaks of. */
const NEARBY = 2;

/** The best passage of each source, the best source first. Sources that share no word with the question are out. */
export function rankSources<S extends Source>(
  question: Question,
  sources: readonly S[],
): readonly Candidate<S>[] {
  const read = sources.filter((source) => !isOwnAnswer(source.text)).map((source) => readSource(source));
  const weights = weightsOf(question, read);
  const best = read.map((source) => bestOf(question, source, weights)).filter((found) => found !== null);
  // Sorting is stable: equals keep the order in which the search ranked them.
  return best.toSorted((left, right) => right.score - left.score);
}

/** The hits worth reading, best first; the question itself, found again, is none of them. */
export function rankHits(
  question: Question,
  hits: readonly Hit[],
  asked: { text: string; id: string | null },
) {
  const others = hits.filter(
    (hit) => hit.messageId === null || asked.id === null || hit.messageId !== asked.id,
  );
  const sources = others
    .filter((hit) => !sameText(hit.excerpt, asked.text))
    .map((hit) => ({ ...hit, text: hit.excerpt }));
  return rankSources(question, sources);
}

interface ReadSource<S> {
  readonly source: S;
  readonly passages: readonly { readonly passage: Passage; readonly keys: ReadonlySet<string> }[];
}

function readSource<S extends Source>(source: S): ReadSource<S> {
  const passages = passagesOf(source.text).map((passage) => ({
    passage,
    keys: wordKeys(`${passage.lead} ${passage.text}`),
  }));
  return { source, passages };
}

/** A word that stands in few of the texts says more; all weights together are 1. */
function weightsOf(question: Question, sources: readonly ReadSource<Source>[]): ReadonlyMap<string, number> {
  const raw = new Map<string, number>();
  for (const key of question.keys) {
    const holding = sources.filter(({ passages }) => passages.some(({ keys }) => keys.has(key))).length;
    if (holding > 0) raw.set(key, Math.log(1 + sources.length / holding));
  }
  const total = [...raw.values()].reduce((sum, weight) => sum + weight, 0);
  return new Map([...raw].map(([key, weight]) => [key, weight / total]));
}

function bestOf<S extends Source>(
  question: Question,
  { source, passages }: ReadSource<S>,
  weights: ReadonlyMap<string, number>,
): Candidate<S> | null {
  let best: Candidate<S> | null = null;
  for (const [index, { passage, keys }] of passages.entries()) {
    const own = overlap(keys, weights);
    const around = new Set(
      passages.slice(Math.max(0, index - NEARBY), index + NEARBY + 1).flatMap(({ keys }) => [...keys]),
    );
    const near = overlap(around, weights);
    if (near === 0) continue;
    const fits = question.kinds.some((kind) => holdsKind(passage.text, kind));
    const first = question.kinds[0];
    const fitsFirst = first !== undefined && holdsKind(passage.text, first);
    const score =
      own +
      NEARBY_WEIGHT * (near - own) +
      (fitsFirst ? KIND_WEIGHT : fits ? KIND_WEIGHT / 2 : 0) -
      (asks(passage.text) ? ASKING_PENALTY : 0) -
      (passage.text.length > 250 ? LONG_PENALTY : 0);
    if (best === null || score > best.score) best = { source, passage, score, fits: fitsFirst || fits };
  }
  return best;
}

function overlap(keys: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [key, weight] of weights) if (keys.has(key)) sum += weight;
  return sum;
}

function sameText(left: string, right: string): boolean {
  const bare = (text: string) => text.trim().replace(/\s+/gu, ' ');
  return bare(left) === bare(right);
}
