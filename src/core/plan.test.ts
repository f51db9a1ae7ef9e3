import { describe, expect, test } from 'vitest';
import { assistant, calls, reads, result, system, user } from '../../test/support/plain-messages.js';
import type { Message } from './message.js';
import { latestUserMessage, type Plan, type PlanBase, type PlanRules, planCompaction } from './plan.js';

const HIDDEN = { additional_kwargs: { hide_from_ui: true } };
const RULES: PlanRules = {
  keep: { unit: 'messages', value: 2 },
  thresholds: [{ unit: 'tokens', value: 1_000 }],
  skills: { count: 5, tokens: 25_000, tokensPerSkill: 5_000, toolNames: ['read_file'], root: '/mnt/skills' },
  overhead: 0,
  summaryTokens: 0,
  // Ten tokens for each message, unless its content is a number.
  count: (messages) =>
    messages.reduce((sum, { content }) => sum + (typeof content === 'number' ? content : 10), 0),
};
const talk = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => (at % 2 === 0 ? user(`u${at}`) : assistant(`a${at}`)));

function planOf(
  messages: readonly Message[],
  rules: Partial<PlanRules> = {},
  base: PlanBase = { end: 0, lifted: [] },
  start = 0,
): Plan | null {
  return planCompaction(messages, start, base, { ...RULES, ...rules });
}

describe('a compaction', () => {
  test('takes what keep lets go', () => {
    expect(planOf(talk(6))).toEqual({ end: 4, lifted: [], leaving: [0, 1, 2, 3] });
  });

  test('takes nothing when all is to be kept', () => {
    expect(planOf(talk(2))).toBeNull();
  });

  test('begins after the leading system messages', () => {
    expect(planOf([system('s'), ...talk(4)], {}, { end: 1, lifted: [] }, 1)).toMatchObject({
      leaving: [1, 2],
    });
  });

  test('goes on until what stays lies below three quarters of the trigger', () => {
    const keep = { unit: 'messages', value: 90 } as const;
    expect(planOf(talk(100), { keep })).toMatchObject({ end: 26 });
  });

  test('takes what every request carries off the trigger first', () => {
    const keep = { unit: 'messages', value: 90 } as const;
    expect(planOf(talk(100), { keep, overhead: 600 })).toMatchObject({ end: 71 });
  });

  test('leaves room for the summary', () => {
    const keep = { unit: 'messages', value: 90 } as const;
    expect(planOf(talk(100), { keep, summaryTokens: 400 })).toMatchObject({ end: 51 });
  });

  test('looks at every trigger', () => {
    const keep = { unit: 'messages', value: 90 } as const;
    const thresholds = [
      { unit: 'tokens', value: 1_000 },
      { unit: 'messages', value: 40 },
    ] as const;
    expect(planOf(talk(100), { keep, thresholds })).toMatchObject({ end: 71 });
  });

  test('lifts the latest user message over the cut', () => {
    const messages = [
      user('first'),
      assistant('a'),
      user('do it'),
      calls('1'),
      result('1'),
      calls('2'),
      result('2'),
    ];
    expect(planOf(messages)).toEqual({ end: 5, lifted: [2], leaving: [0, 1, 3, 4] });
  });

  test('does not take a hidden message for the latest of the user', () => {
    const messages = [user('mine'), assistant('a'), user('injected', HIDDEN), assistant('b'), assistant('c')];
    expect(planOf(messages)).toMatchObject({ lifted: [0], leaving: [1, 2] });
  });

  test('lets a formerly lifted message go when the user has said something else', () => {
    const messages = [
      user('old'),
      assistant('a'),
      assistant('b'),
      user('new'),
      assistant('c'),
      assistant('d'),
    ];
    expect(planOf(messages, {}, { end: 2, lifted: [0] })).toEqual({ end: 4, lifted: [3], leaving: [0, 2] });
  });

  test('never cuts before the last compaction', () => {
    expect(planOf(talk(10), { keep: { unit: 'messages', value: 8 } }, { end: 6, lifted: [] })).toBeNull();
  });

  test('lifts skill reads and system messages', () => {
    const messages = [
      user('a'),
      ...reads('1', '/mnt/skills/a.md', 'x'),
      system('s'),
      user('b'),
      assistant('c'),
    ];
    expect(planOf(messages)).toEqual({ end: 4, lifted: [1, 2, 3], leaving: [0] });
  });

  test('gives skill files no more than half of the headroom', () => {
    const read = reads('1', '/mnt/skills/a.md', '');
    const large = read.map((message, at) => (at === 1 ? { ...message, content: 400 } : message));
    expect(planOf([user('a'), ...large, ...talk(4)])).toMatchObject({ lifted: [] });
  });

  test('keeps the last group whole when nothing else helps', () => {
    const messages = [...talk(4), calls('1', '2'), { ...result('1'), content: 5_000 }, result('2')];
    expect(planOf(messages)).toMatchObject({ end: 4, lifted: [2] });
  });

  test('cuts between groups alone', () => {
    const messages = [user('a'), calls('1', '2'), result('1'), result('2'), calls('3'), result('3')];
    for (let value = 1; value <= 5; value += 1) {
      expect([0, 1, 4, undefined]).toContain(planOf(messages, { keep: { unit: 'messages', value } })?.end);
    }
  });
});

describe('the latest user message', () => {
  test('is a picture too', () => {
    expect(latestUserMessage([user([{ type: 'image_url', image_url: 'x' }]), assistant('a')])).toBe(0);
  });

  test('is a hidden one when the user said nothing that shows', () => {
    expect(latestUserMessage([user('a', HIDDEN), assistant('b')])).toBe(0);
    expect(latestUserMessage([assistant('b')])).toBeNull();
  });
});
