// Draws text with ranges set apart in it: an excerpt, the words of a query. Text stays text.
import { h } from './dom.js';
import { queryWords, unitIndex, wordRanges } from './marked.js';
import type { SourcePlace } from './store.js';

/** A stretch of the text, in UTF-16 units, half-open, and the element that shows it. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly tag: 'mark' | 'span';
  readonly class?: string;
}

/**
 * The text cut at every border of a range, each piece inside the elements of the ranges over it. Ranges may
 * overlap; every character of the text appears exactly once and in order, so offsets into the source hold.
 */
export function drawRanges(text: string, ranges: readonly Range[]): Node[] {
  return drawPiece(text, 0, text.length, ranges);
}

/** The same for a part of the text, with the ranges as far as they lie in it. */
export function drawPiece(text: string, from: number, to: number, ranges: readonly Range[]): Node[] {
  if (from >= to) return [];
  const borders = new Set([from, to]);
  for (const range of ranges) {
    for (const border of [range.from, range.to]) if (border > from && border < to) borders.add(border);
  }
  const cuts = [...borders].sort((left, right) => left - right);
  const nodes: Node[] = [];
  for (const [index, start] of cuts.entries()) {
    const end = cuts[index + 1];
    if (end === undefined) break;
    let node: Node = document.createTextNode(text.slice(start, end));
    for (const range of ranges.toReversed()) {
      if (range.from <= start && end <= range.to) node = h(range.tag, { class: range.class }, node);
    }
    nodes.push(node);
  }
  return nodes;
}

/** A place set apart, and the query's words marked inside it; without such words the whole place is marked. */
export function placeRanges(text: string, place: SourcePlace): readonly Range[] {
  const from = unitIndex(text, place.start);
  const to = unitIndex(text, place.end);
  const found = wordRanges(text.slice(from, to), queryWords(place.query));
  const marks: readonly Range[] =
    found.length === 0
      ? [{ from, to, tag: 'mark' }]
      : found.map((range) => ({ from: from + range.from, to: from + range.to, tag: 'mark' }));
  return [{ from, to, tag: 'span', class: 'excerpt' }, ...marks];
}
