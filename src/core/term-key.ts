// From a word as it stands in a text to the key it is indexed under.
import { stemEnglish } from './stem.js';
import { composed } from './text.js';
import { CLASS_BY_POINT, MARK } from './unicode.js';

/** Surfaces longer than this (UTF-16 units) are keyed by their beginning and a hash: base64, minified code. */
const LONGEST_KEY = 64;
const HASHED_PREFIX = 40;
/**
 * Bounds of the memory that remembered keys take. Engines copy short slices; a longer one would keep the whole text
 * alive that it was cut from.
 */
const REMEMBERED_KEYS = 50_000;
const LONGEST_REMEMBERED = 12;

const PLAIN_ASCII = /^[a-z0-9]*$/;
/**
 * Letters whose accents readers leave out: Latin and Greek ones, and the Russian `ё` (but not `й`, another letter).
 * `normalize` gives the same in every engine here, they are all older than Unicode 5.
 */
const ACCENTED = /[\u00c0-\u024f\u0386-\u03ce\u0451\u1e00-\u1fff]/g;
const COMBINING = /[\u0300-\u036f]/;
/** Marks and invisible characters that a reader may leave out: accents, vowel points, selectors, joiners. */
const OPTIONAL_RANGES = [
  '\\xad|[\\u0300-\\u036f]|[\\u0483-\\u0487]|[\\u0591-\\u05c7]|[\\u0610-\\u061a]|[\\u064b-\\u065f]|\\u0670',
  '[\\u06d6-\\u06dc]|[\\u06df-\\u06e8]|[\\u06ea-\\u06ed]|[\\u1ab0-\\u1aff]|[\\u1dc0-\\u1dff]|[\\u20d0-\\u20ff]',
  '[\\ufe20-\\ufe2f]|[\\u200b-\\u200d]|\\u2060|[\\ufe00-\\ufe0f]|[\\u{e0100}-\\u{e01ef}]',
];
const OPTIONAL_MARKS = new RegExp(OPTIONAL_RANGES.join('|'), 'gu');
const FULL_WIDTH = /[\uff01-\uff5e]/g;

const keyBySurface = new Map<string, string>();

/**
 * The key of a case-folded surface: English inflections, accents and vowel points are taken off, full-width
 * letters made narrow (`cafés` is keyed as `cafe`). A key holds no blank and no quote. Keys stand in files: what
 * this answers may only change together with the version of the archive's format.
 */
export function keyOf(surface: string): string {
  if (surface.length > LONGEST_REMEMBERED)
    return surface.length > LONGEST_KEY ? longKey(surface) : shortKey(surface);
  // Pairs of common Han characters are their own keys, and too many to be remembered.
  if (surface.length <= 2 && isCommonHan(surface, 0) && isCommonHan(surface, surface.length - 1))
    return surface;
  const known = keyBySurface.get(surface);
  if (known !== undefined) return known;
  const key = shortKey(surface);
  if (keyBySurface.size >= REMEMBERED_KEYS) keyBySurface.clear();
  keyBySurface.set(surface, key);
  return key;
}

function isCommonHan(surface: string, at: number): boolean {
  const unit = surface.charCodeAt(at);
  return unit >= 0x4e00 && unit <= 0x9fcc;
}

function shortKey(surface: string): string {
  if (PLAIN_ASCII.test(surface)) return stemEnglish(surface);
  const bare = (COMBINING.test(surface) ? surface.normalize('NFC') : surface)
    .replace(ACCENTED, withoutAccent)
    .replace(OPTIONAL_MARKS, '')
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0));
  if (PLAIN_ASCII.test(bare)) return stemEnglish(bare);
  return composed(bare);
}

function withoutAccent(letter: string): string {
  const [base = letter, ...rest] = letter.normalize('NFD');
  return rest.every((mark) => CLASS_BY_POINT[mark.codePointAt(0) ?? 0] === MARK) ? base : letter;
}

function longKey(surface: string): string {
  return `${shortKey(surface.slice(0, HASHED_PREFIX))}#${hash(surface, 0x811c9dc5)}${hash(surface, 0x01000193)}`;
}

function hash(text: string, seed: number): string {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, '0');
}
