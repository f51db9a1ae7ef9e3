import { describe, expect, test } from 'vitest';
import { matchText, searchableText } from './match.js';
import { parseQuery } from './query.js';

const matchOf = (text: string, query: string) => matchText(searchableText(text), parseQuery(query));

describe('a live message', () => {
  test('matches by words, counted in the order of the query', () => {
    expect(matchOf('replica, replicas and a ledger', 'ledger replica')).toEqual({
      counts: [1, 2],
      words: 4,
      substrings: 2,
    });
  });

  test('matches by a part of a word, which counts as no occurrence', () => {
    expect(matchOf('concatenate', 'cat')).toEqual({ counts: [0], words: 1, substrings: 1 });
  });

  test('matches by a stop-word alone, without a telling needle', () => {
    expect(matchOf('the end', 'the replica')).toMatchObject({ counts: [0, 1], substrings: 0 });
    expect(matchOf('brother', 'the replica')).toMatchObject({ counts: [0, 0], substrings: 0 });
  });

  test('does not match when nothing of the query is in it', () => {
    expect(matchOf('a ledger', 'replica')).toBeNull();
  });

  test('counts characters and pairs of scripts without blanks in place', () => {
    expect(matchOf('备份备份', '备份')?.counts).toEqual([2]);
    expect(matchOf('데이터베이스', '베이')?.counts).toEqual([1]);
    expect(matchOf('\u1112\u1161\u11ab\u1100\u116e\u11a8', '한국')?.counts[0]).toBeGreaterThan(0);
  });

  test('matches by inflection and spelling although no substring is shared', () => {
    expect(matchOf('she bought it', 'buying')?.counts).toEqual([1]);
    expect(matchOf('user_id', 'userid')?.counts).toEqual([1]);
  });
});
