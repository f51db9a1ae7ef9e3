// Text by Unicode code points: counting, slicing, case folding with a way back to the source.
import { FOLD_BY_CHARACTER, sizeAt } from './unicode.js';

const SURROGATE = /[\ud800-\udfff]/;
// With the `u` flag a surrogate in a class matches only when it stands alone.
const LONE_SURROGATE = /[\ud800-\udfff]/gu;
const NON_ASCII = /[\u0080-\uffff]/;

/** Replaces lone surrogates, which no file and no digest can hold, by U+FFFD. Lengths stay the same. */
export function wellFormed(text: string): string {
  return SURROGATE.test(text) ? text.replace(LONE_SURROGATE, '\ufffd') : text;
}

/** Kana voicing marks and Hangul letters that stand for themselves: what another system writes as one character. */
const DECOMPOSED = /[\u1100-\u11ff\u3099\u309a]/;

/** Kana and Hangul with one code point for each character; any other text as it is. */
export function composed(text: string): string {
  return DECOMPOSED.test(text) ? text.normalize('NFC') : text;
}

/** Length in code points; a lone surrogate counts as one. */
export function charLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let length = text.length;
  for (let at = 1; at < text.length; at += 1) {
    if (sizeAt(text, at - 1) === 2) {
      length -= 1;
      at += 1;
    }
  }
  return length;
}

/**
 * The code points from `start` up to, not including, `end` (default: the end of the text).
 *
 * Offsets beyond the text are cut to it; negative ones count as zero. Never splits a surrogate pair.
 */
export function sliceChars(text: string, start: number, end = Number.POSITIVE_INFINITY): string {
  const first = Math.max(0, start);
  if (end <= first) return '';
  if (!SURROGATE.test(text)) return text.slice(first, Math.min(end, text.length));
  const from = unitOffset(text, 0, first);
  return text.slice(from, end === Number.POSITIVE_INFINITY ? undefined : unitOffset(text, from, end - first));
}

/** The UTF-16 offset that lies `chars` code points after the UTF-16 offset `from`, at most the text's end. */
function unitOffset(text: string, from: number, chars: number): number {
  let at = from;
  for (let left = chars; left > 0 && at < text.length; left -= 1) at += sizeAt(text, at);
  return at;
}

/** Orders by code point, as Python does; plain `<` orders by UTF-16 unit and puts U+10000 before U+E000. */
export function compareByCodePoint(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a === b) continue;
    const isSurrogateA = (a & 0xf800) === 0xd800;
    const isSurrogateB = (b & 0xf800) === 0xd800;
    return isSurrogateA === isSurrogateB ? a - b : isSurrogateA ? 1 : -1;
  }
  return left.length - right.length;
}

/** A class of the characters given, widened to few ranges: what it catches must be looked up. */
function widened(characters: Iterable<string>, flags: string): RegExp {
  const points = Array.from(characters, (character) => character.codePointAt(0) ?? 0).sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const point of points) {
    const range = ranges.at(-1);
    if (range !== undefined && point - range[1] <= WIDENING) range[1] = point;
    else ranges.push([point, point]);
  }
  const escaped = (point: number): string =>
    point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`;
  return new RegExp(`[${ranges.map(([a, b]) => `${escaped(a)}-${escaped(b)}`).join('')}]`, flags);
}

/** Small enough to leave the lower-case letters of Greek and Cyrillic out. */
const WIDENING = 8;
const folding = [...FOLD_BY_CHARACTER.keys()].filter((character) => character > '\x7f');
const FOLDABLE = widened(
  folding.filter((character) => character.length === 1),
  'g',
);
const FOLDABLE_ASTRAL = widened(
  folding.filter((character) => character.length === 2),
  'gu',
);
/** None of them is astral. */
const LENGTHENED = widened(
  folding.filter((character) => FOLD_BY_CHARACTER.get(character)?.length !== character.length),
  '',
);

const foldCharacter = (character: string): string => FOLD_BY_CHARACTER.get(character) ?? character;

/** Full Unicode case folding (Unicode 15.0, the same in every engine). The length may grow: `ß` becomes `ss`. */
export function caseFold(text: string): string {
  // On ASCII the engine's own lower-casing is the same, and an order of magnitude faster.
  if (!NON_ASCII.test(text)) return text.toLowerCase();
  const folded = wellFormed(text)
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(FOLDABLE, foldCharacter);
  return SURROGATE.test(folded) ? folded.replace(FOLDABLE_ASTRAL, foldCharacter) : folded;
}

/** Folded text with the way back to where each part of it came from. All offsets are UTF-16 units. */
export interface FoldedText {
  readonly source: string;
  readonly folded: string;
  /** Source offset of each unit of `folded`; null when the offsets are the same. */
  readonly sourceOffsets: Int32Array | null;
}

/** Folds and remembers where each part came from, for excerpts and for telling upper case from lower. */
export function foldWithMap(text: string): FoldedText {
  const source = wellFormed(text);
  const folded = caseFold(source);
  if (folded.length === source.length && !LENGTHENED.test(source))
    return { source, folded, sourceOffsets: null };
  const sourceOffsets = new Int32Array(folded.length);
  let to = 0;
  for (let from = 0; from < source.length; ) {
    const size = sizeAt(source, from);
    const length = foldCharacter(source.slice(from, from + size)).length;
    // Both halves of a pair map to their own unit; parts of an expansion map to the whole character.
    for (let part = 0; part < length; part += 1)
      sourceOffsets[to + part] = from + (length === size ? part : 0);
    to += length;
    from += size;
  }
  return { source, folded, sourceOffsets };
}
