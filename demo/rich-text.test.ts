// Which stretches of a text are set apart.
import { describe, expect, test } from 'vitest';
import { placeRanges } from './rich-text.js';

describe('place', () => {
  const text = '🧵 The reservation is ZX-731.';

  test('counts code points and marks the words of the query inside it', () => {
    const ranges = placeRanges(text, { message: 'm', start: 2, end: 28, query: 'reservation zx-731' });
    expect(ranges.map(({ from, to, tag }) => [tag, text.slice(from, to)])).toEqual([
      ['span', 'The reservation is ZX-731.'],
      ['mark', 'reservation'],
      ['mark', 'ZX-731'],
    ]);
  });

  test('is marked as a whole when no word of the query stands in it', () => {
    const ranges = placeRanges(text, { message: 'm', start: 21, end: 27, query: 'booking' });
    expect(ranges.map(({ from, to, tag }) => [tag, text.slice(from, to)])).toEqual([
      ['span', 'ZX-731'],
      ['mark', 'ZX-731'],
    ]);
  });
});
