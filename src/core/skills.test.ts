import { describe, expect, test } from 'vitest';
import { assistant, reads, user } from '../../test/support/plain-messages.js';
import type { Message } from './message.js';
import { normalizePath, rescuedSkills, type SkillRules } from './skills.js';
import type { CountTokens } from './tokens.js';

const byChars: CountTokens = (messages) =>
  messages.reduce((sum, { content }) => sum + String(content).length, 0);

const RULES: SkillRules = {
  count: 5,
  tokens: 1_000,
  tokensPerSkill: 100,
  toolNames: ['read_file', 'cat'],
  root: '/mnt/skills',
};

const rescued = (messages: readonly Message[], rules: Partial<SkillRules> = {}): number[] =>
  [...rescuedSkills(messages, { ...RULES, ...rules }, byChars)].sort((one, other) => one - other);

const three = [
  user('start'),
  ...reads('a', '/mnt/skills/a.md', 'AAAA'),
  ...reads('b', '/mnt/skills/b.md', 'BBBB'),
  assistant('middle'),
  ...reads('c', '/mnt/skills/c.md', 'CCCC'),
];

describe('the rescue of skill files', () => {
  test('takes every read of one with its results', () => {
    expect(rescued(three)).toEqual([1, 2, 3, 4, 6, 7]);
  });

  test('goes from the newest to the oldest, until there are enough', () => {
    expect(rescued(three, { count: 2 })).toEqual([3, 4, 6, 7]);
    expect(rescued(three, { count: 0 })).toEqual([]);
  });

  test('takes one that is exactly as large as is allowed', () => {
    expect(rescued(three, { tokensPerSkill: 4 })).toHaveLength(6);
    expect(rescued(three, { tokensPerSkill: 3 })).toEqual([]);
    expect(rescued(three, { tokens: 8 })).toEqual([3, 4, 6, 7]);
    expect(rescued(three, { tokens: 0 })).toEqual([]);
  });

  test('passes over one that is too large, and takes older ones that fit', () => {
    const messages = [
      ...reads('a', '/mnt/skills/a.md', 'AAAA'),
      ...reads('b', '/mnt/skills/b.md', 'B'.repeat(200)),
      ...reads('c', '/mnt/skills/c.md', 'CCCC'),
    ];
    expect(rescued(messages)).toEqual([0, 1, 4, 5]);
  });

  test('takes a skill once, as it was read last', () => {
    const twice = [...reads('a', '/mnt/skills/a.md', 'old'), ...reads('b', '/mnt/skills/x/../a.md', 'new')];
    expect(rescued(twice)).toEqual([2, 3]);
  });

  test.each([
    ['a file outside', '/home/a.md', 'read_file'],
    ['a way out of the folder', '/mnt/skills/../etc/passwd', 'read_file'],
    ['a folder that begins alike', '/mnt/skills-old/a.md', 'read_file'],
    ['another tool', '/mnt/skills/a.md', 'write_file'],
  ])('leaves %s', (_, path, tool) => {
    expect(rescued(reads('a', path, 'text', tool))).toEqual([]);
  });

  test('takes the folder itself, and paths with needless slashes and dots', () => {
    expect(rescued(reads('a', '/mnt/skills/', 'text'))).toEqual([0, 1]);
    expect(rescued(reads('a', '//mnt/./skills//a.md', 'text'), { root: '/mnt/skills/' })).toEqual([0, 1]);
  });

  test('reads the path from file_path and filepath too', () => {
    for (const key of ['file_path', 'filepath']) {
      const call = assistant('', {
        tool_calls: [{ name: 'cat', args: { path: '', [key]: '/mnt/skills/a.md' }, id: '1' }],
      });
      const [, result] = reads('1', '', 'text', 'cat');
      expect(rescued(result === undefined ? [] : [call, result])).toEqual([0, 1]);
    }
  });

  test('keeps a message with other calls whole', () => {
    const both = assistant('', {
      tool_calls: [
        { name: 'read_file', args: { path: '/mnt/skills/a.md' }, id: '1' },
        { name: 'search', args: {}, id: '2' },
      ],
    });
    const [, first] = reads('1', '', 'text');
    const [, second] = reads('2', '', 'found', 'search');
    expect(rescued([both, ...[first, second].filter((one) => one !== undefined)])).toEqual([0, 1, 2]);
  });

  test('leaves a read that has no result', () => {
    const [call] = reads('a', '/mnt/skills/a.md', 'text');
    expect(rescued(call === undefined ? [] : [call, user('stop')])).toEqual([]);
  });

  test('stays within a number of messages', () => {
    expect(rescued(three, { messages: 4 })).toEqual([3, 4, 6, 7]);
  });
});

test.each([
  ['/a/./b//c/', '/a/b/c'],
  ['/a/../../b', '/b'],
  ['a/../b', 'b'],
  ['/', '/'],
])('the path %s is %s', (path, normal) => {
  expect(normalizePath(path)).toBe(normal);
});
