import { describe, expect, test } from 'vitest';
import {
  caseFold,
  charLength,
  compareByCodePoint,
  composed,
  foldWithMap,
  sliceChars,
  wellFormed,
} from './text.js';

describe('characters are code points', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['😀😀', 2],
    ['e\u0301', 2],
    ['👩‍🚀', 3],
    ['a\ud83d b', 4],
    ['\udc00\ud83d', 2],
  ])('%j has %i', (text, length) => {
    expect(charLength(text)).toBe(length);
  });

  test.each([
    ['abcdef', 1, 3, 'bc'],
    ['abcdef', 4, 99, 'ef'],
    ['abcdef', 9, 12, ''],
    ['abcdef', 3, 3, ''],
    ['abcdef', 4, 2, ''],
    ['abcdef', -2, 2, 'ab'],
    ['😀b😀d', 1, 3, 'b😀'],
    ['😀b😀d', 2, 99, '😀d'],
    ['😀b😀d', 9, 12, ''],
    ['a\ud83db', 1, 2, '\ud83d'],
  ])('%j from %i to %i is %j', (text, start, end, slice) => {
    expect(sliceChars(text, start, end)).toBe(slice);
  });

  test('a slice without an end goes to the end of the text', () => {
    expect(sliceChars('😀b😀d', 2)).toBe('😀d');
    expect(sliceChars('abcd', 2)).toBe('cd');
  });

  test('order is that of code points, not of UTF-16 units', () => {
    expect(['\u{10000}', '\uffff', 'b', 'a', 'ab'].sort(compareByCodePoint)).toEqual([
      'a',
      'ab',
      'b',
      '\uffff',
      '\u{10000}',
    ]);
  });
});

describe('lone surrogates', () => {
  test('become U+FFFD, whole pairs stay', () => {
    expect(wellFormed('a\ud83d b\udc00😀')).toBe('a\ufffd b\ufffd😀');
    expect(caseFold('A\ud83dB')).toBe('a\ufffdb');
    expect(foldWithMap('A\ud83dB')).toEqual({ source: 'A\ufffdB', folded: 'a\ufffdb', sourceOffsets: null });
  });
});

describe('folding', () => {
  test.each([
    ['Straße', 'strasse'],
    ['ﬃ', 'ffi'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['İ', 'i\u0307'],
    ['DIYARBAKIR', 'diyarbakir'],
    ['Ꭰꭰꭱ', 'ᎠᎠᎡ'],
    ['𐐀', '𐐨'],
    ['Привет’', 'привет’'],
  ])('%s is folded to %s in every engine', (text, folded) => {
    expect(caseFold(text)).toBe(folded);
  });

  test('remembers where expanded characters came from', () => {
    const { folded, sourceOffsets } = foldWithMap('xß😀𐐀ﬃ');
    expect(folded).toBe('xss😀𐐨ffi');
    expect([...(sourceOffsets ?? [])]).toEqual([0, 1, 1, 2, 3, 4, 5, 6, 6, 6]);
  });

  test('needs no offsets where no length changes', () => {
    expect(foldWithMap('Привет ABC').sourceOffsets).toBeNull();
  });
});

test('Kana and Hangul are composed, other text is left alone', () => {
  expect(composed('か\u3099')).toBe('が');
  expect(composed('\u1112\u1161\u11ab')).toBe('한');
  expect(composed('e\u0301豈')).toBe('e\u0301豈');
});
