// Scripts without blanks between words, or with endings tied to them: every character and every pair is a token.
import type { Stretch, TokenKind, TokenSink } from './scan.js';
import type { FoldedText } from './text.js';
import { classAt, HAN, isAttachedClass, isDenseScript, sizeAt } from './unicode.js';

/**
 * Whether a token is one or two characters, one of them of a script without blanks: such a token stands wherever
 * its characters stand side by side.
 */
export function isDenseTerm(surface: string): boolean {
  const first = sizeAt(surface, 0);
  if (first < surface.length && first + sizeAt(surface, first) < surface.length) return false;
  return isDenseScript(classAt(surface, 0)) || isDenseScript(classAt(surface, first));
}

/** How many characters of a text are of scripts without blanks, marks not counted. */
export function denseLength({ folded }: FoldedText): number {
  let length = 0;
  for (let at = 0; at < folded.length; at += sizeAt(folded, at)) {
    if (isDenseScript(classAt(folded, at))) length += 1;
  }
  return length;
}

/** What a pair of characters is: in Han mostly a word, elsewhere a piece of one. */
export const pairKind = (stretch: Stretch): TokenKind => (stretch.script === HAN ? 'word' : 'part');

/**
 * A stretch without blanks: every character, every pair, and outside Han the whole as well. `isWhole` says that
 * the reference rule looked at this very stretch, `isPaired` that it cut pairs.
 */
export function emitDense(
  folded: string,
  stretch: Stretch,
  done: { readonly isWhole: boolean; readonly isPaired: boolean },
  emit: TokenSink,
): void {
  const { start, end } = stretch;
  const units = unitsOf(folded, stretch);
  const isSingle = units.length === 1;
  const isWholeDone = done.isWhole && (isSingle || !done.isPaired);
  const isWholeWanted = isSingle || stretch.script !== HAN;
  if (isWholeWanted && !isWholeDone) emit(folded.slice(start, end), start, end, 'word', false);
  if (isSingle) return;
  const arePairsDone = done.isPaired || (units.length === 2 && (isWholeDone || isWholeWanted));
  for (const [index, unit] of units.entries()) {
    const next = units[index + 1];
    emit(folded.slice(unit, next ?? end), unit, next ?? end, 'unit', false);
    if (next === undefined || arePairsDone) continue;
    const pairEnd = units[index + 2] ?? end;
    emit(folded.slice(unit, pairEnd), unit, pairEnd, pairKind(stretch), false);
  }
}

/** Where the characters of a stretch begin, each with the marks that follow it. */
function unitsOf(folded: string, stretch: Stretch): number[] {
  const starts: number[] = [];
  for (let at = stretch.start; at < stretch.end; at += sizeAt(folded, at)) {
    if (starts.length === 0 || !(isAttachedClass(classAt(folded, at)) || isLaterJamo(folded.charCodeAt(at))))
      starts.push(at);
  }
  return starts;
}

/** Vowels and finals of Hangul that stand for themselves belong to the consonant before them. */
const isLaterJamo = (unit: number): boolean => unit >= 0x1160 && unit <= 0x11ff;
