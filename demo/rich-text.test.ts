// Which stretches of a text are set apart.
import { describe, expect, test } from 'vitest';
import { markdownRanges, placeRanges } from './rich-text.js';

const shown = (text: string) =>
  markdownRanges(text).map(({ from, to, tag, class: name }) => [name ?? tag, text.slice(from, to)]);

describe('markdown', () => {
  test('sets bold, code and headings apart and hides their signs', () => {
    expect(shown('## Plan\nuse **two** of `x_1`')).toEqual([
      ['sign', '## '],
      ['strong', 'Plan'],
      ['sign', '**'],
      ['sign', '**'],
      ['strong', 'two'],
      ['sign', '`'],
      ['sign', '`'],
      ['code', 'x_1'],
    ]);
  });

  test('keeps what stands in a code block as it is', () => {
    expect(shown('```ts\na **b** c\n```\n')).toEqual([
      ['sign', '```ts\n'],
      ['sign', '```'],
      ['block', 'a **b** c\n'],
    ]);
  });

  test('leaves markup, lone stars and links as text', () => {
    expect(shown('<b>2 * 3 * 4</b> [x](javascript:alert(1))')).toEqual([]);
  });
});

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
