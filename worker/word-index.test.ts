import { describe, expect, test } from 'vitest';
import { wellFormed } from '../src/core/text.js';
import { indexText } from '../src/core/tokenize.js';
import { seededRandom, seededText } from '../test/support/seeded.js';
import { type BatchIndex, findWord, indexBatch, listOf } from './word-index.js';

/** For a word, the place and the count of each source that holds it. */
function sourcesOf({ lists }: BatchIndex, word: string): Record<number, number> {
  const sources: Record<number, number> = {};
  findWord(lists[listOf(word, lists.length)] ?? '', word, (place, count) => {
    sources[place] = count;
  });
  return sources;
}

describe('the word index of a batch', () => {
  test('tells which sources hold a word and how often', () => {
    const index = indexBatch(['pear fig pear', 'fig', 'plum']);
    expect(sourcesOf(index, 'pear')).toEqual({ 0: 2 });
    expect(sourcesOf(index, 'fig')).toEqual({ 0: 1, 1: 1 });
    expect(sourcesOf(index, 'quince')).toEqual({});
  });

  test('finds no word by a part of it', () => {
    const index = indexBatch(['sandbank']);
    expect(sourcesOf(index, 'sand')).toEqual({});
    expect(sourcesOf(index, 'bank')).toEqual({});
  });

  test('agrees with the tokenizer on every word of many sources', () => {
    const seed = 31;
    const random = seededRandom(seed);
    const texts = Array.from({ length: 300 }, () => seededText(random, 80));
    const index = indexBatch(texts);
    const expected = new Map<string, Record<number, number>>();
    for (const [place, { keys }] of texts.map(indexText).entries()) {
      // Halves of a surrogate pair are no words: UTF-8 cannot tell one from another.
      for (const key of keys.filter((key) => wellFormed(key) === key)) {
        const sources = expected.get(key) ?? {};
        sources[place] = (sources[place] ?? 0) + 1;
        expected.set(key, sources);
      }
    }
    expect(index.lists.length, `seed ${seed}`).toBeGreaterThan(50);
    for (const [word, sources] of expected)
      expect(sourcesOf(index, word), `seed ${seed}: ${word}`).toEqual(sources);
  });

  test('keeps the counts of a source that is one word over and over', () => {
    expect(sourcesOf(indexBatch(['fig '.repeat(60_000)]), 'fig')).toEqual({ 0: 0x7fff });
  });

  test('has one list when there is nothing to index', () => {
    expect(indexBatch(['', '…'])).toEqual({ lists: ['\n'], words: [0, 0] });
  });
});
