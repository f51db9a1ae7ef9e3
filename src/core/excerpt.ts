// Where a query is found in a source, and the window of text around it.
import { isDenseTerm } from './dense.js';
import { EXCERPT_CHARS } from './limits.js';
import type { ParsedQuery } from './query.js';
import { STRONG_WEIGHT } from './query.js';
import { scanSpacedTokens, scanTokens } from './scan.js';
import { keyOf } from './term-key.js';
import { charLength, composed, type FoldedText, foldWithMap, sliceChars } from './text.js';

/** Where a query is found in a source. Offsets are zero-based, half-open characters of the readable source. */
export interface Excerpt {
  readonly excerpt: string;
  readonly excerpt_start: number;
  readonly excerpt_end: number;
  /** False when no word of the query could be located; the excerpt is then the source's opening. */
  readonly excerpt_match: boolean;
}

/** `substring`: live messages, where parts of words count as well. `token`: archived sources. */
export type ExcerptMode = 'substring' | 'token';

/** A place in the source, UTF-16 offsets. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The earliest place where the query is found, with up to 600 characters around it.
 *
 * Words that say something are looked for first; only when none of them can be located, stop-words are. Always
 * `excerpt === sliceChars(text, excerpt_start, excerpt_end)` for text without lone surrogates.
 */
export function excerptOf(text: string, query: ParsedQuery, mode: ExcerptMode): Excerpt {
  const folded = foldWithMap(text);
  const strongTerms = query.terms.filter((_, index) => (query.weights[index] ?? 0) >= STRONG_WEIGHT);
  const strongNeedles = mode === 'substring' ? query.needles.slice(0, query.strongNeedles) : [];
  const needles = mode === 'substring' ? query.needles : [];
  const span = earliestOf(folded, strongNeedles, strongTerms) ?? earliestOf(folded, needles, query.terms);
  return windowAround(folded.source, span);
}

/** The excerpt by the reference rule alone, for its own terms: case-folded strings. */
export function excerptOfTerms(text: string, terms: readonly string[], mode: ExcerptMode): Excerpt {
  const folded = foldWithMap(text);
  const span =
    mode === 'substring'
      ? earliest(folded, terms, null)
      : earliest(folded, [], {
          scan: scanTokens,
          isWanted: (surface, isReference) => isReference && terms.includes(surface),
        });
  return windowAround(folded.source, span);
}

function earliestOf(text: FoldedText, needles: readonly string[], terms: readonly string[]): Span | null {
  // A pair of Han characters stands wherever its characters do, and is found far sooner as a needle than as a token;
  // so is one of Kana or Hangul, unless the text has its characters in pieces.
  const isInPlace = composed(text.folded) === text.folded;
  const sought = new Set(terms.filter((term) => !(isInPlace && isDenseTerm(term) && needles.includes(term))));
  if (sought.size === 0) return earliest(text, needles, null);
  return earliest(text, needles, {
    scan: [...sought].some(isDenseTerm) ? scanTokens : scanSpacedTokens,
    isWanted: (surface) => sought.has(keyOf(surface)),
  });
}

/** Which tokens to look for, and by which walk over the text. */
interface TokenSearch {
  readonly scan: typeof scanTokens;
  readonly isWanted: (surface: string, isReference: boolean) => boolean;
}

/** Of all needles and tokens that fit into an excerpt, the earliest; of those, the shortest. */
function earliest(text: FoldedText, needles: readonly string[], tokens: TokenSearch | null): Span | null {
  let best: Span | null = null;
  const offer = (span: Span): boolean => {
    if (!fits(text.source, span)) return false;
    if (best === null || span.start < best.start || (span.start === best.start && span.end < best.end))
      best = span;
    return true;
  };
  for (const needle of needles) {
    let at = text.folded.indexOf(needle);
    while (at >= 0 && !offer(sourceSpan(text, at, at + needle.length)))
      at = text.folded.indexOf(needle, at + 1);
  }
  tokens?.scan(
    text,
    (surface, start, end, _kind, isReference) => {
      if (tokens.isWanted(surface, isReference)) offer(sourceSpan(text, start, end));
    },
    (at) => best !== null && (text.sourceOffsets?.[at] ?? at) > best.start,
  );
  return best;
}

/** From folded offsets to the source: whole characters, also where a match begins or ends inside an expansion. */
function sourceSpan({ source, sourceOffsets }: FoldedText, start: number, end: number): Span {
  if (sourceOffsets === null) return { start, end };
  const last = sourceOffsets[end - 1] ?? 0;
  const isPair = (source.charCodeAt(last) & 0xfc00) === 0xd800;
  return { start: sourceOffsets[start] ?? 0, end: last + (isPair ? 2 : 1) };
}

function fits(source: string, { start, end }: Span): boolean {
  return end - start <= EXCERPT_CHARS || charLength(source.slice(start, end)) <= EXCERPT_CHARS;
}

function windowAround(source: string, span: Span | null): Excerpt {
  const length = charLength(source);
  const matchStart = span === null ? 0 : charLength(source.slice(0, span.start));
  const matchLength = span === null ? 0 : charLength(source.slice(span.start, span.end));
  const centred = matchStart - Math.floor((EXCERPT_CHARS - matchLength) / 2);
  const start = span === null ? 0 : Math.max(0, Math.min(centred, length - EXCERPT_CHARS));
  const end = Math.min(length, start + EXCERPT_CHARS);
  return {
    excerpt: sliceChars(source, start, end),
    excerpt_start: start,
    excerpt_end: end,
    excerpt_match: span !== null,
  };
}
