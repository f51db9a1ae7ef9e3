// Whether and how a live message matches a query, from what was prepared of it once.
import type { ParsedQuery } from './query.js';
import { caseFold, wellFormed } from './text.js';
import { indexText } from './tokenize.js';

/** A text made ready for any number of queries. About three times the text's size: keep one per message object. */
export interface SearchableText {
  readonly folded: string;
  /** All keys, each between two line feeds, so that a key is found as a substring. */
  readonly keyLine: string;
  readonly words: number;
}

/** Prepares a text. Costs as much as indexing it. */
export function searchableText(text: string): SearchableText {
  const { keys, words } = indexText(text);
  return { folded: caseFold(wellFormed(text)), keyLine: `\n${keys.join('\n\n')}\n`, words };
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
  const counts = query.terms.map((term) => occurrences(text.keyLine, `\n${term}\n`));
  const isFound = counts.some((count) => count > 0);
  const strong = query.needles.slice(0, query.strongNeedles);
  const substrings = strong.filter((needle) => text.folded.includes(needle)).length;
  if (!isFound && substrings === 0 && !query.needles.some((needle) => text.folded.includes(needle)))
    return null;
  return { counts, words: text.words, substrings };
}

function occurrences(line: string, wanted: string): number {
  let count = 0;
  for (let at = line.indexOf(wanted); at >= 0; at = line.indexOf(wanted, at + wanted.length)) count += 1;
  return count;
}
