// Whether and how a live message matches a query, from what was prepared of it once.

import { isDenseTerm } from './dense.js';
import type { ParsedQuery } from './query.js';
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
  const counts = query.terms.map((term) => countOf(text, term));
  const isFound = counts.some((count) => count > 0);
  const strong = query.needles.slice(0, query.strongNeedles);
  const substrings = strong.filter((needle) => text.folded.includes(needle)).length;
  if (!isFound && substrings === 0 && !query.needles.some((needle) => text.folded.includes(needle)))
    return null;
  return { counts, words: text.words, substrings };
}

function countOf({ composed: text, countByKey }: SearchableText, term: string): number {
  let count = countByKey.get(term) ?? 0;
  if (!isDenseTerm(term)) return count;
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) count += 1;
  return count;
}
