import { describe, expect, test } from 'vitest';
import { assistant, calls, result, user } from '../../test/support/plain-messages.js';
import type { Message } from './message.js';
import { repairPlan } from './repair.js';

/** What the plan makes of a list: places that stay, and `no <id>` for an answer that says there is none. */
function repaired(...messages: readonly Message[]): readonly (number | string)[] | null {
  const plan = repairPlan(messages);
  return plan?.map((step) => (step.kind === 'keep' ? step.index : `no ${step.callId}`)) ?? null;
}

describe('repair', () => {
  test('leaves a valid list alone, whatever the order of parallel results', () => {
    expect(repaired()).toBeNull();
    expect(repaired(user('a'), calls('1', '2'), result('2'), result('1'), assistant('b'))).toBeNull();
  });

  test('answers a call that nobody answered', () => {
    expect(repaired(user('a'), calls('1'), user('b'))).toEqual([0, 1, 'no 1', 2]);
    expect(repaired(user('a'), calls('1'))).toEqual([0, 1, 'no 1']);
  });

  test('completes parallel calls of which one was cut off', () => {
    expect(repaired(calls('1', '2', '3'), result('3'), result('1'), user('b'))).toEqual([0, 1, 2, 'no 2', 3]);
  });

  test('drops a result whose call is gone, and a second result', () => {
    expect(repaired(result('1'), user('a'))).toEqual([1]);
    expect(repaired(user('a'), calls('1'), result('1'), result('1'), result('2'))).toEqual([0, 1, 2]);
  });

  test('brings a late result to its call', () => {
    expect(repaired(calls('1'), user('wait'), result('1'))).toEqual([0, 2, 1]);
  });

  test('does not take a result that stands before its call', () => {
    expect(repaired(user('a'), result('1'), calls('1'))).toEqual([0, 2, 'no 1']);
  });

  test('gives an id that is used again to the later call', () => {
    expect(repaired(calls('1'), user('a'), calls('1'), result('1'))).toEqual([0, 'no 1', 1, 2, 3]);
    expect(repaired(calls('1'), result('1'), calls('1'), result('1'))).toBeNull();
  });

  test('takes an id that a message names twice for one call', () => {
    expect(repaired(calls('1', '1'), result('1'))).toBeNull();
    expect(repaired(calls('1', '1'))).toEqual([0, 'no 1']);
  });

  test('drops a result that names no call', () => {
    expect(repaired(user('a'), { ...result('1'), tool_call_id: null })).toEqual([0]);
  });
});
