// What a model's query asks for: the keys to search, their weights, and the strings of the reference rule.
import { QUERY_CHARS, QUERY_TERMS } from './limits.js';
import type { TokenKind } from './scan.js';
import { isStopWord } from './stop-words.js';
import { sliceChars } from './text.js';
import { type Token, tokenize } from './tokenize.js';

export interface ParsedQuery {
  /** Index keys to search for, distinct, the weightiest first; see `QUERY_KEYS`. Empty when nothing can be found. */
  readonly terms: readonly string[];
  /** How much a hit of each term counts, 0 to 1: stop-words and by-products of the reference rule count little. */
  readonly weights: readonly number[];
  /** The reference rule's terms, case-folded and at most 32: a live message that holds one as a substring matches. */
  readonly needles: readonly string[];
  /** How many of `needles`, from the first, are worth an excerpt: the others are stop-words and shards. */
  readonly strongNeedles: number;
}

/**
 * Most keys of one query. The 32 words of the reference rule always have a place; identifiers and parts of words
 * share what is left.
 */
export const QUERY_KEYS = 2 * QUERY_TERMS;
/** From this weight on a term says what the query is about. */
export const STRONG_WEIGHT = 0.3;

const STOP_WEIGHT = 0.1;
const WEIGHT_BY_KIND: Readonly<Record<TokenKind, number>> = {
  word: 1,
  whole: 1,
  part: 0.5,
  unit: 0,
  shard: 0.02,
};

/**
 * Reads a query: its first 500 characters, the reference rule's first 32 distinct words in them, and beyond them
 * identifiers, parts and emoji. A query of nothing but stop-words is searched for those. Never throws.
 */
export function parseQuery(query: string): ParsedQuery {
  const tokens = tokenize(sliceChars(query, 0, QUERY_CHARS));
  const needles = referenceNeedles(tokens);
  const termByKey = new Map<string, { readonly key: string; readonly weight: number }>();
  const asked = tokens.filter((token) => !token.isReference || needles.has(token.surface));
  asked.sort((a, b) => Number(b.isReference) - Number(a.isReference));
  for (const { key, surface, kind } of asked) {
    const weight = weightOf(surface, kind);
    const known = termByKey.get(key);
    if (weight === 0 || (known === undefined && termByKey.size >= QUERY_KEYS)) continue;
    if (known === undefined || known.weight < weight) termByKey.set(key, { key, weight });
  }
  const terms = [...termByKey.values()].sort((a, b) => b.weight - a.weight);
  // A query of stop-words alone is about them.
  const scale = 1 / (terms[0]?.weight ?? 1);
  const isStrong = (needle: string): boolean => (needles.get(needle) ?? 0) * scale >= STRONG_WEIGHT;
  const strong = [...needles.keys()].filter(isStrong);
  return {
    terms: terms.map(({ key }) => key),
    weights: terms.map(({ weight }) => weight * scale),
    needles: [...strong, ...[...needles.keys()].filter((needle) => !isStrong(needle))],
    strongNeedles: strong.length,
  };
}

/** The first 32 distinct words of the reference rule, each with its weight. */
function referenceNeedles(tokens: readonly Token[]): Map<string, number> {
  const needles = new Map<string, number>();
  for (const token of tokens) {
    if (!token.isReference || needles.has(token.surface)) continue;
    if (needles.size === QUERY_TERMS) break;
    needles.set(token.surface, weightOf(token.surface, token.kind));
  }
  return needles;
}

function weightOf(surface: string, kind: TokenKind): number {
  return WEIGHT_BY_KIND[kind] * (isStopWord(surface) ? STOP_WEIGHT : 1);
}
