// Identifiers, numbers, paths and dotted names: found whole, whatever joins their words, and by their parts.
import type { Stretch, TokenSink } from './scan.js';
import type { FoldedText } from './text.js';
import { classAt, isAttachedClass, isDenseScript } from './unicode.js';

/** Longer compounds (UTF-16 units) are found by their parts only. */
const LONGEST_WHOLE = 64;
/** Words with more changes between letters and digits are hashes and ids: their pieces say nothing. */
const MOST_DIGIT_SEAMS = 4;
/** What stands after an apostrophe without making another word of it. */
const ENDINGS: ReadonlySet<string> = new Set(['s', 'll', 're', 've', 'd', 'm']);

const FINAL_SIGMA = 0x3c2;

const isDigitAt = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0x30 && unit <= 0x39;
};

const isSecondHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Emits the pieces of `camelCase`, `HTTPServer` and `5kg`; single letters are left out. */
export function emitParts(text: FoldedText, stretch: Stretch, emit: TokenSink): void {
  const seams = partSeams(text, stretch);
  if (seams.length === 0) return;
  let start = stretch.start;
  for (const end of [...seams, stretch.end]) {
    if (end - start > 1 || isDigitAt(text.folded, start))
      emit(text.folded.slice(start, end), start, end, 'part', false);
    start = end;
  }
}

function partSeams({ source, folded, sourceOffsets }: FoldedText, { start, end }: Stretch): number[] {
  const seams: number[] = [];
  let digitSeams = 0;
  const sourceAt = (at: number): number => sourceOffsets?.[at] ?? at;
  const isUpper = (at: number): boolean => {
    const unit = source.charCodeAt(sourceAt(at));
    // `ß`, `ﬁ` and the final `ς` fold to something else without being capitals.
    const isExpanded =
      sourceOffsets !== null && [at - 1, at + 1].some((other) => sourceAt(other) === sourceAt(at));
    return unit !== folded.charCodeAt(at) && unit !== FINAL_SIGMA && !isExpanded;
  };
  let before = start;
  for (let at = start + 1; at < end; before = at, at += 1) {
    while (at < end && isAttachedClass(classAt(folded, at))) at += 1;
    if (at === end) break;
    // The second half of a character is no place for a seam.
    if (isSecondHalf(folded, at)) continue;
    if (isDigitAt(folded, at) !== isDigitAt(folded, before)) {
      digitSeams += 1;
      seams.push(at);
    } else if (isUpper(at)) {
      // The last capital of `HTTPServer` begins a word; the `s` of `URLs` does not make one of its `L`.
      const isLastCapital = at + 2 < end && !isUpper(at + 1) && !isDigitAt(folded, at + 1);
      if (!isUpper(before) || isLastCapital) seams.push(at);
    }
  }
  return digitSeams > MOST_DIGIT_SEAMS ? [] : seams;
}

/** Whether what stands between two neighbouring stretches ties them to one identifier. */
export function isLink(folded: string, left: Stretch, right: Stretch): boolean {
  if (isDenseScript(left.script) || isDenseScript(right.script)) return false;
  const connector = folded.slice(left.end, right.start);
  if (connector.includes(',')) {
    return connector === ',' && isDigitAt(folded, left.end - 1) && isDigitAt(folded, right.start);
  }
  if (connector !== "'" && connector !== '’') return connector !== '';
  return !ENDINGS.has(folded.slice(right.start, right.end));
}

/** Emits a chain of tied stretches whole, and each segment of a path that has several words itself. */
export function emitChain(folded: string, chain: readonly Stretch[], emit: TokenSink): void {
  const [first] = chain;
  if (first === undefined) return;
  if (chain.length === 1) {
    emitOperatorName(folded, first, emit);
    return;
  }
  emitWhole(folded, chain, emit);
  let segment: Stretch[] = [];
  let segments = 0;
  const finish = (isLast: boolean): void => {
    segments += 1;
    if (segment.length > 1 && !(isLast && segments === 1)) emitWhole(folded, segment, emit);
    segment = [];
  };
  let end = first.start;
  for (const stretch of chain) {
    if (/[/\\=@&]/.test(folded.slice(end, stretch.start))) finish(false);
    segment.push(stretch);
    end = stretch.end;
  }
  finish(true);
}

/** `c++` and `c#`: names of one or two letters that would be nothing without their signs. */
function emitOperatorName(folded: string, { start, end }: Stretch, emit: TokenSink): void {
  if (end - start > 2 || isDigitAt(folded, end - 1)) return;
  const sign = /^(?:\+\+|#)(?![\w+#])/.exec(folded.slice(end, end + 3));
  if (sign !== null)
    emit(folded.slice(start, end + sign[0].length), start, end + sign[0].length, 'whole', false);
}

/**
 * One surface for all spellings: `user_id`, `user-id` and `userId` become `userid`. Between digits a point stays,
 * so that 3.14 is not 314; groups of thousands are joined, so that 10,000 is 10000.
 */
function emitWhole(folded: string, chain: readonly Stretch[], emit: TokenSink): void {
  const [first, ...others] = chain;
  const last = others.at(-1);
  if (first === undefined || last === undefined || last.end - first.start > LONGEST_WHOLE) return;
  let surface = folded.slice(first.start, first.end);
  let { end } = first;
  for (const stretch of others) {
    const isNumber = isDigitAt(folded, end - 1) && isDigitAt(folded, stretch.start);
    const isThousands =
      folded.slice(end, stretch.start) === ',' &&
      /^\d{3}(?!\d)/.test(folded.slice(stretch.start, stretch.start + 4));
    surface += (isNumber && !isThousands ? '.' : '') + folded.slice(stretch.start, stretch.end);
    end = stretch.end;
  }
  emit(surface, first.start, last.end, 'whole', false);
  // `3.5gb` is `3.5` too: the unit may stand apart elsewhere.
  const number = /^[\d.]*\d(?=[a-z]+$)/.exec(surface)?.[0];
  if (number?.includes('.') === true) emit(number, first.start, last.end, 'part', false);
}
