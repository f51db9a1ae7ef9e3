import { describe, expect, test } from 'vitest';
import { resolveSummarization, type SummarizationOptions } from './options.js';
import { summarization } from './summarization.js';
import { readSummarizationConfig } from './summarization-config.js';

const trigger = { type: 'tokens', value: 4_000 } as const;

describe('the options of summarization', () => {
  test('have the defaults of its document', () => {
    expect(resolveSummarization({})).toMatchObject({
      enabled: false,
      model: null,
      triggers: [],
      keep: { type: 'messages', value: 20 },
      trimTokensToSummarize: 4_000,
      summaryPrompt: null,
      preserveRecentSkillCount: 5,
      preserveRecentSkillTokens: 25_000,
      preserveRecentSkillTokensPerSkill: 5_000,
      skillFileReadToolNames: ['read_file', 'read', 'view', 'cat'],
      skillsPath: '/mnt/skills',
      compactingMessage: '正在压缩上下文…',
      prune: false,
    });
  });

  test('take undefined for not given', () => {
    const given: SummarizationOptions = {
      ...({ keep: undefined, prune: undefined, user: undefined } as object),
    };
    expect(resolveSummarization(given)).toMatchObject({
      keep: { type: 'messages', value: 20 },
      prune: false,
    });
  });

  test.each<SummarizationOptions>([
    { trigger: { type: 'messages', value: 50 } },
    { trigger: [trigger, { type: 'messages', value: 50 }, { type: 'fraction', value: 0.8 }] },
    { trigger: { type: 'fraction', value: 1 } },
    { keep: { type: 'tokens', value: 3_000 } },
    { keep: { type: 'fraction', value: 0.3 } },
    { trimTokensToSummarize: null },
    { trimTokensToSummarize: 1 },
    { model: () => Promise.reject(new Error('not asked for')) },
    { model: 'small', resolveModel: () => Promise.reject(new Error('not asked for')) },
    { summaryPrompt: 'Sum up: {messages}' },
    { preserveRecentSkillCount: 0, preserveRecentSkillTokens: 0, preserveRecentSkillTokensPerSkill: 0 },
    { skillFileReadToolNames: [] },
    { tokenCounter: () => 1 },
    { cacheSize: 1 },
    { prune: true },
  ])('may be %j', (options) => {
    expect(resolveSummarization({ enabled: true, trigger, ...options })).toMatchObject({ enabled: true });
  });

  test.each<readonly [string, unknown, string]>([
    ['enabled', 'yes', 'enabled: "yes" given; allowed is true or false.'],
    ['enabled', 1, 'enabled: 1 given'],
    ['trigger', [], 'trigger: [] given; allowed is at least one size like'],
    ['trigger', null, 'trigger: null given; allowed is { type: tokens | messages, value: a whole number'],
    ['trigger', { type: 'tokens', value: 0 }, 'trigger: {"type":"tokens","value":0} given'],
    ['trigger', { type: 'tokens', value: '4000' }, 'trigger: {"type":"tokens","value":"4000"} given'],
    ['trigger', { type: 'tokens', value: 1.5 }, 'trigger: '],
    ['trigger', { type: ['tokens'], value: 4_000 }, 'trigger: '],
    ['trigger', { type: 'tokens', value: 4_000, messages: 5 }, 'trigger: '],
    ['trigger', { tokens: 4_000 }, 'trigger: {"tokens":4000} given'],
    ['trigger', [trigger, { type: 'words', value: 5 }], 'trigger: {"type":"words","value":5} given'],
    ['trigger', { type: 'fraction', value: 80 }, 'fraction, value: above 0, at most 1'],
    ['keep', { type: 'fraction', value: 0 }, 'keep: '],
    ['keep', [{ type: 'messages', value: 20 }], 'keep: '],
    ['keep', { type: 'messages', value: Number.NaN }, 'keep: '],
    ['trimTokensToSummarize', 0, 'a whole number from 1, or null for no trimming'],
    ['trimTokensToSummarize', '4000', 'trimTokensToSummarize: "4000" given'],
    ['summaryPrompt', '  ', 'summaryPrompt: "  " given; allowed is a prompt, or null'],
    ['model', 'small', 'model: "small" given; allowed is a name together with resolveModel'],
    ['model', 5, 'model: 5 given; allowed is a model, a function'],
    ['model', {}, 'model: {} given'],
    ['resolveModel', 'small', 'resolveModel: "small" given; allowed is a function'],
    ['refreshAfterFolds', 0, 'refreshAfterFolds: 0 given'],
    ['preserveRecentSkillCount', -1, 'preserveRecentSkillCount: -1 given; allowed is a whole number from 0'],
    ['preserveRecentSkillTokens', true, 'preserveRecentSkillTokens: true given'],
    ['preserveRecentSkillTokensPerSkill', null, 'preserveRecentSkillTokensPerSkill: null given'],
    ['skillFileReadToolNames', 'read_file', 'skillFileReadToolNames: "read_file" given; allowed is a list'],
    ['skillFileReadToolNames', [1], 'skillFileReadToolNames: [1] given'],
    ['skillsPath', '', 'skillsPath: "" given'],
    ['tokenCounter', 4, 'tokenCounter: 4 given; allowed is a function'],
    ['windowTokens', '8k', 'windowTokens: "8k" given'],
    ['compactingMessage', null, 'compactingMessage: null given'],
    ['summaryTimeoutMs', -5, 'summaryTimeoutMs: -5 given'],
    ['cacheSize', 0, 'cacheSize: 0 given'],
    ['prune', 'media', 'prune: "media" given'],
    ['user', '', 'user: "" given'],
    ['continuity', {}, 'continuity: {} given'],
    ['onEvent', [], 'onEvent: [] given'],
    ['triggers', trigger, 'triggers: no such option of summarization; the options are enabled, model,'],
    ['trim_tokens_to_summarize', 4_000, 'trim_tokens_to_summarize: no such option'],
  ])('are refused when the agent is built: %s as %j', (key, value, message) => {
    expect(() => summarization({ enabled: true, trigger, [key]: value })).toThrow(message);
  });

  test('are refused in words also when the value has no JSON', () => {
    expect(() => summarization({ cacheSize: 10n } as object)).toThrow('cacheSize: 10 given');
  });

  test('need a trigger when it is enabled, and none when it is not', () => {
    expect(() => summarization({ enabled: true })).toThrow('trigger: undefined given');
    expect(() => summarization({ enabled: false })).not.toThrow();
  });
});

