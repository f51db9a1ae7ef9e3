// The address names a conversation and a place in it.
import { expect, test } from 'vitest';
import { hashOf, parseRoute } from './route.js';

test('an address leads back to the place it was made from', () => {
  const place = { message: 'run-1/é%', start: 4_703, end: 5_303, query: 'seat & gate?' };
  expect(parseRoute(hashOf('t/1', place))).toEqual({ thread: 't/1', place });
  expect(parseRoute(hashOf('abc'))).toEqual({ thread: 'abc', place: null });
});

test.each(['', '#', '#/x', '#/t/', '#/t/a/m/b', '#/t/a/m/b/1-x'])('%j is the empty page', (hash) => {
  expect(parseRoute(hash)).toEqual({ thread: null, place: null });
});

test('a damaged address is the empty page and no error', () => {
  expect(parseRoute('#/t/%E0%A4%A')).toEqual({ thread: null, place: null });
});
