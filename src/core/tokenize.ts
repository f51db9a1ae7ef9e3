// The one tokenizer: what is indexed, what a query asks for, and where a hit stands all follow from it.
import { scanTokens, type TokenKind } from './scan.js';
import { keyOf } from './term-key.js';
import { foldWithMap } from './text.js';

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
  /** Keys with repeats, so that their number tells the word frequency. Joined by blanks they suit an FTS5 column. */
  readonly keys: readonly string[];
  /** The text's length as ranking counts it: its distinct keys, so that repetition alone makes no text long. */
  readonly words: number;
}

/** The keys of a text and its length in words. Never throws. */
export function indexText(text: string): IndexedText {
  const keys: string[] = [];
  scanTokens(foldWithMap(text), (surface) => {
    keys.push(keyOf(surface));
  });
  return { keys, words: new Set(keys).size };
}

/** The keys of a text, with repeats: each free of blanks and quotes, one token to FTS5's `unicode61` and `ascii`. */
export function indexTerms(text: string): string[] {
  return [...indexText(text).keys];
}
