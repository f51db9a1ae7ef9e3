// Unicode facts that an index depends on, the same in every engine: word characters, scripts, marks, folds.
import {
  FULL_FOLDS,
  MARK_RANGES,
  SCRIPT_RANGES,
  SIMPLE_FOLDS,
  STRIP_WHITESPACE,
  WORD_RANGES,
} from './unicode-tables.js';

/**
 * What a code point is to the tokenizer: one of the constants below, or `COMMON_WORD + id` for a word character
 * of the script `id` (see scripts/make-unicode-tables.mjs).
 */
export type CharacterClass = number;

export const NO_WORD = 0;
/** A word character of no script of its own, like a digit. */
export const COMMON_WORD = 1;
export const LATIN = COMMON_WORD + 1;
export const HAN = COMMON_WORD + 4;
export const EMOJI = 253;
export const MARK = 254;
/** Invisible characters that stand inside words: joiners, soft hyphen, variation selectors. */
export const JOINER = 255;

const POINTS = 0x110000;
const JOINERS = [0xad, 0x200b, 0x200c, 0x200d, 0x2060];
const EMOJI_RANGES = [
  [0x231a, 0x23ff],
  [0x25a0, 0x27bf],
  [0x2934, 0x2935],
  [0x2b00, 0x2bff],
  [0x3030, 0x3030],
  [0x303d, 0x303d],
  [0x3297, 0x3299],
  [0x1f000, 0x1fbff],
] as const;
const VARIATION_SELECTORS = [
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
] as const;

const numbersOf = (packed: string): number[] =>
  packed.split(' ').map((digits) => Number.parseInt(digits, 36));

/** Calls back with groups of `size` numbers; a group is shorter only when the table is damaged. */
function* groupsOf(packed: string, size: number): Generator<readonly number[]> {
  const numbers = numbersOf(packed);
  for (let at = 0; at < numbers.length; at += size) yield numbers.slice(at, at + size);
}

function decodeClasses(): Uint8Array {
  const classes = new Uint8Array(POINTS);
  for (const [first, last] of EMOJI_RANGES) classes.fill(EMOJI, first, last + 1);

  const scripts = new Uint8Array(POINTS);
  let end = 0;
  for (const [gap = 0, length = 0, script = 0] of groupsOf(SCRIPT_RANGES, 3)) {
    const first = end + gap;
    end = first + length;
    scripts.fill(script, first, end + 1);
  }
  end = 0;
  for (const [gap = 0, length = 0] of groupsOf(WORD_RANGES, 2)) {
    const first = end + gap;
    end = first + length;
    for (let point = first; point <= end; point += 1) classes[point] = COMMON_WORD + (scripts[point] ?? 0);
  }
  end = 0;
  for (const [gap = 0, length = 0] of groupsOf(MARK_RANGES, 2)) {
    const first = end + gap;
    end = first + length;
    classes.fill(MARK, first, end + 1);
  }
  for (const [first, last] of VARIATION_SELECTORS) classes.fill(JOINER, first, last + 1);
  for (const point of JOINERS) classes[point] = JOINER;
  return classes;
}

function decodeFolds(): Map<string, string> {
  const folds = new Map<string, string>();
  let last = 0;
  for (const [gap = 0, count = 0, step = 1, twice = 0] of groupsOf(SIMPLE_FOLDS, 4)) {
    const distance = twice % 2 === 1 ? -(twice - 1) / 2 : twice / 2;
    let point = last + gap;
    for (let seen = 0; seen < count; seen += 1, point += step) {
      folds.set(String.fromCodePoint(point), String.fromCodePoint(point + distance));
      last = point;
    }
  }
  const full = numbersOf(FULL_FOLDS);
  for (let at = 0; at < full.length; ) {
    const [point = 0, length = 0] = full.slice(at, at + 2);
    folds.set(String.fromCodePoint(point), String.fromCodePoint(...full.slice(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return folds;
}

/** The class of every code point: `CLASS_BY_POINT[point]`. A megabyte of mostly untouched zeros. */
export const CLASS_BY_POINT: Uint8Array = decodeClasses();

/** UTF-16 units of the character at an offset: two for a surrogate pair, else one. */
export function sizeAt(text: string, at: number): 1 | 2 {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

/** The code point at an offset; 0 beyond the text. */
export function pointAt(text: string, at: number): number {
  return text.codePointAt(at) ?? 0;
}

/** The class of the character at an offset; `NO_WORD` beyond the text. */
export function classAt(text: string, at: number): CharacterClass {
  return CLASS_BY_POINT[pointAt(text, at)] ?? NO_WORD;
}

/** Full case folding, code point to string; characters that fold to themselves are absent. */
export const FOLD_BY_CHARACTER: ReadonlyMap<string, string> = decodeFolds();

/** Scripts written without blanks between words, or with endings tied to them: Han to Balinese in the list. */
const LAST_DENSE = COMMON_WORD + 20;

/** Whether a class is that of a script whose words are looked for inside longer stretches. */
export function isDenseScript(characterClass: CharacterClass): boolean {
  return characterClass >= HAN && characterClass <= LAST_DENSE;
}

/** Whether a class is that of a word character: a letter or a number, never a mark or an underscore. */
export function isWordClass(characterClass: CharacterClass): boolean {
  return characterClass !== NO_WORD && characterClass < EMOJI;
}

/** Whether a class is of what only attaches to the character before it. */
export function isAttachedClass(characterClass: CharacterClass): boolean {
  return characterClass === MARK || characterClass === JOINER;
}

const whitespace: ReadonlySet<number> = new Set(numbersOf(STRIP_WHITESPACE));

/** True when Python's `str.strip()` would leave nothing: U+0085 and U+001C..1F are blank, U+FEFF is not. */
export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (!whitespace.has(text.charCodeAt(at))) return false;
  }
  return true;
}
