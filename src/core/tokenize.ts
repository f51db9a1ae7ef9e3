// The one tokenizer: what is indexed, what a query asks for, and where a hit stands all follow from it.
import { denseLength, isDenseTerm } from './dense.js';
import { scanSpacedTokens, scanTokens, type TokenKind } from './scan.js';
import { keyOf } from './term-key.js';
import { type FoldedText, foldWithMap } from './text.js';

export interface Token {
  /** What is indexed and compared; see `keyOf`. */
  readonly key: string;
  /** The case-folded text of the token. */
  readonly surface: string;
  /** UTF-16 offsets in the folded text, half-open. */
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
  /** Whether the reference rule has this very token too. */
  readonly isReference: boolean;
}

/** All tokens of a text, roughly in its order, repeats included. Never throws. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  scanTokens(foldWithMap(text), (surface, start, end, kind, isReference) => {
    tokens.push({ key: keyOf(surface), surface, start, end, kind, isReference });
  });
  return tokens;
}

/** What stands in the index for one text. */
export interface IndexedText {
  /** Keys with repeats: how often a key occurs is its word's frequency. */
  readonly keys: readonly string[];
  /**
   * The text's length as ranking counts it: distinct words, so that repetition alone makes no text long, and the
   * characters of scripts without blanks.
   */
  readonly words: number;
}

/** The keys of a text and its length in words. Never throws. */
export function indexText(text: string): IndexedText {
  const folded = foldWithMap(text);
  const keys: string[] = [];
  const distinct = new Set<string>();
  scanTokens(folded, (surface) => {
    const key = keyOf(surface);
    keys.push(key);
    if (!isDenseTerm(surface)) distinct.add(key);
  });
  return { keys, words: distinct.size + denseLength(folded) };
}

/**
 * Occurrences of each key that is no dense term (those are found in the folded text), and the same length in
 * words as `indexText` gives.
 */
export function countSpacedKeys(folded: FoldedText): {
  readonly countByKey: ReadonlyMap<string, number>;
  readonly words: number;
} {
  const countByKey = new Map<string, number>();
  scanSpacedTokens(folded, (surface) => {
    const key = keyOf(surface);
    countByKey.set(key, (countByKey.get(key) ?? 0) + 1);
  });
  return { countByKey, words: countByKey.size + denseLength(folded) };
}

/** The keys of a text, with repeats, roughly in its order; each free of blanks and quotes. */
export function indexTerms(text: string): string[] {
  return [...indexText(text).keys];
}

/** The reference rule's words of a text, case-folded, without repeats, in order of their first place. */
export function referenceTerms(text: string): string[] {
  const terms = new Set<string>();
  scanTokens(foldWithMap(text), (surface, _start, _end, _kind, isReference) => {
    if (isReference) terms.add(surface);
  });
  return [...terms];
}
