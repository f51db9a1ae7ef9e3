// The list says when a conversation changed as people would.
import { expect, test } from 'vitest';
import { whenOf } from './when.js';

const NOW = new Date(2026, 4, 20, 12).getTime();
const MINUTE = 60_000;

test.each([
  [NOW - 20_000, 'now'],
  [NOW + 5_000, 'now'],
  [NOW - 5 * MINUTE, '5 min. ago'],
  [NOW - 3 * 60 * MINUTE, '3 hr. ago'],
  [NOW - 30 * 60 * MINUTE, 'yesterday'],
  [new Date(2026, 2, 3).getTime(), 'Mar 3'],
  [new Date(2024, 2, 3).getTime(), 'Mar 3, 2024'],
])('%d is %j', (at, words) => {
  expect(whenOf(at, NOW, 'en')).toBe(words);
});

test('another language says it in its own way', () => {
  expect(whenOf(NOW - 5 * MINUTE, NOW, 'zh')).toBe('5分钟前');
});
