import { describe, expect, test } from 'vitest';
import { assistant, calls, result, user } from '../../test/support/plain-messages.js';
import { cutoffOf, isOver, lowerCut, raiseCut, type Threshold, thresholdsOf } from './partition.js';
import type { CountTokens } from './tokens.js';

const tenEach: CountTokens = (messages) => messages.length * 10;
const keep = (value: number, unit: Threshold['unit'] = 'messages'): Threshold => ({ unit, value });
const talk = [user('1'), assistant('2'), user('3'), assistant('4'), user('5')];
const tools = [user('1'), calls('a', 'b'), result('a'), result('b'), assistant('5'), user('6')];

describe('thresholds', () => {
  test('take fractions of the window, rounded down, at least one token', () => {
    expect(
      thresholdsOf(
        [
          { type: 'fraction', value: 0.8 },
          { type: 'fraction', value: 0.00001 },
          { type: 'messages', value: 50 },
        ],
        1_001,
      ),
    ).toEqual([keep(800, 'tokens'), keep(1, 'tokens'), keep(50)]);
  });

  test('are reached by being equal, and any of them is enough', () => {
    const both = [keep(100, 'tokens'), keep(5)];
    expect(isOver({ tokens: 99, messages: 4 }, both)).toBe(false);
    expect(isOver({ tokens: 100, messages: 4 }, both)).toBe(true);
    expect(isOver({ tokens: 1, messages: 5 }, both)).toBe(true);
    expect(isOver({ tokens: 1_000, messages: 1_000 }, [])).toBe(false);
  });
});

describe('the cut', () => {
  test('keeps so many messages, all when there are no more', () => {
    expect(cutoffOf(talk, keep(2), tenEach)).toBe(3);
    expect(cutoffOf(talk, keep(5), tenEach)).toBe(0);
    expect(cutoffOf(talk, keep(9), tenEach)).toBe(0);
  });

  test('keeps the longest end within so many tokens, the last message whatever it costs', () => {
    expect(cutoffOf(talk, keep(30, 'tokens'), tenEach)).toBe(2);
    expect(cutoffOf(talk, keep(29, 'tokens'), tenEach)).toBe(3);
    expect(cutoffOf(talk, keep(50, 'tokens'), tenEach)).toBe(0);
    expect(cutoffOf(talk, keep(1, 'tokens'), tenEach)).toBe(4);
    expect(cutoffOf([user('only')], keep(1, 'tokens'), tenEach)).toBe(0);
  });

  test.each([3, 4])('goes back to the call when %i messages would begin with a result', (count) => {
    expect(cutoffOf(tools, keep(count), tenEach)).toBe(1);
  });

  test('goes past results whose call is not there', () => {
    expect(cutoffOf([user('1'), result('x'), result('y'), user('4')], keep(3), tenEach)).toBe(3);
  });

  test('finds the call behind other messages', () => {
    const late = [user('1'), calls('a'), user('wait'), result('a'), user('5')];
    expect(cutoffOf(late, keep(2), tenEach)).toBe(1);
  });
});

describe('a raised cut', () => {
  test('stops at the first group whose end fits', () => {
    expect(raiseCut(talk, 0, (cut) => talk.length - cut <= 3)).toBe(2);
    expect(raiseCut(talk, 2, () => true)).toBe(2);
  });

  test('never begins with a result', () => {
    expect(raiseCut(tools, 0, (cut) => tools.length - cut <= 4)).toBe(4);
  });

  test('parts no result from its call in a run that interleaves several', () => {
    const run = [user('1'), calls('a'), calls('b'), result('a'), result('b'), user('6')];
    expect(raiseCut(run, 1, (cut) => run.length - cut <= 4)).toBe(5);
    expect(lowerCut(run, 2, 0)).toBe(1);
    expect(lowerCut(run, 4, 0)).toBe(1);
    expect(lowerCut(run, 5, 0)).toBe(5);
    // What a summary stands for already cannot come back.
    expect(lowerCut(run, 3, 2)).toBe(3);
  });

  test('may pass between a call and a result that came when others had spoken', () => {
    const late = [calls('a'), user('wait'), assistant('ok'), result('a'), user('5')];
    expect(raiseCut(late, 1, () => true)).toBe(1);
    expect(lowerCut(late, 2, 0)).toBe(2);
  });

  test('leaves the last group, though it does not fit', () => {
    expect(raiseCut(talk, 0, () => false)).toBe(4);
    expect(raiseCut([user('1'), calls('a'), result('a')], 0, () => false)).toBe(1);
  });
});
