// Text is found letter by letter, and its place is told in code points.
import { expect, test } from 'vitest';
import { findText, MOST_FOUND } from './find.js';
import type { ShownMessage } from './store.js';

const aMessage = (id: string, text: string): ShownMessage => ({
  id,
  speaker: 'human',
  text,
  otherParts: 0,
  calls: [],
  callId: null,
  stopped: false,
  failed: false,
});

test('every place is found, in order, whatever its case and behind an emoji', () => {
  const messages = [
    aMessage('a', '🧵 Crate (7) and crate (7)'),
    aMessage('b', 'no'),
    aMessage('c', 'CRATE (7)'),
  ];
  expect(findText(messages, 'crate (7)')).toEqual([
    { message: 'a', start: 2, end: 11, query: '' },
    { message: 'a', start: 16, end: 25, query: '' },
    { message: 'c', start: 0, end: 9, query: '' },
  ]);
});

test('nothing is found for nothing, and never more than one can step through', () => {
  expect(findText([aMessage('a', 'aaa')], '')).toEqual([]);
  expect(findText([aMessage('a', 'a'.repeat(MOST_FOUND + 5))], 'a')).toHaveLength(MOST_FOUND);
});
