import { describe, expect, test } from 'vitest';
import { parseQuery } from './query.js';
import { type Candidate, emptyStatistics, mergeStatistics, scoreCandidates, statisticsOf } from './rank.js';
import { indexTerms, indexText } from './tokenize.js';

/** Scores of texts that stand far apart, so that none is another's neighbour. */
function scoresOf(
  query: string,
  texts: readonly string[],
  positions = texts.map((_, index) => index * 10),
): number[] {
  const parsed = parseQuery(query);
  const candidates = texts.map((text, index): Candidate => {
    const keys = indexTerms(text);
    return {
      counts: parsed.terms.map((term) => keys.filter((key) => key === term).length),
      words: indexText(text).words,
      position: positions[index] ?? 0,
    };
  });
  const others = Array.from({ length: 50 }, () => ({ counts: parsed.terms.map(() => 0), words: 5 }));
  return scoreCandidates(candidates, statisticsOf([...candidates, ...others], parsed.terms.length), parsed);
}

const isFalling = (scores: readonly number[]): boolean =>
  scores.every((score, at) => at === 0 || score < (scores[at - 1] ?? 0));

describe('a score', () => {
  test('rises with the frequency of a word, and falls with the length of the text', () => {
    expect(
      isFalling(
        scoresOf('replica', ['replica replica one', 'replica one', 'replica one two three four five']),
      ),
    ).toBe(true);
  });

  test('rises with the rarity of a word', () => {
    const [rare = 0, common = 0] = scoresOf('ledger replica', [
      'ledger one',
      'replica one',
      'replica two',
      'replica six',
    ]);
    expect(rare).toBeGreaterThan(common);
  });

  test('prefers two words of the query to one of them twice', () => {
    expect(isFalling(scoresOf('ledger replica', ['ledger replica', 'ledger ledger', 'one two']))).toBe(true);
  });

  test('of a stop-word is small, and above nothing', () => {
    const [word = 0, stopWord = 0] = scoresOf('the replica', ['replica one', 'the one']);
    expect(stopWord).toBeGreaterThan(0);
    expect(stopWord).toBeLessThan(word / 5);
  });

  test('of a word found only inside of others is below that of a word', () => {
    const query = parseQuery('cat');
    const candidates = [
      { counts: [1], words: 300, position: 0 },
      { counts: [0], words: 1, position: 10, substrings: 1 },
      { counts: [0], words: 1, position: 20, substrings: 0 },
    ];
    const scores = scoreCandidates(candidates, { documents: 3, words: 302, documentFrequency: [1] }, query);
    expect(isFalling(scores)).toBe(true);
    expect(scores[2]).toBe(0);
  });

  test('is finite without any statistics', () => {
    const candidates = [{ counts: [1], words: 0, position: 0 }];
    const [score = Number.NaN] = scoreCandidates(candidates, emptyStatistics(1), parseQuery('cat'));
    expect(Number.isFinite(score)).toBe(true);
    expect(score).toBeGreaterThan(0);
  });
});

describe('neighbours', () => {
  test('within two places lend a share, the nearer the more', () => {
    const [alone = 0] = scoresOf('replica', ['replica one', 'replica two'], [0, 3]);
    const [near = 0] = scoresOf('replica', ['replica one', 'replica two'], [0, 1]);
    const [farther = 0] = scoresOf('replica', ['replica one', 'replica two'], [0, 2]);
    expect(near).toBeCloseTo(alone * 1.35);
    expect(farther).toBeCloseTo(alone * 1.175);
  });

  test('lend less to a long text', () => {
    const statistics = { documents: 100, words: 1_000, documentFrequency: [2] };
    const gain = (words: number): number => {
      const scoreAt = (position: number): number => {
        const candidates = [
          { counts: [1], words, position: 0 },
          { counts: [1], words: 10, position },
        ];
        return scoreCandidates(candidates, statistics, parseQuery('replica'))[0] ?? 0;
      };
      return scoreAt(1) - scoreAt(9);
    };
    expect(gain(30)).toBeCloseTo(gain(5));
    expect(gain(60)).toBeCloseTo(gain(5) / 2);
  });

  test('are looked at among the best two hundred only', () => {
    const query = parseQuery('replica');
    const candidates = Array.from({ length: 202 }, (_, index) => ({
      counts: [index < 200 ? 2 : 1],
      words: 5,
      position: index < 200 ? index * 10 : 5_000 + index,
    }));
    const scores = scoreCandidates(candidates, statisticsOf(candidates, 1), query);
    expect(scores[201]).toBe(scores[200]);
    expect(scores[201]).toBeLessThan(scores[0] ?? 0);
  });
});

describe('statistics', () => {
  test('of two bodies are those of both together', () => {
    const one = [
      { counts: [1, 0], words: 3 },
      { counts: [0, 0], words: 4 },
    ];
    const two = [{ counts: [2, 5], words: 7 }];
    expect(mergeStatistics(statisticsOf(one, 2), statisticsOf(two, 2))).toEqual(
      statisticsOf([...one, ...two], 2),
    );
    expect(mergeStatistics(statisticsOf(one, 2), emptyStatistics(2))).toEqual(statisticsOf(one, 2));
  });
});
