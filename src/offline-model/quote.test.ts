import { expect, test } from 'vitest';
import { quoteOf } from './quote.js';
import { passagesOf } from './sentences.js';

const LIST = 'You have several. Your reservations are:\n\n1. JG7FMM\n2. LQ940Q\n\nWhich one?';
const PROSE = 'The crates have labels. They are blue. Goodbye.\nNext line.';

function quote(text: string, index: number, options: { isAnswer?: boolean; isList?: boolean } = {}): string {
  return quoteOf(text, passagesOf(text), index, { isAnswer: false, isList: false, ...options });
}

test('a sentence that is the answer is quoted alone', () => {
  expect(quote(PROSE, 1, { isAnswer: true })).toBe('They are blue.');
});

test('a sentence that may not be comes with the next one of its line', () => {
  expect(quote(PROSE, 0)).toBe('The crates have labels. They are blue.');
  expect(quote(PROSE, 2)).toBe('Goodbye.');
});

test('an entry comes with the line that leads its list', () => {
  expect(quote(LIST, 3, { isAnswer: true })).toBe('Your reservations are: … LQ940Q');
});

test('the whole list is quoted when several things are asked for', () => {
  expect(quote(LIST, 3, { isAnswer: true, isList: true })).toBe(
    'Your reservations are:\n\n1. JG7FMM\n2. LQ940Q',
  );
});

test('a list too long to quote is quoted by the entry', () => {
  const long = `They are:\n${Array.from({ length: 90 }, (_, index) => `- JG7F${index}`).join('\n')}`;
  expect(quote(long, 2, { isAnswer: true, isList: true })).toBe('They are: … JG7F1');
});

test('a member of JSON is quoted alone', () => {
  expect(quote('{"id": "Q-1", "fee": 65}', 0)).toBe('"id": "Q-1"');
});
