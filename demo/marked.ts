// Positions in text: code points, as the history tools count them, and the words of a query.

/** Where code point `offset` begins in UTF-16 units; the text's end when it is beyond. */
export function unitIndex(text: string, offset: number): number {
  let units = 0;
  let points = 0;
  for (const point of text) {
    if (points >= offset) return units;
    units += point.length;
    points += 1;
  }
  return units;
}

/** How many code points a text has. */
export function codePoints(text: string): number {
  let points = 0;
  for (const _point of text) points += 1;
  return points;
}

/**
 * Words of a query worth marking. Short ones are left out, unless they are written in capitals or hold a digit or
 * a letter beyond ASCII. Display only; what is *found* is the archive's business.
 */
export function queryWords(query: string): readonly string[] {
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 3 || !/^[A-Z]?[a-z]*$/u.test(word)))];
}

/** Where the words occur in a text, in UTF-16 units, whatever their case; `ID` stands alone, not inside `said`. */
export function wordRanges(text: string, words: readonly string[]): readonly { from: number; to: number }[] {
  if (words.length === 0) return [];
  const pattern = new RegExp(words.map(patternOf).join('|'), 'giu');
  return Array.from(text.matchAll(pattern), (match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/** Cuts an excerpt to the surroundings of the first word found in it, at most `length` units long. */
export function cropped(text: string, words: readonly string[], length: number): string {
  if (text.length <= length) return text;
  const lower = text.toLowerCase();
  const positions = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const middle = positions.length === 0 ? 0 : Math.min(...positions);
  const start = Math.max(0, Math.min(middle - Math.floor(length / 3), text.length - length));
  const cut = text.slice(safeCut(text, start), safeCut(text, start + length));
  return `${start > 0 ? '…' : ''}${cut.trim()}${start + length < text.length ? '…' : ''}`;
}

/** Never between the halves of a surrogate pair. */
function safeCut(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

function patternOf(word: string): string {
  const literal = word.replace(/[\\^$*+?.()|[\]{}]/gu, '\\$&');
  return /^[a-z]{1,3}$/iu.test(word) ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
}
