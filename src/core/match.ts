// Whether and how a live message matches a query, from what was prepared of it once.

import { isDenseTerm } from './dense.js';
import type { ParsedQuery } from './query.js';
import { keyOf } from './term-key.js';
import { composed, foldWithMap } from './text.js';
import { countSpacedKeys } from './tokenize.js';

/** A text made ready for any number of queries. Some five times the text's size: keep one per message object. */
export interface SearchableText {
  readonly folded: string;
  /** The same with Kana and Hangul in one code point a character, in which short terms are counted. */
  readonly composed: string;
  /** Occurrences by key; what `folded` tells as well is left out, namely short terms of scripts without blanks. */
  readonly countByKey: ReadonlyMap<string, number>;
  /** As `indexText` counts them. */
  readonly words: number;
}

/** Prepares a text. Costs about as much as indexing it. */
export function searchableText(text: string): SearchableText {
  const foldedText = foldWithMap(text);
  return { folded: foldedText.folded, composed: composed(foldedText.folded), ...countSpacedKeys(foldedText) };
}

export interface TextMatch {
  /** Occurrences of each query term, in the query's order. */
  readonly counts: readonly number[];
  readonly words: number;
  /** How many of the query's telling needles stand in the text, be it inside of other words. */
  readonly substrings: number;
}

/** How a text matches; null when neither a term nor a needle of the reference rule is in it. */
export function matchText(text: SearchableText, query: ParsedQuery): TextMatch | null {
  const { isDense, termOfNeedle } = planOf(query);
  const { terms, needles, strongNeedles } = query;
  const counts: number[] = [];
  let isFound = false;
  for (let at = 0; at < terms.length; at += 1) {
    const count = countOf(text, terms[at] ?? '', isDense[at] === true);
    counts.push(count);
    if (count > 0) isFound = true;
  }
  let substrings = 0;
  for (let at = 0; at < needles.length; at += 1) {
    if (at >= strongNeedles && (isFound || substrings > 0)) break;
    // What was counted as a word stands in the text; looking for it once more is the most of the work.
    const isThere = (counts[termOfNeedle[at] ?? -1] ?? 0) > 0 || text.folded.includes(needles[at] ?? '');
    if (isThere && at < strongNeedles) substrings += 1;
    else if (isThere) isFound = true;
  }
  return isFound || substrings > 0 ? { counts, words: text.words, substrings } : null;
}

/** What is the same for all texts that one query is matched with. */
export interface MatchPlan {
  readonly isDense: readonly boolean[];
  /** For each needle, the term that is its key; -1 where there is none. */
  readonly termOfNeedle: readonly number[];
}

const plans = new WeakMap<ParsedQuery, MatchPlan>();

export function planOf(query: ParsedQuery): MatchPlan {
  const known = plans.get(query);
  if (known !== undefined) return known;
  const plan = {
    isDense: query.terms.map(isDenseTerm),
    termOfNeedle: query.needles.map((needle) => query.terms.indexOf(keyOf(needle))),
  };
  plans.set(query, plan);
  return plan;
}

function countOf({ composed: text, countByKey }: SearchableText, term: string, isDense: boolean): number {
  const count = countByKey.get(term) ?? 0;
  return isDense ? count + countInPlace(text, term) : count;
}

/** Occurrences of a short term of a script without blanks, which may overlap. */
export function countInPlace(composedText: string, term: string): number {
  let count = 0;
  for (let at = composedText.indexOf(term); at >= 0; at = composedText.indexOf(term, at + 1)) count += 1;
  return count;
}
