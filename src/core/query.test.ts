import { describe, expect, test } from 'vitest';
import { parseQuery, QUERY_KEYS, STRONG_WEIGHT } from './query.js';

const strongTerms = (query: string): string[] => {
  const { terms, weights } = parseQuery(query);
  return terms.filter((_, index) => (weights[index] ?? 0) >= STRONG_WEIGHT);
};

describe('a query', () => {
  test('is its first 500 characters, counted before folding', () => {
    const filler = 'z '.repeat(247);
    expect(parseQuery(`${filler}abcdef`).needles).toEqual(['z', 'abcdef']);
    expect(parseQuery(`${filler}abcdefgh`).needles).toEqual(['z', 'abcdef']);
    expect(parseQuery(`${'😀 '.repeat(249)}ab`).needles).toEqual(['ab']);
  });

  test('is the first 32 distinct words of the reference rule, and no more than 64 keys', () => {
    const words = Array.from({ length: 60 }, (_, index) => `w${index}`);
    const { needles, terms } = parseQuery(['w0', 'W0', ...words].join(' '));
    expect([...needles].sort()).toEqual(words.slice(0, 32).sort());
    expect(terms.length).toBeLessThanOrEqual(QUERY_KEYS);
    for (const word of words.slice(0, 32)) expect(terms).toContain(word);
  });

  test('of a long word without blanks keeps every word of the reference', () => {
    const { terms, needles } = parseQuery(`${'かな'.repeat(40)} replica`);
    expect(needles).toContain('replica');
    expect(terms).toContain('replica');
  });

  test.each(['', '   ', '!!! ...', '___', '\u0301'])('of nothing to search for has no terms: %j', (query) => {
    expect(parseQuery(query)).toEqual({ terms: [], weights: [], needles: [], strongNeedles: 0 });
  });

  test('of an emoji has a term', () => {
    expect(parseQuery('👍🏽').terms).toEqual(['👍🏽', '👍']);
  });

  test('with a lone surrogate is searched for the rest', () => {
    expect(parseQuery('a\ud83d replica').terms).toContain('replica');
  });
});

describe('stop-words', () => {
  test('are searched, but hardly count beside others', () => {
    const { terms, weights } = parseQuery('What is the replica of it?');
    expect(terms[0]).toBe('replica');
    expect(terms).toContain('the');
    expect(weights[0]).toBe(1);
    expect(Math.max(...weights.slice(1))).toBeLessThan(STRONG_WEIGHT);
  });

  test('count fully where there is nothing else', () => {
    expect(strongTerms('to be or not to be')).toEqual(expect.arrayContaining(['to', 'be', 'or', 'not']));
    expect(parseQuery('the').weights).toEqual([1]);
  });

  test('of Chinese are known', () => {
    expect(strongTerms('怎么 备份')).toEqual(['备份']);
  });

  test('stand behind the needles worth an excerpt', () => {
    const { needles, strongNeedles } = parseQuery('the replica');
    expect(needles).toEqual(['replica', 'the']);
    expect(strongNeedles).toBe(1);
  });
});

describe('weights', () => {
  test('make an identifier and its words strong, what the reference cuts across scripts weak', () => {
    expect(strongTerms('请调用API接口')).toEqual(['请调', '调用', '接口', 'api']);
    expect(strongTerms('user_id')).toEqual(['user', 'id', 'userid']);
  });

  test('fall in order', () => {
    const { weights } = parseQuery('the parseHTTPResponse of 请调用API');
    expect([...weights].sort((a, b) => b - a)).toEqual([...weights]);
  });
});
