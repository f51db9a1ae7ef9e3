// Positions in text, counted in code points.
import { describe, expect, test } from 'vitest';
import { codePoints, cropped, queryWords, unitIndex, wordRanges } from './marked.js';

describe('positions', () => {
  test.each([
    ['abc', 2, 2],
    ['🧵ab', 1, 2],
    ['🧵ab', 0, 0],
    ['👩‍🚀 x', 4, 6],
    ['ab', 9, 2],
  ])('code point %s of %j begins at unit %s', (text, offset, unit) => {
    expect(unitIndex(text, offset)).toBe(unit);
  });

  test('code points count an emoji once and a combining mark of its own', () => {
    expect(codePoints('a🧵e\u0301')).toBe(4);
  });
});

describe('query words', () => {
  test('leave out short words, keep identifiers, numbers and other scripts', () => {
    expect(queryWords('What is the ID of ZX-731, No 42, 预订?')).toEqual([
      'What',
      'ID',
      'ZX-731',
      '42',
      '预订',
    ]);
  });

  test('are found whatever their case, and never read as patterns', () => {
    expect(wordRanges('Seat a.b, SEAT A.B, seat aXb', ['a.b', 'seat'])).toEqual([
      { from: 0, to: 4 },
      { from: 5, to: 8 },
      { from: 10, to: 14 },
      { from: 15, to: 18 },
      { from: 20, to: 24 },
    ]);
  });
});

test('a short word is marked as a word of its own', () => {
  expect(wordRanges('He said: my ID, the id', ['ID'])).toEqual([
    { from: 12, to: 14 },
    { from: 20, to: 22 },
  ]);
});

describe('cropped', () => {
  test('keeps the surroundings of the first word and says that it cut', () => {
    const text = `${'x '.repeat(200)}needle${' y'.repeat(200)}`;
    const piece = cropped(text, ['needle'], 60);
    expect(piece).toContain('needle');
    expect(piece.startsWith('…')).toBe(true);
    expect(piece.endsWith('…')).toBe(true);
    expect(piece.length).toBeLessThanOrEqual(62);
  });

  test('never cuts an emoji in two', () => {
    for (let length = 10; length < 20; length += 1) {
      expect(cropped('🧵'.repeat(40), [], length)).not.toMatch(/\p{Surrogate}/u);
    }
  });

  test('leaves a short text alone', () => {
    expect(cropped('short', ['long'], 60)).toBe('short');
  });
});
