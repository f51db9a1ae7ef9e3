import { describe, expect, test } from 'vitest';
import { assistant, calls, reads, result, system, user } from '../../test/support/plain-messages.js';
import type { Message } from './message.js';
import { latestUserMessage, type Plan, type PlanBase, type PlanRules, planCompaction } from './plan.js';
import type { CountTokens } from './tokens.js';

const tenEach: CountTokens = (messages) => messages.length * 10;
const RULES: PlanRules = {
  keep: { unit: 'messages', value: 2 },
  thresholds: [],
  skills: { count: 5, tokens: 1_000, tokensPerSkill: 1_000, toolNames: ['read_file'], root: '/mnt/skills' },
  overhead: 0,
  summaryTokens: 0,
  count: tenEach,
};
const FRESH: PlanBase = { end: 0, lifted: [] };

const planOf = (messages: readonly Message[], rules: Partial<PlanRules> = {}, base = FRESH): Plan | null =>
  planCompaction(messages, 0, base, { ...RULES, ...rules });

/** Question and answer in turn, so many messages. */
const talk = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => (at % 2 === 0 ? user(`q${at}`) : assistant(`a${at}`)));

describe('a plan', () => {
  test('lets go what keep does not keep', () => {
    expect(planOf(talk(6))).toEqual({ end: 4, lifted: [], leaving: [0, 1, 2, 3] });
  });

  test('is none when nothing can leave', () => {
    expect(planOf(talk(2))).toBeNull();
    expect(planOf([user('q'), assistant('a')], { keep: { unit: 'messages', value: 1 } })).toBeNull();
    expect(planOf([])).toBeNull();
  });

  test('lifts the latest user message over the cut', () => {
    const work = [user('do this'), ...['1', '2', '3'].flatMap((id) => [calls(id), result(id)])];
    expect(planOf(work)).toEqual({ end: 5, lifted: [0], leaving: [1, 2, 3, 4] });
  });

  test('does not take an injected message for the user’s', () => {
    const hidden = user('injected', { additional_kwargs: { hide_from_ui: true } });
    expect(latestUserMessage([user('mine'), assistant('a'), hidden])).toBe(0);
    expect(latestUserMessage([hidden, assistant('a')])).toBe(0);
    expect(latestUserMessage([assistant('a')])).toBeNull();
  });

  test('lifts system messages, reminders and skill files', () => {
    const messages = [
      user('start'),
      system('Mind the date.'),
      user('date', { additional_kwargs: { dynamic_context_reminder: true } }),
      ...reads('s', '/mnt/skills/a.md', 'text'),
      ...talk(4),
    ];
    expect(planOf(messages)).toEqual({ end: 7, lifted: [1, 2, 3, 4], leaving: [0, 5, 6] });
  });

  test.each([
    ['tokens', 200, 11],
    ['messages', 20, 14],
  ] as const)('keeps less than three quarters of a trigger in %s', (unit, value, kept) => {
    const plan = planOf(talk(40), { keep: { unit: 'messages', value: 39 }, thresholds: [{ unit, value }] });
    expect(40 - (plan?.end ?? 0)).toBeLessThanOrEqual(14);
    expect(40 - (plan?.end ?? 0)).toBeGreaterThanOrEqual(kept);
  });

  test('gives what is always there its share first', () => {
    const rules = {
      keep: { unit: 'messages', value: 39 },
      thresholds: [{ unit: 'tokens', value: 200 }],
    } as const;
    const bare = planOf(talk(40), rules)?.end ?? 0;
    expect(planOf(talk(40), { ...rules, overhead: 100 })?.end).toBeGreaterThan(bare);
    expect(planOf(talk(40), { ...rules, summaryTokens: 100 })?.end).toBeGreaterThan(bare);
  });

  test('goes on from where the former summary ends, and asks what was lifted again', () => {
    const messages = talk(10);
    expect(planOf(messages, {}, { end: 4, lifted: [2] })).toEqual({
      end: 8,
      lifted: [],
      leaving: [2, 4, 5, 6, 7],
    });
    expect(planOf(messages, {}, { end: 8, lifted: [] })).toBeNull();
  });

  test('keeps the last group though nothing is small enough', () => {
    const plan = planOf([...talk(4), calls('1', '2'), result('1'), result('2')], {
      thresholds: [{ unit: 'tokens', value: 1 }],
    });
    expect(plan).toEqual({ end: 4, lifted: [2], leaving: [0, 1, 3] });
  });

  test('leaves room for the conversation beside skill files', () => {
    const skills = ['a', 'b', 'c', 'd', 'e'].flatMap((id) => reads(id, `/mnt/skills/${id}.md`, 'text'));
    const plan = planOf([user('start'), ...skills, ...talk(6)], {
      thresholds: [{ unit: 'messages', value: 12 }],
    });
    expect(plan?.lifted.length).toBeLessThanOrEqual(4);
    expect(plan?.lifted.length).toBeGreaterThan(0);
  });
});
