import { describe, expect, test } from 'vitest';
import { sharedFile } from '../../test/support/shared-data.js';
import { words } from '../words/index.js';
import { type ImportedConversation, readConversationFile, readConversationText } from './index.js';
import { FILE_LIMIT_BYTES } from './read.js';

const hello = { role: 'user', content: 'Hello' };

function conversationsOf(value: unknown): readonly ImportedConversation[] {
  const read = readConversationText(typeof value === 'string' ? value : JSON.stringify(value));
  if (!read.ok) throw new Error(words.fileProblem(read.problem));
  return read.conversations;
}

function problemOf(value: unknown): string {
  const read = readConversationText(typeof value === 'string' ? value : JSON.stringify(value));
  return read.ok ? 'no problem' : words.fileProblem(read.problem);
}

describe('a conversation is found in', () => {
  test.each([
    ['a list of messages', [hello]],
    ['an object with messages', { messages: [hello], model: 'any' }],
    ['an object with a trajectory', { traj: [hello], reward: 1 }],
    ['JSON lines of messages', `${JSON.stringify(hello)}\n\n${JSON.stringify(hello)}\n`],
    ['a list of one run', [{ messages: [hello] }]],
    ['a line of training data', JSON.stringify({ messages: [hello] })],
  ])('%s', (_, value) => {
    expect(conversationsOf(value)).toMatchObject([
      { title: 'Hello', messages: expect.arrayContaining([{ ...hello, name: null }]) },
    ]);
  });

  test.each([
    ['a list of runs', [{ messages: [hello] }, { traj: [hello] }], ['1: Hello', '2: Hello']],
    ['a list of lists', [[hello], [hello]], ['1: Hello', '2: Hello']],
    ['an object of named conversations', { a: { messages: [hello] }, b: [hello] }, ['a: Hello', 'b: Hello']],
    [
      'an object that has other lists beside them',
      { a: [hello], b: [hello], tags: ['x'] },
      ['a: Hello', 'b: Hello'],
    ],
    [
      'named conversations beside probes',
      { conversations: { a: [hello], b: [hello] }, probes: [{ id: 1 }] },
      ['a: Hello', 'b: Hello'],
    ],
    [
      'JSON lines of conversations',
      `{"messages":[${JSON.stringify(hello)}]}\n{"messages":[${JSON.stringify(hello)}]}`,
      ['1: Hello', '2: Hello'],
    ],
  ])('%s, all to choose from', (_, value, titles) => {
    expect(conversationsOf(value).map(({ title }) => title)).toEqual(titles);
  });
});

describe('a file that is wrong is refused whole, in words that name what is wrong:', () => {
  test.each([
    ['nothing', '', 'The file is empty.'],
    ['only spaces', ' \n ', 'The file is empty.'],
    ['prose', 'hello there', 'The file is not valid JSON: line 1, column 1 cannot be read.'],
    [
      'a missing comma',
      '[\n  {"role": "user" "content": "x"}\n]',
      'The file is not valid JSON: line 2, column 19 cannot be read.',
    ],
    ['a cut end', '[{"role": "user"', 'The file is not valid JSON: line 1, column 17 cannot be read.'],
    [
      'a bad line among lines',
      '{"role":"user","content":"x"}\n{"role":}',
      'The file is not valid JSON: line 2, column 9 cannot be read.',
    ],
    [
      'a number',
      '7',
      'The file holds a number, but no conversation. Expected is a list of messages, or an object with “messages”.',
    ],
    [
      'another object',
      { answer: 42 },
      'The file holds an object with “answer”, but no conversation. Expected is a list of messages, or an object with “messages”.',
    ],
    ['no messages', { messages: [] }, 'The conversation has no messages.'],
    ['only a system message', [{ role: 'system', content: 'x' }], 'The conversation has no messages.'],
    [
      'an unknown role',
      [hello, { role: 'xyz', content: 'x' }],
      'Message 2 has the unknown role “xyz”. Known are system, developer, user, assistant, tool and function.',
    ],
    [
      'a role that every object has',
      [{ role: 'toString', content: 'x' }],
      'Message 1 has the unknown role “toString”. Known are system, developer, user, assistant, tool and function.',
    ],
    ['no role', [hello, { content: 'x' }], 'Message 2 does not say who speaks: its “role” is missing.'],
    ['a message that is none', [hello, null], 'Message 2 is no message but null.'],
    [
      'content of a wrong type',
      [{ role: 'user', content: 5 }],
      'Message 1 (user) has content that is a number. Expected is a text, or a list of parts with a “type”.',
    ],
    [
      'a user who says null',
      [{ role: 'user', content: null }],
      'Message 1 (user) has content that is null. Expected is a text, or a list of parts with a “type”.',
    ],
    [
      'a call without a name',
      [{ role: 'assistant', content: null, tool_calls: [{ id: 'a', function: {} }] }],
      'Message 1 has a tool call that cannot be read: call 1 has no name.',
    ],
    [
      'one bad message in the second run',
      [{ messages: [hello] }, { messages: [hello, { role: 'robot' }] }],
      'Message 2 of conversation 2 has the unknown role “robot”. Known are system, developer, user, assistant, tool and function.',
    ],
    ['a run without messages', [{ messages: [hello] }, { reward: 1 }], 'Conversation 2 has no messages.'],
  ])('%s', (_, value, words) => {
    expect(problemOf(value)).toBe(words);
  });

  test('a file above 25 MB, before it is read', async () => {
    const read = await readConversationFile(new Blob([new Uint8Array(FILE_LIMIT_BYTES + 1)]));
    expect(read).toEqual({
      ok: false,
      problem: { kind: 'too-large', bytes: FILE_LIMIT_BYTES + 1, limitBytes: FILE_LIMIT_BYTES },
    });
  });

  test('a file that cannot be read any more', async () => {
    const file = new Blob(['[]']);
    file.arrayBuffer = () => Promise.reject(new DOMException('The file is gone.', 'NotFoundError'));
    const read = await readConversationFile(file);
    expect(read.ok ? '' : words.fileProblem(read.problem)).toBe(
      'The file could not be read: The file is gone.',
    );
  });

  test('bytes that are no text', async () => {
    const read = await readConversationFile(new Blob([new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0xff, 0x80])]));
    expect(read).toEqual({ ok: false, problem: { kind: 'not-text' } });
  });
});

