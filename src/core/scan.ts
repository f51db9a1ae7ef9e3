// Walks over a folded text and cuts it into tokens: words, pairs of characters, identifiers, emoji.
import { emitDense, isDenseTerm, pairKind } from './dense.js';
import { scanEmoji } from './emoji.js';
import { emitChain, emitParts, isLink } from './identifier.js';
import type { FoldedText } from './text.js';
import {
  CLASS_BY_POINT,
  COMMON_WORD,
  classAt,
  EMOJI,
  HAN,
  isAttachedClass,
  isDenseScript,
  isWordClass,
  LATIN,
  NO_WORD,
  pointAt,
  sizeAt,
} from './unicode.js';

/**
 * What a token is of the text:
 * - `word`: a whole word, a pair of Han characters, a stretch of one script in mixed text, an emoji.
 * - `whole`: an identifier, path, number or dotted name made of several words.
 * - `part`: a piece of a word that has other tokens: of `camelCase`, of `5kg`, a pair inside a Korean word.
 * - `unit`: a single character of a longer stretch of Han, Kana, Hangul, Thai and the like.
 * - `shard`: what only the reference rule cuts out, across scripts or between marks.
 */
export type TokenKind = 'word' | 'whole' | 'part' | 'unit' | 'shard';

/** Receives a token: its folded text, its half-open UTF-16 offsets in the folded text, its kind, and whether the
 * reference rule has the very same token. */
export type TokenSink = (
  surface: string,
  start: number,
  end: number,
  kind: TokenKind,
  isReference: boolean,
) => void;

/** A stretch of one script, marks included. Offsets in the folded text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly script: number;
}

/** Runs of word characters with nothing but marks and joiners between and after them. */
interface Region {
  readonly start: number;
  readonly end: number;
  /** Starts and ends of the runs, alternately. */
  readonly bounds: readonly number[];
  /** True when the region is one run and has no mark or joiner: the usual case. */
  readonly isPlain: boolean;
}

const CONNECTORS: ReadonlySet<string> = new Set("-_./\\:@+#'’&~=,>‐‑");
const MOST_CONNECTORS = 2;
/** The range in which the reference rule cuts pairs of characters. */
const FIRST_PAIRED = 0x3400;
const LAST_PAIRED = 0x9fff;

/** Asked between words, with the offset in the folded text before which all tokens were called back for. */
type IsEnough = (at: number) => boolean;

const never: IsEnough = () => false;

/**
 * Calls back for every token, until it is enough. The order follows the text, but the tokens of one word come in any
 * order.
 */
export function scanTokens(text: FoldedText, emit: TokenSink, isEnough: IsEnough = never): void {
  scan(text, emit, false, isEnough);
}

/** The tokens that are no dense terms: the others stand in the text as they are (see `isDenseTerm`). */
export function scanSpacedTokens(text: FoldedText, emit: TokenSink, isEnough: IsEnough = never): void {
  const spaced: TokenSink = (surface, start, end, kind, isReference) => {
    if (!isDenseTerm(surface)) emit(surface, start, end, kind, isReference);
  };
  scan(text, spaced, true, isEnough);
}

function scan(text: FoldedText, emit: TokenSink, isSpacedOnly: boolean, isEnough: IsEnough): void {
  const { folded } = text;
  let at = 0;
  while (at < folded.length && !isEnough(at)) {
    const characterClass = classAt(folded, at);
    if (isSpacedOnly && characterClass === HAN) at = skipHan(folded, at) ?? scanChunk(text, at, emit);
    else if (isWordClass(characterClass)) at = scanPlainWord(text, at, emit) ?? scanChunk(text, at, emit);
    else if (characterClass === EMOJI) at = scanEmoji(folded, at, emit);
    else at += sizeAt(folded, at);
  }
}

/** Passes over a run of nothing but Han that nothing is tied to; null when it is another kind of run. */
function skipHan(folded: string, from: number): number | null {
  let at = from;
  while (at < folded.length && classAt(folded, at) === HAN) at += sizeAt(folded, at);
  const next = classAt(folded, at);
  return at === folded.length || (next === NO_WORD && !CONNECTORS.has(folded.charAt(at))) ? at : null;
}

/** The fast way for most of the world's text: letters and digits of ASCII that no connector ties to others. */
function scanPlainWord(text: FoldedText, from: number, emit: TokenSink): number | null {
  const { source, folded, sourceOffsets } = text;
  if (sourceOffsets !== null) return null;
  let at = from;
  let isSimple = true;
  for (; at < folded.length; at += 1) {
    const unit = folded.charCodeAt(at);
    const isLetter = unit >= 0x61 && unit <= 0x7a;
    if (!isLetter && !(unit >= 0x30 && unit <= 0x39)) break;
    if (!isLetter || (at > from && source.charCodeAt(at) !== unit)) isSimple = false;
  }
  const next = folded.charCodeAt(at);
  // `#` may belong to the name before it: `C#`.
  if (at === from || next >= 0x80 || next === 0x23) return null;
  if (next > 0x20 && CONNECTORS.has(folded.charAt(at))) {
    const after = folded.charCodeAt(at + 1);
    if (!(after <= 0x20) && at + 1 < folded.length) return null;
  }
  emit(folded.slice(from, at), from, at, 'word', true);
  if (!isSimple) emitParts(text, { start: from, end: at, script: LATIN }, emit);
  return at;
}

