// Draws text with ranges set apart in it: a little Markdown, an excerpt, the words of a query. Text stays text.
import { h } from './dom.js';
import { queryWords, unitIndex, wordRanges } from './marked.js';
import type { SourcePlace } from './store.js';

/** A stretch of the text, in UTF-16 units, half-open, and the element that shows it. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly tag: 'strong' | 'code' | 'mark' | 'span';
  readonly class?: string;
}

/**
 * The text cut at every border of a range, each piece inside the elements of the ranges over it. Ranges may
 * overlap; every character of the text appears exactly once and in order, so offsets into the source hold.
 */
export function drawRanges(text: string, ranges: readonly Range[]): Node[] {
  const borders = new Set([0, text.length]);
  for (const { from, to } of ranges) borders.add(from).add(to);
  const cuts = [...borders].sort((left, right) => left - right);
  const nodes: Node[] = [];
  for (const [index, from] of cuts.entries()) {
    const to = cuts[index + 1];
    if (to === undefined || to > text.length) break;
    let node: Node = document.createTextNode(text.slice(from, to));
    for (const range of ranges.toReversed()) {
      if (range.from <= from && to <= range.to) node = h(range.tag, { class: range.class }, node);
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

const MARKUP =
  /(?<fence>^```[^\n]*\n)(?<block>[\s\S]*?)(?<end>^```[^\S\n]*$)|(?<hashes>^#{1,6} )(?<heading>[^\n]+)|(?<stars>\*\*)(?<bold>[^*\n]+)\*\*|(?<tick>`)(?<code>[^`\n]+)`/gmu;

/** Bold, headings, code spans and code blocks; their signs stay in the text and are only hidden from view. */
export function markdownRanges(text: string): readonly Range[] {
  const ranges: Range[] = [];
  for (const match of text.matchAll(MARKUP)) {
    const groups = match.groups ?? {};
    const at = match.index;
    const opening = groups['fence'] ?? groups['hashes'] ?? groups['stars'] ?? groups['tick'] ?? '';
    const content = groups['block'] ?? groups['heading'] ?? groups['bold'] ?? groups['code'] ?? '';
    const from = at + opening.length;
    const to = from + content.length;
    ranges.push({ from: at, to: from, tag: 'span', class: 'sign' });
    if (at + match[0].length > to)
      ranges.push({ from: to, to: at + match[0].length, tag: 'span', class: 'sign' });
    if (groups['block'] !== undefined) ranges.push({ from, to, tag: 'code', class: 'block' });
    else ranges.push({ from, to, tag: groups['code'] === undefined ? 'strong' : 'code' });
  }
  return ranges;
}