describe('a file is read', () => {
  const json = JSON.stringify([{ role: 'user', content: '大窑' }]);

  test.each([
    ['in UTF-8', new TextEncoder().encode(json)],
    ['in UTF-8 with its mark', new TextEncoder().encode(`\ufeff${json}`)],
    [
      'in UTF-16 with its mark',
      new Uint8Array(Uint16Array.from(`\ufeff${json}`, (unit) => unit.charCodeAt(0)).buffer),
    ],
  ])('%s', async (_, bytes) => {
    const read = await readConversationFile(new Blob([bytes]));
    expect(read).toMatchObject({ ok: true, conversations: [{ title: '大窑' }] });
  });
});

describe('recordings of others are read whole', () => {
  test('the airline runs: sixteen conversations with all calls and results', (context) => {
    const text = sharedFile('airline-agent/trajectories.json', context);
    const conversations = conversationsOf(text);
    expect(conversations).toHaveLength(16);
    expect(conversations.map(({ messages }) => messages.length)).toEqual([
      62, 62, 62, 62, 62, 48, 42, 62, 42, 26, 30, 46, 44, 58, 40, 36,
    ]);
    // These runs use some call ids twice: that is mended and told.
    const kinds = conversations.flatMap(({ warnings }) => warnings.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(['repeated-call-ids']));
    const calls = conversations.flatMap(({ messages }) =>
      messages.flatMap((message) => (message.role === 'assistant' ? message.calls : [])),
    );
    const answered = new Set(
      conversations.flatMap(({ messages }) =>
        messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])),
      ),
    );
    expect(calls.filter(({ id }) => !answered.has(id))).toEqual([]);
    expect(calls).toHaveLength(246);
  });

  test('the coding run: results that name their calls in a list', (context) => {
    const [conversation, ...others] = conversationsOf(sharedFile('coding-agent/trajectory.json', context));
    expect(others).toEqual([]);
    expect(conversation?.warnings.map(words.fileWarning)).toEqual([
      'Tool calls have an id that an earlier call has, so they got new ones (message 15, 19, 23, 25).',
    ]);
    expect(conversation?.messages).toHaveLength(28);
    expect(conversation?.messages[3]).toMatchObject({ role: 'tool', callId: 'call_9diWc1DYm4RLmPfHgIaP2wd' });
  });

  test('the Chinese travel dialogues: forty named conversations', (context) => {
    const conversations = conversationsOf(sharedFile('crosswoz/dialogues.json', context));
    expect(conversations).toHaveLength(40);
    expect(conversations[0]?.title).toBe('10: 你好，请问北京亚太花园酒店是那种类型的酒店');
  });

  test('the recall conversations, without their probes', (context) => {
    const conversations = conversationsOf(sharedFile('recall/memory.json', context));
    expect(conversations.map(({ title, messages }) => `${title.split(':')[0]} ${messages.length}`)).toEqual([
      'customer 109',
      'finance 35',
      'healthcare 47',
      'notetaker 24',
      'student 108',
    ]);
  });
});
