// From a word as it stands in a text to the key it is indexed under.
import { stemEnglish } from './stem.js';
import { CLASS_BY_POINT, MARK } from './unicode.js';

/** Surfaces longer than this (UTF-16 units) are keyed by their beginning and a hash: base64, minified code. */
const LONGEST_KEY = 64;
const HASHED_PREFIX = 40;
/** Bound of the memory that remembered keys take. */
const REMEMBERED_KEYS = 50_000;

/** Starts an escaped character in a key. A letter to every FTS5 tokenizer; it is always escaped itself. */
const ESCAPE = 'ㄅ';
/** No code point begins with this digit in base 36, so it is not taken for an escaped character. */
const HASH = `${ESCAPE}y`;

const PLAIN_ASCII = /^[a-z0-9]*$/;
/**
 * Characters that both `unicode61` and `ascii` of FTS5 keep as they are, alone or in company: no case, no
 * diacritic that is folded away, assigned before Unicode 6.1.
 */
const UNSAFE =
  /[^a-z0-9\u03b1-\u03c1\u03c3-\u03c9\u0430-\u044f\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u0905-\u0939\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4db5\u4e00-\u9fcc\uac00-\ud7a3]/gu;
/** Letters whose diacritics are dropped: Latin ones. `normalize` is stable here, they are all older than Unicode 5. */
const LATIN_ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/g;
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
 * The key of a case-folded surface: English inflections and Latin accents are taken off (`cafés` is keyed as
 * `cafe`), then every character that a tokenizer of FTS5 might split or fold is escaped, so that a key is one
 * token to `unicode61` and to `ascii`. The escape loses nothing: what it is given can be read from the key.
 */
export function keyOf(surface: string): string {
  const known = keyBySurface.get(surface);
  if (known !== undefined) return known;
  const key = surface.length > LONGEST_KEY ? longKey(surface) : shortKey(surface);
  if (keyBySurface.size >= REMEMBERED_KEYS) keyBySurface.clear();
  keyBySurface.set(surface, key);
  return key;
}

function shortKey(surface: string): string {
  if (PLAIN_ASCII.test(surface)) return stemEnglish(surface);
  const bare = surface
    .replace(OPTIONAL_MARKS, '')
    .replace(LATIN_ACCENTED, withoutAccent)
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0));
  if (PLAIN_ASCII.test(bare)) return stemEnglish(bare);
  // Composes what is left (Kana with its voicing mark, Hangul from its letters), all of it long assigned.
  return bare.normalize('NFC').replace(UNSAFE, escapeCharacter);
}

function withoutAccent(letter: string): string {
  const [base = letter, ...rest] = letter.normalize('NFD');
  return rest.every((mark) => CLASS_BY_POINT[mark.codePointAt(0) ?? 0] === MARK) ? base : letter;
}

/** Four digits to the base of 36 hold any code point, and a fixed width needs no end mark. */
function escapeCharacter(character: string): string {
  return ESCAPE + (character.codePointAt(0) ?? 0).toString(36).padStart(4, '0');
}

function longKey(surface: string): string {
  return `${shortKey(surface.slice(0, HASHED_PREFIX))}${HASH}${hash(surface, 0x811c9dc5)}${hash(surface, 0x01000193)}`;
}

function hash(text: string, seed: number): string {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, '0');
}