/** Regions tied by connectors, like `src/core/text.ts` or `重跑gen-itgc后`. Answers where they end. */
function scanChunk(text: FoldedText, from: number, emit: TokenSink): number {
  const { folded } = text;
  let chain: Stretch[] = [];
  let at = from;
  for (;;) {
    const region = readRegion(folded, at);
    for (const [index, stretch] of emitRegion(text, region, emit).entries()) {
      const last = chain.at(-1);
      const isTied = index === 0 && last !== undefined && isLink(folded, last, stretch);
      if (!isTied || isDenseScript(stretch.script)) {
        emitChain(folded, chain, emit);
        chain = [];
      }
      if (!isDenseScript(stretch.script)) chain.push(stretch);
    }
    const next = afterConnectors(folded, region.end);
    if (next === null) {
      emitChain(folded, chain, emit);
      return region.end;
    }
    at = next;
  }
}

function readRegion(folded: string, from: number): Region {
  const bounds = [from];
  let at = from;
  for (;;) {
    while (at < folded.length && isWordClass(classAt(folded, at))) at += sizeAt(folded, at);
    bounds.push(at);
    const runEnd = at;
    while (at < folded.length && isAttachedClass(classAt(folded, at))) at += sizeAt(folded, at);
    if (at === runEnd || at === folded.length || !isWordClass(classAt(folded, at))) {
      return { start: from, end: at, bounds, isPlain: bounds.length === 2 && at === runEnd };
    }
    bounds.push(at);
  }
}

/** Where the next region of a chunk begins; null when the chunk ends. */
function afterConnectors(folded: string, end: number): number | null {
  let at = end;
  while (at < folded.length && at - end < MOST_CONNECTORS && CONNECTORS.has(folded.charAt(at))) at += 1;
  return at > end && at < folded.length && isWordClass(classAt(folded, at)) ? at : null;
}

/** Emits what the reference rule finds in a region, then what it does not; answers the region's stretches. */
function emitRegion(text: FoldedText, region: Region, emit: TokenSink): Stretch[] {
  const { folded } = text;
  const stretches = stretchesOf(folded, region);
  const isWhole = region.isPlain && stretches.length === 1;
  const { bounds } = region;
  for (let at = 0; at + 1 < bounds.length; at += 2) {
    emitReferenceRun(folded, bounds[at] ?? 0, bounds[at + 1] ?? 0, region.isPlain ? stretches : [], emit);
  }
  const isPaired = region.isPlain && holdsPairs(folded, region.start, region.end);
  for (const stretch of stretches) {
    if (isDenseScript(stretch.script)) emitDense(folded, stretch, { isWhole, isPaired }, emit);
    else {
      if (!isWhole) emit(folded.slice(stretch.start, stretch.end), stretch.start, stretch.end, 'word', false);
      emitParts(text, stretch, emit);
    }
  }
  return stretches;
}

/** One run by the reference rule: whole, or pair by pair. Without stretches (between marks) all of it is shards. */
function emitReferenceRun(
  folded: string,
  start: number,
  end: number,
  stretches: readonly Stretch[],
  emit: TokenSink,
): void {
  let middle = start + sizeAt(folded, start);
  if (middle === end || !holdsPairs(folded, start, end)) {
    emit(folded.slice(start, end), start, end, stretches.length === 0 ? 'shard' : 'word', true);
    return;
  }
  let at = start;
  let index = 0;
  while (middle < end) {
    const next = middle + sizeAt(folded, middle);
    while (index + 1 < stretches.length && (stretches[index]?.end ?? 0) <= at) index += 1;
    const stretch = stretches[index];
    const isInside = stretch !== undefined && next <= stretch.end && isDenseScript(stretch.script);
    emit(folded.slice(at, next), at, next, isInside ? pairKind(stretch) : 'shard', true);
    at = middle;
    middle = next;
  }
}

function holdsPairs(folded: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const unit = folded.charCodeAt(at);
    if (unit >= FIRST_PAIRED && unit <= LAST_PAIRED) return true;
  }
  return false;
}

/** Cuts a region where the script changes; marks and letters of no script go with what stands before them. */
function stretchesOf(folded: string, region: Region): Stretch[] {
  const stretches: Stretch[] = [];
  let start = region.start;
  let script = scriptAt(folded, start) || LATIN;
  for (let at = start; at < region.end; at += sizeAt(folded, at)) {
    const here = scriptAt(folded, at);
    if (here === 0 || here === script) continue;
    stretches.push({ start, end: at, script });
    start = at;
    script = here;
  }
  stretches.push({ start, end: region.end, script });
  return stretches;
}

/** The script of a character; 0 for marks and for letters of no script, like the Kana length mark. Digits are Latin. */
function scriptAt(folded: string, at: number): number {
  const point = pointAt(folded, at);
  const characterClass = CLASS_BY_POINT[point] ?? 0;
  if (!isWordClass(characterClass)) return 0;
  if (characterClass !== COMMON_WORD) return characterClass;
  const isFullWidthDigit = point >= 0xff10 && point <= 0xff19;
  return point < 0x3000 || isFullWidthDigit ? LATIN : 0;
}
