import { describe, expect, test } from 'vitest';
import { words } from '../words/index.js';
import { readConversationText } from './index.js';

function messagesIn(entries: readonly unknown[]) {
  const read = readConversationText(entries.map((entry) => JSON.stringify(entry)).join('\n'));
  if (!read.ok) throw new Error(words.fileProblem(read.problem));
  expect(read.conversations).toHaveLength(1);
  return read.conversations[0]?.messages.map((message) => ({ ...message, name: undefined }));
}

describe('a Claude Code session', () => {
  const of = (type: string, message: unknown, more: object = {}) => ({ type, uuid: 'u', message, ...more });
  const answer = (block: unknown, id = 'msg_1') =>
    of('assistant', { id, role: 'assistant', content: [block] });

  test('is read with its calls and results; blocks of one answer are one message', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: '/a' } };
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'B' }] };
    expect(
      messagesIn([
        { type: 'file-history-snapshot', snapshot: {} },
        of('user', { role: 'user', content: 'What is in /a?' }),
        answer({ type: 'thinking', thinking: 'hm' }),
        answer({ type: 'text', text: 'I look.' }),
        answer(call),
        of('user', { role: 'user', content: [result, { type: 'text', text: 'And?' }] }),
        answer({ type: 'text', text: 'It has B.' }, 'msg_2'),
      ]),
    ).toEqual([
      { role: 'user', content: 'What is in /a?' },
      {
        role: 'assistant',
        content: 'I look.',
        calls: [{ id: 'toolu_1', name: 'Read', args: { path: '/a' } }],
      },
      { role: 'tool', content: 'B', callId: 'toolu_1' },
      { role: 'user', content: 'And?' },
      { role: 'assistant', content: 'It has B.', calls: [] },
    ]);
  });

  test('is read without what was rewound, and with every result of parallel calls', () => {
    const user = (uuid: string, parentUuid: string | null, content: unknown) =>
      of('user', { role: 'user', content }, { uuid, parentUuid });
    const said = (uuid: string, parentUuid: string, block: unknown, id: string) =>
      of('assistant', { id, role: 'assistant', content: [block] }, { uuid, parentUuid });
    const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} });
    const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: `of ${id}` }];
    const messages = messagesIn([
      user('1', null, 'First.'),
      said('2', '1', { type: 'text', text: 'Yes.' }, 'a'),
      user('3', '2', 'Taken back.'),
      said('4', '3', { type: 'text', text: 'To be forgotten.' }, 'b'),
      user('5', '4', 'This too.'),
      user('6', '2', 'Said instead.'),
      said('7', '6', call('x'), 'c'),
      said('8', '7', call('y'), 'c'),
      user('9', '7', result('x')),
      user('10', '8', result('y')),
      said('11', '10', { type: 'text', text: 'Both.' }, 'd'),
    ]);
    expect(messages?.map(({ content }) => content)).toEqual([
      'First.',
      'Yes.',
      'Said instead.',
      '',
      'of x',
      'of y',
      'Both.',
    ]);
  });

  test.each(['isSidechain', 'isMeta', 'isCompactSummary'])('leaves out what is marked as %s', (mark) => {
    const hello = of('user', { role: 'user', content: 'Hello' });
    expect(messagesIn([hello, of('user', { role: 'user', content: 'aside' }, { [mark]: true })])).toEqual([
      { role: 'user', content: 'Hello' },
    ]);
  });
});

describe('a pi session', () => {
  const header = { type: 'session', id: 's', cwd: '/home' };
  const entry = (message: unknown, id?: string, parentId: string | null = null) => ({
    type: 'message',
    ...(id === undefined ? {} : { id, parentId }),
    message,
  });
  const call = { type: 'toolCall', id: 'call_1', name: 'bash', arguments: { command: 'ls' } };

  test('is read with its calls, results and what the user ran', () => {
    expect(
      messagesIn([
        header,
        { type: 'model_change', modelId: 'm' },
        entry({ role: 'user', content: [{ type: 'text', text: 'List it' }] }),
        entry({ role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }, call] }),
        entry({
          role: 'toolResult',
          toolCallId: 'call_1',
          toolName: 'bash',
          content: [{ type: 'text', text: 'a' }],
        }),
        entry({ role: 'bashExecution', command: 'pwd', output: '/home' }),
      ]),
    ).toEqual([
      { role: 'user', content: 'List it' },
      { role: 'assistant', content: '', calls: [{ id: 'call_1', name: 'bash', args: { command: 'ls' } }] },
      { role: 'tool', content: 'a', callId: 'call_1' },
      { role: 'user', content: '$ pwd\n/home' },
    ]);
  });

  test('is read along the branch of its last entry', () => {
    const said = (content: string) => ({ role: 'user', content });
    expect(
      messagesIn([
        header,
        entry(said('one'), 'a'),
        entry(said('left behind'), 'b', 'a'),
        entry(said('two'), 'c', 'a'),
      ]),
    ).toEqual([
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
    ]);
  });
});
