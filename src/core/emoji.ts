// Emoji: one token each, whatever code points it takes.
import type { TokenSink } from './scan.js';
import { classAt, EMOJI, pointAt, sizeAt } from './unicode.js';

type PointRange = readonly [number, number];
const FLAG_HALVES: PointRange = [0x1f1e6, 0x1f1ff];
const SKIN_TONES: PointRange = [0x1f3fb, 0x1f3ff];
const EMOJI_SELECTORS: PointRange = [0xfe0e, 0xfe0f];
const FLAG_TAGS: PointRange = [0xe0020, 0xe007f];

const isBetween = (point: number, [first, last]: PointRange): boolean => point >= first && point <= last;

const isModifier = (point: number): boolean =>
  isBetween(point, SKIN_TONES) || isBetween(point, EMOJI_SELECTORS) || isBetween(point, FLAG_TAGS);

/** One emoji: with its modifiers, a flag's two halves, or several joined. Answers where it ends. */
export function scanEmoji(folded: string, from: number, emit: TokenSink): number {
  const bases: string[] = [];
  let surface = '';
  let at = from;
  for (;;) {
    const start = at;
    at += sizeAt(folded, at);
    if (isBetween(pointAt(folded, start), FLAG_HALVES) && isBetween(pointAt(folded, at), FLAG_HALVES))
      at += 2;
    bases.push(folded.slice(start, at));
    surface += folded.slice(start, at);
    for (; isModifier(pointAt(folded, at)); at += sizeAt(folded, at)) {
      if (!isBetween(pointAt(folded, at), EMOJI_SELECTORS))
        surface += folded.slice(at, at + sizeAt(folded, at));
    }
    const isJoined = pointAt(folded, at) === 0x200d && classAt(folded, at + 1) === EMOJI;
    if (!isJoined) break;
    at += 1;
  }
  emit(surface, from, at, 'word', false);
  for (const base of bases) {
    if (base !== surface) emit(base, from, at, 'part', false);
  }
  return at;
}
