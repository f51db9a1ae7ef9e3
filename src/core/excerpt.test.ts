import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../test/support/seeded.js';
import { excerptOf } from './excerpt.js';
import { parseQuery } from './query.js';
import { tokenize } from './tokenize.js';

describe('an excerpt', () => {
  const source = `${'x '.repeat(2_500)}Needle${' x'.repeat(500)}`;

  test.each(['substring', 'token'] as const)('is centred on the earliest match (%s)', (mode) => {
    expect(excerptOf(source, parseQuery('needle'), mode)).toMatchObject({
      excerpt_start: 4_703,
      excerpt_end: 5_303,
      excerpt_match: true,
    });
  });

  test.each([1, 2, 3])('begins where the earliest token or needle of all does (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const words = [
      '保留',
      '备份',
      '份',
      '，',
      'deploying ',
      'deploys ',
      'src/core/text.ts ',
      '検索',
      '한국어',
      '. ',
    ];
    const margin = '. '.repeat(300);
    for (let round = 0; round < 100; round += 1) {
      const text = Array.from({ length: 40 }, () => random.pick(words)).join('');
      const asked = Array.from({ length: 1 + random.below(3) }, () => random.pick(words)).join(' ');
      const query = parseQuery(asked);
      const tokens = tokenize(text).filter(({ key }) => query.terms.includes(key));
      const earliest = Math.min(
        ...tokens.map(({ start }) => start),
        ...query.needles.map((needle) => text.indexOf(needle)).filter((at) => at >= 0),
      );
      const { excerpt, excerpt_match } = excerptOf(margin + text + margin, query, 'substring');
      const about = `seed ${seed}, ${JSON.stringify([text, asked])}`;
      expect(excerpt_match, about).toBe(Number.isFinite(earliest));
      // The match stands in the middle of the window, to half of its own length.
      const middle = excerpt_match ? margin.length + earliest : 0;
      const at = (margin + text + margin).indexOf(excerpt);
      expect(Math.abs(at + 300 - middle), about).toBeLessThanOrEqual(excerpt_match ? 8 : 300);
    }
  });

  test('is shifted at the ends of the source', () => {
    expect(excerptOf(`needle ${'x '.repeat(900)}`, parseQuery('needle'), 'token')).toMatchObject({
      excerpt_start: 0,
      excerpt_end: 600,
    });
    expect(excerptOf(`${'x '.repeat(900)}needle`, parseQuery('needle'), 'token')).toMatchObject({
      excerpt_start: 1_206,
      excerpt_end: 1_806,
    });
  });

  test('is the opening, and says so, when nothing can be located', () => {
    expect(excerptOf('short source', parseQuery('needle'), 'substring')).toEqual({
      excerpt: 'short source',
      excerpt_start: 0,
      excerpt_end: 12,
      excerpt_match: false,
    });
  });

  test('counts characters, not UTF-16 units', () => {
    const { excerpt_start, excerpt } = excerptOf(
      `${'😀'.repeat(1_000)} needle`,
      parseQuery('needle'),
      'token',
    );
    expect(excerpt_start).toBe(407);
    expect(excerpt).toBe(`${'😀'.repeat(593)} needle`);
  });

  test('begins at a telling word although a stop-word comes first', () => {
    const text = `the beginning ${'x '.repeat(1_000)}replica of the ledger`;
    expect(excerptOf(text, parseQuery('the replica'), 'substring').excerpt).toContain('replica');
    expect(excerptOf('only the rest', parseQuery('the replica'), 'token').excerpt_match).toBe(true);
  });

  test('finds parts of words in live messages only', () => {
    expect(excerptOf('concatenate', parseQuery('cat'), 'substring').excerpt_match).toBe(true);
    expect(excerptOf('concatenate', parseQuery('cat'), 'token').excerpt_match).toBe(false);
  });

  test('finds what the index finds: inflections, identifiers, other spellings', () => {
    for (const [text, query] of [
      ['we planned it', 'planning'],
      ['set user_id', 'userId'],
      ['a café', 'cafe'],
      ['重跑gen-itgc后', 'itgc'],
      ['\u1112\u1161\u11ab in pieces', '한'],
      ['\u304b\u3099 in pieces', 'が'],
    ] as const) {
      expect(excerptOf(text, parseQuery(query), 'token').excerpt_match).toBe(true);
      expect(excerptOf(text, parseQuery(query), 'substring').excerpt_match).toBe(true);
    }
  });

  test('leaves out a match longer than itself', () => {
    const long = 'k'.repeat(601);
    expect(excerptOf(`${long} x`, parseQuery('k'.repeat(500)), 'substring')).toMatchObject({
      excerpt_match: true,
    });
    expect(excerptOf(long, parseQuery(long), 'token')).toMatchObject({ excerpt_match: false });
  });

  test('of text with lone surrogates is the text that can be read', () => {
    expect(excerptOf('a\ud83d needle', parseQuery('needle'), 'token').excerpt).toBe('a\ufffd needle');
  });
});
