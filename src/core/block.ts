// Neighbouring live messages with one index of their words, which is asked in place of every message by itself.
import { denseLength } from './dense.js';
import { countInPlace, planOf, type TextMatch } from './match.js';
import type { ParsedQuery } from './query.js';
import { scanSpacedTokens } from './scan.js';
import { keyOf } from './term-key.js';
import { composed, foldWithMap } from './text.js';

interface BlockText {
  readonly folded: string;
  readonly composed: string;
  /** As `indexText` counts them. */
  readonly words: number;
}

/** Some texts in their order, indexed: smaller than the counts of each, and one look-up a term for all of them. */
export interface Block {
  readonly texts: readonly BlockText[];
  /** Indices of the texts that hold characters of scripts without blanks; `words` knows nothing of those. */
  readonly dense: readonly number[];
  /** The texts' distinct words as the reference rule cuts them, each between line breaks. */
  readonly words: string;
  /** By key, which of `starts` is its own; the next one is where its postings end. */
  readonly placeByKey: ReadonlyMap<string, number>;
  readonly starts: Uint32Array;
  /** The index of a text and how often it has the key, alternately. */
  readonly postings: Uint16Array;
}

/** Most texts of a block: far fewer than an index in 16 bits can tell apart. */
export const BLOCK_TEXTS = 1_024;
const MOST_COUNTED = 0xffff;

export interface BlockBuilder {
  /** Costs as much as indexing the text. */
  add(text: string): void;
  build(): Block;
}

export function blockBuilder(): BlockBuilder {
  const texts: BlockText[] = [];
  const dense: number[] = [];
  const words = new Set<string>();
  const postingsByKey = new Map<string, number[]>();
  return {
    add(text) {
      const index = texts.length;
      const foldedText = foldWithMap(text);
      let distinct = 0;
      scanSpacedTokens(foldedText, (surface, _start, _end, _kind, isReference) => {
        if (isReference) words.add(surface);
        const key = keyOf(surface);
        const postings = postingsByKey.get(key);
        const last = postings === undefined ? -1 : postings.length - 1;
        if (postings !== undefined && postings[last - 1] === index) {
          postings[last] = Math.min(MOST_COUNTED, (postings[last] ?? 0) + 1);
          return;
        }
        distinct += 1;
        if (postings === undefined) postingsByKey.set(key, [index, 1]);
        else postings.push(index, 1);
      });
      const { folded } = foldedText;
      const denseWords = denseLength(foldedText);
      if (denseWords > 0) dense.push(index);
      texts.push({ folded, composed: composed(folded), words: distinct + denseWords });
    },
    build() {
      const placeByKey = new Map<string, number>();
      const starts = new Uint32Array(postingsByKey.size + 1);
      const lengths = [...postingsByKey.values()].map(({ length }) => length);
      const packed = new Uint16Array(lengths.reduce((sum, length) => sum + length, 0));
      let at = 0;
      for (const [key, postings] of postingsByKey) {
        packed.set(postings, at);
        at += postings.length;
        placeByKey.set(key, placeByKey.size);
        starts[placeByKey.size] = at;
      }
      return { texts, dense, words: `\n${[...words].join('\n')}\n`, placeByKey, starts, postings: packed };
    },
  };
}

/** How each text of a block matches, in their order; what `matchText` says of each of them. */
export function matchBlock(block: Block, query: ParsedQuery): (TextMatch | null)[] {
  const { texts, dense } = block;
  const { terms, needles, strongNeedles } = query;
  const { isDense, termOfNeedle } = planOf(query);
  const width = terms.length;
  const counts = new Uint16Array(texts.length * width);
  const isFound = new Uint8Array(texts.length);
  const substrings = new Uint8Array(texts.length);
  const count = (index: number, term: number, occurrences: number): void => {
    const cell = index * width + term;
    counts[cell] = Math.min(MOST_COUNTED, (counts[cell] ?? 0) + occurrences);
    isFound[index] = 1;
  };
  for (const [term, key] of terms.entries()) {
    eachPosting(block, key, (index, occurrences) => count(index, term, occurrences));
    if (isDense[term] !== true) continue;
    for (const index of dense) {
      const occurrences = countInPlace(texts[index]?.composed ?? '', key);
      if (occurrences > 0) count(index, term, occurrences);
    }
  }
  for (const [at, needle] of needles.entries()) {
    const isStrong = at < strongNeedles;
    // The others only decide whether a text matches at all.
    if (!isStrong && isFound.every((found, index) => found > 0 || (substrings[index] ?? 0) > 0)) break;
    const holds = new Uint8Array(texts.length);
    const term = termOfNeedle[at] ?? -1;
    if (term >= 0) {
      for (let index = 0; index < holds.length; index += 1) {
        if ((counts[index * width + term] ?? 0) > 0) holds[index] = 1;
      }
    }
    markSubstrings(block, needle, holds);
    for (let index = 0; index < holds.length; index += 1) {
      if (holds[index] === 0) continue;
      if (isStrong) substrings[index] = (substrings[index] ?? 0) + 1;
      else isFound[index] = 1;
    }
  }
  return texts.map(({ words }, index) => {
    if (isFound[index] === 0 && substrings[index] === 0) return null;
    // Filled by hand: ten thousand of these are most of a search.
    const own = new Array<number>(width);
    for (let term = 0; term < width; term += 1) own[term] = counts[index * width + term] ?? 0;
    return { counts: own, words, substrings: substrings[index] ?? 0 };
  });
}

/** Marks the texts that hold a needle and are not marked yet. A needle lies within a word: only those are looked at. */
function markSubstrings(block: Block, needle: string, holds: Uint8Array): void {
  const { texts, dense, words } = block;
  const look = (index: number): void => {
    if (holds[index] === 0 && texts[index]?.folded.includes(needle) === true) holds[index] = 1;
  };
  for (const index of dense) look(index);
  for (let at = words.indexOf(needle); at >= 0; ) {
    const end = words.indexOf('\n', at);
    eachPosting(block, keyOf(words.slice(words.lastIndexOf('\n', at) + 1, end)), look);
    at = words.indexOf(needle, end);
  }
}

function eachPosting(
  { placeByKey, starts, postings }: Block,
  key: string,
  visit: (index: number, count: number) => void,
): void {
  const place = placeByKey.get(key);
  if (place === undefined) return;
  const end = starts[place + 1] ?? 0;
  for (let at = starts[place] ?? 0; at < end; at += 2) visit(postings[at] ?? 0, postings[at + 1] ?? 0);
}