/** The blocks of the summarization document, parsed. */
const BLOCKS: readonly (readonly [string, Readonly<Record<string, unknown>>, object])[] = [
  [
    'the whole one',
    {
      enabled: true,
      model_name: null,
      trigger: [{ type: 'tokens', value: 4_000 }],
      keep: { type: 'messages', value: 20 },
      trim_tokens_to_summarize: 4_000,
      summary_prompt: null,
      skill_file_read_tool_names: ['read_file', 'read', 'view', 'cat'],
    },
    { enabled: true, model: null, triggers: [trigger], trimTokensToSummarize: 4_000, summaryPrompt: null },
  ],
  [
    'the minimal one',
    { enabled: true, trigger, keep: { type: 'messages', value: 20 } },
    { triggers: [trigger], keep: { type: 'messages', value: 20 } },
  ],
  [
    'the one for production',
    {
      enabled: true,
      model_name: 'gpt-4o-mini',
      trigger: [
        { type: 'tokens', value: 6_000 },
        { type: 'messages', value: 75 },
      ],
      keep: { type: 'messages', value: 25 },
      trim_tokens_to_summarize: 5_000,
    },
    {
      model: 'gpt-4o-mini',
      triggers: [
        { type: 'tokens', value: 6_000 },
        { type: 'messages', value: 75 },
      ],
      keep: { type: 'messages', value: 25 },
      trimTokensToSummarize: 5_000,
    },
  ],
  [
    'the one for several models',
    {
      enabled: true,
      model_name: 'gpt-4o-mini',
      trigger: { type: 'fraction', value: 0.7 },
      keep: { type: 'fraction', value: 0.3 },
      trim_tokens_to_summarize: 4_000,
    },
    { triggers: [{ type: 'fraction', value: 0.7 }], keep: { type: 'fraction', value: 0.3 } },
  ],
  [
    'the conservative one',
    {
      enabled: true,
      model_name: 'gpt-4',
      trigger: { type: 'tokens', value: 8_000 },
      keep: { type: 'messages', value: 40 },
      trim_tokens_to_summarize: null,
    },
    { model: 'gpt-4', keep: { type: 'messages', value: 40 }, trimTokensToSummarize: null },
  ],
  [
    'a trigger alone',
    { trigger: { type: 'messages', value: 50 } },
    { triggers: [{ type: 'messages', value: 50 }] },
  ],
  ['a keep alone', { keep: { type: 'tokens', value: 3_000 } }, { keep: { type: 'tokens', value: 3_000 } }],
  ['a trim alone', { trim_tokens_to_summarize: 4_000 }, { trimTokensToSummarize: 4_000 }],
  [
    'its skill options',
    {
      preserve_recent_skill_count: 3,
      preserve_recent_skill_tokens: 9_000,
      preserve_recent_skill_tokens_per_skill: 2_000,
    },
    {
      preserveRecentSkillCount: 3,
      preserveRecentSkillTokens: 9_000,
      preserveRecentSkillTokensPerSkill: 2_000,
    },
  ],
];

describe('the blocks of the document', () => {
  test.each(BLOCKS)('are options as they stand: %s', (_, block, options) => {
    const resolveModel = () => Promise.reject(new Error('not asked for'));
    for (const given of [block, { summarization: block }]) {
      expect(resolveSummarization({ ...readSummarizationConfig(given), resolveModel })).toMatchObject(
        options,
      );
    }
  });

  test('may be empty', () => {
    expect(readSummarizationConfig({ summarization: null })).toEqual({});
    expect(readSummarizationConfig(null)).toEqual({});
  });

  test('are refused with all of their unknown keys', () => {
    expect(() => readSummarizationConfig({ enabled: true, triger: 1, keepMessages: 2 })).toThrow(
      'triger, keepMessages: no such option of summarization; the options are enabled, model_name, trigger,',
    );
  });

  test.each([['text'], [[]], [5]])('are refused when they are no blocks: %j', (block) => {
    expect(() => readSummarizationConfig(block)).toThrow('a block of options');
  });

  test('are refused for a bad value when the agent is built', () => {
    const block = { enabled: true, trigger, trim_tokens_to_summarize: 'all' };
    expect(() => summarization(readSummarizationConfig(block))).toThrow('trimTokensToSummarize: "all" given');
  });
});
