import { describe, expect, test } from 'vitest';
import { en } from './en.js';
import { languageFor } from './index.js';
import { zh } from './zh.js';

/** What each function is called with; the others take any numbers. */
const CALLS: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  objectWith: [[['3', '4']]],
  fileProblem: [
    { kind: 'empty' },
    { kind: 'too-large', bytes: 3e7, limitBytes: 2e7 },
    { kind: 'unreadable', detail: '3' },
    { kind: 'not-text' },
    { kind: 'not-json', line: 3, column: 3 },
    { kind: 'no-conversation', found: '3' },
    { kind: 'no-messages', conversation: null },
    { kind: 'no-messages', conversation: '3' },
    { kind: 'not-a-message', at: { conversation: null, message: 3 }, found: '3' },
    { kind: 'no-role', at: { conversation: '3', message: 3 }, found: '3' },
    { kind: 'unknown-role', at: { conversation: null, message: 3 }, role: '3' },
    { kind: 'wrong-content', at: { conversation: null, message: 3 }, role: '3', found: '3' },
    { kind: 'wrong-call', at: { conversation: null, message: 3 }, found: '3' },
  ].map((problem) => [problem]),
  fileWarning: [
    { kind: 'result-without-call', message: 3 },
    { kind: 'call-without-result', message: 3, tool: '3' },
    { kind: 'invalid-arguments', message: 3, tool: '3' },
    { kind: 'several-calls-answered', message: 3, count: 3 },
    { kind: 'repeated-call-ids', messages: [3] },
    { kind: 'late-system-message', message: 3 },
    { kind: 'left-out-fields', fields: ['3'] },
  ].map((warning) => [warning]),
  moment: [
    ['compacted', null],
    ['undone', null],
    ['recorded', null],
    ['said', null],
    ['said', '3'],
  ],
  reach: [[0], [3]],
  deletedElsewhere: [[true], [false]],
  openedWith: [[['3', '3', '3', '3']]],
  speaker: [['human'], ['ai'], ['tool']],
  sentBy: [['system'], ['human'], ['ai'], ['tool']],
  hits: [[0], [3]],
  onlyRole: [['user'], ['assistant'], ['tool']],
  historyStatus: [['partially_expired'], ['unavailable'], ['empty_query']],
  receiptFigures: [
    [3, null],
    [3, { before: 3, after: 3 }],
  ],
  pieces: [
    ['messages', 3],
    ['tools', 3],
  ],
  requestName: [
    ['3', 3, null, ''],
    ['3', 3, null, '3'],
    ['3', 3, '3', ''],
  ],
  findCount: [[3, 3, true]],
  archiveNotForgotten: [['quota'], ['locked'], ['worker-lost']],
  unavailableNotice: [['corrupt'], ['unsupported'], ['deadline'], ['internal']],
  notArchived: [['quota'], ['ceiling']],
  memoryNotice: [['3']],
  offline: [[true], [false]],
  compactionFailed: [
    ['3', 'error'],
    ['3', 'blank'],
    ['3', 'aborted'],
    ['3', 'timeout'],
    ['3', 'not-shorter'],
  ],
  nothingToCompact: [
    ['3', 'nothing-to-summarize'],
    ['3', 'still-over'],
  ],
  modelNotice: [
    [{ kind: 'offline' }],
    [{ kind: 'browser' }],
    [{ kind: 'endpoint', model: '3', baseUrl: 'http://3.3' }],
  ],
  modelTrouble: [
    [{ kind: 'unreachable' }, '3'],
    [{ kind: 'silent' }, '3'],
    [{ kind: 'cut' }, '3'],
    ...[401, 404, 429, 500].map((status) => [{ kind: 'status', status, message: '3' }, '3'] as const),
  ],
};

/** Everything that a language can say, with the path of the word it comes from. */
function sentences(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((entry) => sentences(entry, path));
  if (typeof value === 'function') {
    const calls = CALLS[path] ?? [[3, 3, 3, 3]];
    return calls.flatMap((args) => sentences(value(...args), path));
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    sentences(entry, path === '' ? key : `${path}.${key}`),
  );
}

/** Names that stay as they are in any language: products, formats, what stands in files and addresses. */
const NAMES =
  /threadkeep|OpenAI|Ollama|OLLAMA_ORIGINS|CORS|JSON|UTF-8|MB|GB|kB|https?:\/\/[\w.:/]*|system|developer|user|assistant|tool_calls|tool|function|messages|type|role|null|true|false|zh-CN|Language/gu;

/** Words that are no sentences: numbers, names, and marks alone. */
const WITHOUT_HAN = new Set([
  'language',
  'number',
  'brand',
  'value.nothing',
  'value.true',
  'value.false',
  'moment',
  'sentBy',
]);

describe('the words of the page', () => {
  test.each(sentences(zh, ''))('Chinese leaves no English in %s: %s', (path, text) => {
    expect(text.replace(NAMES, '')).not.toMatch(/\p{Script=Latin}/u);
    if (!WITHOUT_HAN.has(path)) expect(text).toMatch(/\p{Script=Han}/u);
  });

  test.each(sentences(en, ''))('English leaves no Chinese in %s: %s', (path, text) => {
    if (path !== 'chooseLanguage') expect(text).not.toMatch(/\p{Script=Han}/u);
  });

  test('both languages say as much', () => {
    const paths = (language: unknown) => sentences(language, '').map(([path]) => path);
    expect(paths(zh)).toEqual(paths(en));
  });
});

describe('the language of the page is', () => {
  test.each([
    ['zh', null, ['zh-CN', 'en']],
    ['zh', null, ['fr-FR', 'zh-Hant-TW', 'en']],
    ['en', null, ['en-GB', 'zh']],
    ['en', null, ['fr', 'de']],
    ['en', null, []],
    ['en', 'en', ['zh-CN']],
    ['zh', 'zh', ['en-US']],
    ['zh', 'klingon', ['zh-CN']],
    ['en', 'toString', []],
  ])('%s where %s was chosen and the browser asks for %s', (language, chosen, wished) => {
    expect(languageFor(chosen, wished)).toBe(language);
  });
});
