import { describe, expect, test } from 'vitest';
import { assistant, calls, reads, result, user } from '../../test/support/plain-messages.js';
import type { Message } from './message.js';
import { normalizePath, rescuedSkills, type SkillRules } from './skills.js';

const RULES: SkillRules = {
  count: 5,
  tokens: 1_000,
  tokensPerSkill: 100,
  toolNames: ['read_file', 'cat'],
  root: '/mnt/skills',
};
/** A token for each character of content. */
const count = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => sum + String(content).length, 0);

function rescued(messages: readonly Message[], rules: Partial<SkillRules> = {}): readonly number[] {
  return [...rescuedSkills(messages, { ...RULES, ...rules }, count)].sort((one, other) => one - other);
}

describe('skill files', () => {
  test('stay: the call and its result', () => {
    expect(rescued([user('a'), ...reads('1', '/mnt/skills/x/SKILL.md', 'how to'), user('b')])).toEqual([
      1, 2,
    ]);
  });

  test('stay newest first, as many as may', () => {
    const three = ['x', 'y', 'z'].flatMap((name) => reads(name, `/mnt/skills/${name}.md`, name));
    expect(rescued(three, { count: 2 })).toEqual([2, 3, 4, 5]);
    expect(rescued(three, { count: 0 })).toEqual([]);
    expect(rescued(three, { tokens: 0 })).toEqual([]);
  });

  test('stay while the budget lasts; a smaller older one may still fit', () => {
    const messages = [
      ...reads('1', '/mnt/skills/small.md', 'x'.repeat(10)),
      ...reads('2', '/mnt/skills/large.md', 'x'.repeat(90)),
      ...reads('3', '/mnt/skills/new.md', 'x'.repeat(30)),
    ];
    expect(rescued(messages, { tokens: 50 })).toEqual([0, 1, 4, 5]);
  });

  test('as large as the limit of one stay, larger ones do not', () => {
    expect(rescued(reads('1', '/mnt/skills/a.md', 'x'.repeat(100)))).toEqual([0, 1]);
    expect(rescued(reads('1', '/mnt/skills/a.md', 'x'.repeat(101)))).toEqual([]);
  });

  test('that were read twice stay once, as read last', () => {
    const twice = ['1', '2'].flatMap((id) => reads(id, '/mnt/skills/a.md', id));
    expect(rescued(twice)).toEqual([2, 3]);
  });

  test.each([
    ['/mnt/skills/../etc/passwd'],
    ['/mnt/skillsX/a.md'],
    ['/mnt/skills/a/../../user/b.md'],
    ['mnt/skills/a.md'],
  ])('are none outside of their folder: %s', (path) => {
    expect(rescued(reads('1', path, 'x'))).toEqual([]);
  });

  test.each([['/mnt/skills'], ['/mnt/skills/'], ['/mnt//skills/./a.md'], ['/mnt/skills/b/../a.md']])(
    'are found however their path is written: %s',
    (path) => {
      expect(rescued(reads('1', path, 'x'))).toEqual([0, 1]);
    },
  );

  test('are read with the named tools alone', () => {
    expect(rescued(reads('1', '/mnt/skills/a.md', 'x', 'write_file'))).toEqual([]);
    expect(rescued(reads('1', '/mnt/skills/a.md', 'x', 'cat'))).toEqual([0, 1]);
  });

  test('move with every result of their message', () => {
    const [read, text] = reads('1', '/mnt/skills/a.md', 'x');
    if (read === undefined || text === undefined) throw new Error('no read');
    const mixed = { ...read, tool_calls: [...read.tool_calls, ...calls('2').tool_calls] };
    expect(rescued([mixed, text, result('2', 'long '.repeat(100)), assistant('ok')])).toEqual([0, 1, 2]);
  });

  test('without a result are none', () => {
    expect(rescued([...reads('1', '/mnt/skills/a.md', 'x').slice(0, 1), user('b')])).toEqual([]);
  });

  test('take no more messages than they may', () => {
    const three = ['x', 'y', 'z'].flatMap((name) => reads(name, `/mnt/skills/${name}.md`, name));
    expect(rescued(three, { messages: 3 })).toEqual([4, 5]);
  });
});

test.each([
  ['/a/b/../c', '/a/c'],
  ['/a//b/./', '/a/b'],
  ['/../a', '/a'],
  ['a/..', ''],
])('the path %s is %s', (path, normal) => {
  expect(normalizePath(path)).toBe(normal);
});
