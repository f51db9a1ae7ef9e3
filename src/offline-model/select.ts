// Chooses among texts the passages that answer a question best. Scores are plain sums; nothing is learned.
import type { Hit } from './answers.js';
import { hasBareKey, holdsKind, type Kind, placesOfKind } from './kinds.js';
import { labelAt, labelsOf } from './labels.js';
import { isOwnAnswer } from './phrases.js';
import { asks, type Question, type QuestionTerm } from './question.js';
import { quoteOf } from './quote.js';
import { type Passage, passagesOf, sentencesOf } from './sentences.js';
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
  /** True when it holds something of the kind asked for, near a word that says what the question is about. */
  readonly fits: boolean;
  /** What to quote: the passage, with what it needs to be understood. */
  readonly quote: string;
}

/** Weights, found by trying them on recorded conversations. A word of the question counts up to 1 in all. */
const KIND_WEIGHT = 0.45;
const NEARBY_WEIGHT = 0.35;
/** Where several things are asked for, a list of them is worth more than one of them. */
const LIST_WEIGHT = 0.25;
const ASKING_PENALTY = 0.5;
/** What somebody said, or a tool answered, is quoted rather than what a tool was called with. */
const CALL_PENALTY = 0.3;
/** What the first hit of a search has ahead: the search knows all sources, this ranking only the hits. */
const RANK_WEIGHT = 0.3;
/** What has the form asked for is preferred down to this share of the best score. */
const FITTING_SHARE = 0.8;
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
  return best.toSorted(byScore);
}

/** A hit as a source: its excerpt is all the text that is known of it. */
export type Excerpted = Hit & Source;

/** The hits worth reading, best first. Give only those that are no echo. */
export function rankHits(question: Question, hits: readonly Hit[]): readonly Candidate<Excerpted>[] {
  const sources = hits.map((hit) => ({ ...hit, text: hit.excerpt }));
  const creditById = new Map(sources.map(({ id }, rank) => [id, RANK_WEIGHT / (1 + rank)]));
  return rankSources(question, sources)
    .map((found) => ({ ...found, score: found.score + (creditById.get(found.source.id) ?? 0) }))
    .toSorted(byScore);
}

/**
 * True for a hit that cannot answer: the question itself, a question asked before, an answer of this model. Each
 * time something is asked again there are more of them, and they match best.
 */
export function isEcho(
  hit: Hit,
  question: Question,
  asked: { readonly text: string; readonly id: string | null },
): boolean {
  if (hit.messageId !== null && hit.messageId === asked.id) return true;
  if (sameText(hit.excerpt, asked.text) || isOwnAnswer(hit.excerpt)) return true;
  // A question may well hold what is asked for: "Can you cancel reservation JG7FMM?"
  if (hit.role !== 'human' || question.kinds.some((kind) => holdsKind(hit.excerpt, kind))) return false;
  return sentencesOf(hit.excerpt).every((sentence) => asks(sentence));
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

/** The weight of each of the question's terms. What stands in few of the texts says more; in sum they are 1. */
function weightsOf(question: Question, sources: readonly ReadSource<Source>[]): readonly number[] {
  const raw = question.terms.map((term) => {
    const holding = sources.filter(({ passages }) =>
      passages.some(({ keys }) => speaksOf(keys, term)),
    ).length;
    return holding === 0 ? 0 : term.weight * Math.log(1 + sources.length / holding);
  });
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return raw.map((weight) => (total === 0 ? 0 : weight / total));
}

function bestOf<S extends Source>(
  question: Question,
  { source, passages }: ReadSource<S>,
  weights: readonly number[],
): Candidate<S> | null {
  const overlaps = passages.map(({ keys }) => question.terms.map((term) => speaksOf(keys, term)));
  const sumOf = (isSaid: (term: number) => boolean) =>
    weights.reduce((sum, weight, term) => (isSaid(term) ? sum + weight : sum), 0);
  const topics = question.terms.flatMap(({ isTopic }, term) => (isTopic ? [term] : []));
  const found = passages.flatMap(({ passage }, index) => {
    const own = sumOf((term) => overlaps[index]?.[term] === true);
    const around = overlaps.slice(Math.max(0, index - NEARBY), index + NEARBY + 1);
    const near = sumOf((term) => around.some((said) => said[term] === true));
    if (near === 0) return [];
    const [first, ...others] = question.kinds.map((kind) => holds(question, passage, kind));
    // `"user_id"` beside `"reservation_id"` is about users; `"id"` is about what stands around it.
    const speaking = passage.isMember && !hasBareKey(passage.text) ? [overlaps[index] ?? []] : around;
    const isOnTopic =
      topics.length === 0 || topics.some((term) => speaking.some((said) => said[term] === true));
    const fits = isOnTopic && (first === true || others.includes(true));
    const score =
      own +
      NEARBY_WEIGHT * (near - own) +
      (fits ? (first === true ? KIND_WEIGHT : KIND_WEIGHT / 2) : 0) -
      (asks(passage.text) ? ASKING_PENALTY : 0) +
      (question.isPlural && passage.lead !== '' ? LIST_WEIGHT : 0) -
      (source.role === 'ai' && passage.isMember ? CALL_PENALTY : 0);
    return [{ source, passage, score, fits, index }];
  });
  const best = bestFitting(found.toSorted((left, right) => right.score - left.score));
  if (best === undefined) return null;
  const { index, ...candidate } = best;
  const all = passages.map(({ passage }) => passage);
  const quote = quoteOf(source.text, all, index, { isAnswer: best.fits, isList: question.isPlural });
  return { ...candidate, quote };
}

/** True when a passage holds something of the kind; an identifier that is said to be of something else is none. */
function holds(question: Question, passage: Passage, kind: Kind): boolean {
  if (!holdsKind(passage.text, kind, passage.isMember)) return false;
  const { label } = question;
  if (kind !== 'code' || label === null) return true;
  const labels = labelsOf(passage.text);
  return placesOfKind(passage.text, kind).some(
    (place) => labelAt(labels, place)?.keys.includes(label) ?? true,
  );
}

/** Of candidates, best first, the first that has the form asked for, unless it is far from as good as the best. */
export function bestFitting<C extends { readonly score: number; readonly fits: boolean }>(
  candidates: readonly C[],
): C | undefined {
  const [best] = candidates;
  const fitting = candidates.find(({ fits }) => fits);
  if (best === undefined || fitting === undefined) return best;
  return fitting.score >= best.score * FITTING_SHARE ? fitting : best;
}

function speaksOf(keys: ReadonlySet<string>, term: QuestionTerm): boolean {
  return term.keys.some((key) => keys.has(key));
}

/** Sorting is stable: equals keep the order in which they were given. */
function byScore(left: Candidate<Source>, right: Candidate<Source>): number {
  return right.score - left.score;
}

function sameText(left: string, right: string): boolean {
  const bare = (text: string) => text.trim().replace(/\s+/gu, ' ');
  return bare(left) === bare(right);
}
