// What holds for any text, over seeded random text of many scripts. A failure names its seed.
import { describe, expect, test } from 'vitest';
import { excerptOf } from '../../src/core/excerpt.js';
import { matchText, searchableText } from '../../src/core/match.js';
import { extractRecord } from '../../src/core/message.js';
import { parseQuery } from '../../src/core/query.js';
import { caseFold, charLength, foldWithMap, sliceChars, wellFormed } from '../../src/core/text.js';
import { indexTerms, indexText, referenceTerms, tokenize } from '../../src/core/tokenize.js';
import { type SeededRandom, seededRandom, seededText } from '../support/seeded.js';

const SEEDS = 300;

function forEachSeed(check: (random: SeededRandom, seed: string) => void): void {
  for (let seed = 1; seed <= SEEDS; seed += 1) check(seededRandom(seed), `seed ${seed}`);
}

describe('any text', () => {
  test('has clean keys, all words of the reference, and is found by each of them', () => {
    forEachSeed((random, seed) => {
      const text = seededText(random, 1 + random.below(40));
      const keys = new Set(indexTerms(text));
      expect(
        [...keys].filter((key) => key === '' || /[\s"]/.test(key)),
        seed,
      ).toEqual([]);

      const words = referenceTerms(text);
      const surfaces = new Set(tokenize(text).map((token) => token.surface));
      expect(
        words.filter((word) => !surfaces.has(word)),
        seed,
      ).toEqual([]);
      expect(
        words.filter((word) => !parseQuery(word).terms.some((term) => keys.has(term))),
        seed,
      ).toEqual([]);
    });
  });

  test('is excerpted as the characters between the offsets', () => {
    forEachSeed((random, seed) => {
      const text = seededText(random, random.below(300));
      const query = parseQuery(seededText(random, 1 + random.below(3)));
      for (const mode of ['substring', 'token'] as const) {
        const { excerpt, excerpt_start, excerpt_end } = excerptOf(text, query, mode);
        expect(excerpt, seed).toBe(sliceChars(wellFormed(text), excerpt_start, excerpt_end));
        expect(charLength(excerpt), seed).toBe(Math.min(600, charLength(text)));
      }
    });
  });

  test('matches live wherever it matches archived, and is as long', () => {
    forEachSeed((random, seed) => {
      const text = seededText(random, 1 + random.below(30));
      const keys = indexTerms(text);
      const query = parseQuery(seededText(random, 1 + random.below(4)));
      const live = searchableText(text);
      expect(live.words, seed).toBe(indexText(text).words);
      if (query.terms.some((term) => keys.includes(term)))
        expect(matchText(live, query), seed).not.toBeNull();
    });
  });

  test('is located wherever a live match is claimed by a word', () => {
    forEachSeed((random, seed) => {
      const text = seededText(random, 1 + random.below(30));
      const query = parseQuery(seededText(random, 1 + random.below(4)));
      const match = matchText(searchableText(text), query);
      if (match !== null) expect(excerptOf(text, query, 'substring').excerpt_match, seed).toBe(true);
    });
  });

  test('folds to text whose parts lead back to the characters they came from', () => {
    forEachSeed((random, seed) => {
      const { source, folded, sourceOffsets } = foldWithMap(seededText(random, random.below(40)));
      expect(folded, seed).toBe(caseFold(source));
      if (sourceOffsets === null) return expect(folded.length, seed).toBe(source.length);
      const characters = new Set([...sourceOffsets].map((offset) => source.codePointAt(offset)));
      expect(
        [...source].filter((character) => !characters.has(character.codePointAt(0))),
        seed,
      ).toEqual([]);
    });
  });

  test('is recorded without lone surrogates, cut between characters, under an id that no cap changes', () => {
    forEachSeed((random, seed) => {
      const content = seededText(random, 1 + random.below(40));
      const message = {
        type: 'human',
        content,
        id: 'm',
        name: null,
        additional_kwargs: {},
        tool_calls: [],
        tool_call_id: null,
      };
      const whole = extractRecord(message, 64_000);
      const cut = extractRecord(message, 10);
      expect(cut?.id, seed).toBe(whole?.id);
      expect(cut?.text, seed).toBe(sliceChars(wellFormed(content), 0, 10));
      expect(/\p{Surrogate}/u.test(cut?.text ?? ''), seed).toBe(false);
    });
  });
});
