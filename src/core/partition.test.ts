import { describe, expect, test } from 'vitest';
import { assistant, calls, result, user } from '../../test/support/plain-messages.js';
import type { Message } from './message.js';
import { cutoffOf, isOver, raiseCut, thresholdsOf } from './partition.js';

/** One token for each message, so that sizes can be read off a list. */
const one = (messages: readonly Message[]): number => messages.length;
const talk = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => (at % 2 === 0 ? user(`u${at}`) : assistant(`a${at}`)));

describe('a trigger', () => {
  test('is reached at its very value', () => {
    const thresholds = thresholdsOf([{ type: 'tokens', value: 100 }], null);
    expect(isOver({ tokens: 99, messages: 500 }, thresholds)).toBe(false);
    expect(isOver({ tokens: 100, messages: 1 }, thresholds)).toBe(true);
  });

  test('is enough when it is one of several', () => {
    const thresholds = thresholdsOf(
      [
        { type: 'tokens', value: 100 },
        { type: 'messages', value: 5 },
      ],
      null,
    );
    expect(isOver({ tokens: 10, messages: 5 }, thresholds)).toBe(true);
    expect(isOver({ tokens: 10, messages: 4 }, thresholds)).toBe(false);
  });

  test('as a fraction is that part of the window, rounded down, and never nothing', () => {
    expect(thresholdsOf([{ type: 'fraction', value: 0.8 }], 1_001)).toEqual([{ unit: 'tokens', value: 800 }]);
    expect(thresholdsOf([{ type: 'fraction', value: 0.0001 }], 100)).toEqual([{ unit: 'tokens', value: 1 }]);
  });
});

describe('what keep keeps', () => {
  test('is everything when it asks for as much', () => {
    expect(cutoffOf(talk(4), { unit: 'messages', value: 4 }, one)).toBe(0);
    expect(cutoffOf(talk(4), { unit: 'tokens', value: 4 }, one)).toBe(0);
  });

  test('is the last messages, or the longest end within its tokens', () => {
    expect(cutoffOf(talk(10), { unit: 'messages', value: 3 }, one)).toBe(7);
    expect(cutoffOf(talk(10), { unit: 'tokens', value: 3 }, one)).toBe(7);
  });

  test('is at least the last message', () => {
    const heavy = (messages: readonly Message[]) => messages.length * 1_000;
    expect(cutoffOf(talk(10), { unit: 'tokens', value: 3 }, heavy)).toBe(9);
    expect(cutoffOf(talk(1), { unit: 'tokens', value: 3 }, heavy)).toBe(0);
  });

  test('reaches back to the call of the results that it would begin with', () => {
    const messages = [user('a'), calls('1', '2'), result('1'), result('2'), user('b')];
    expect(cutoffOf(messages, { unit: 'messages', value: 2 }, one)).toBe(1);
    expect(cutoffOf(messages, { unit: 'messages', value: 3 }, one)).toBe(1);
  });

  test('leaves out results that have no call', () => {
    const messages = [user('a'), assistant('b'), result('1'), result('2'), user('c')];
    expect(cutoffOf(messages, { unit: 'messages', value: 2 }, one)).toBe(4);
  });
});

describe('raising a cut', () => {
  test('stops at the first place that fits', () => {
    expect(raiseCut(talk(10), 2, (cut) => cut >= 5)).toBe(5);
    expect(raiseCut(talk(10), 2, () => true)).toBe(2);
  });

  test('never stands on a result', () => {
    const messages = [user('a'), calls('1'), result('1'), user('b'), assistant('c')];
    expect(raiseCut(messages, 0, (cut) => cut >= 2)).toBe(3);
  });

  test('keeps the last group whatever it costs', () => {
    const messages = [user('a'), calls('1', '2'), result('1'), result('2')];
    expect(raiseCut(messages, 0, () => false)).toBe(1);
  });
});
