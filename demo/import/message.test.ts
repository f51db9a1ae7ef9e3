import { describe, expect, test } from 'vitest';
import { readMessage } from './message.js';

const AT = { conversation: null, message: 1 };

function read(value: unknown) {
  const outcome = readMessage(value, AT);
  if (!outcome.ok) throw new Error(outcome.problem.kind);
  return outcome.value;
}

describe('content', () => {
  test.each([
    ['a text as it is', { role: 'user', content: ' a\n ' }, ' a\n '],
    [
      'parts that are all text become one text',
      { role: 'user', content: [{ type: 'text', text: 'a' }, 'b'] },
      'a\nb',
    ],
    ['no parts are no text', { role: 'user', content: [] }, ''],
    ['null of an assistant is no text', { role: 'assistant', content: null }, ''],
    [
      'missing beside calls is no text',
      { role: 'assistant', tool_calls: [{ function: { name: 'look' } }] },
      '',
    ],
    [
      'a refusal is what the assistant said',
      { role: 'assistant', content: null, refusal: 'I cannot.' },
      'I cannot.',
    ],
  ])('%s', (_, message, content) => {
    expect(read(message).content).toBe(content);
  });

  test('an image stays beside its text, exactly as the file had it', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
    expect(read({ role: 'user', content: [{ type: 'text', text: 'See' }, image] }).content).toEqual([
      { type: 'text', text: 'See' },
      image,
    ]);
  });

  test.each([
    ['no content', { role: 'user' }],
    ['an assistant without content or calls', { role: 'assistant' }],
    ['a number', { role: 'user', content: 1 }],
    ['an object', { role: 'user', content: { text: 'a' } }],
    ['a part without a type', { role: 'user', content: [{ text: 'a' }] }],
    ['a text part without text', { role: 'user', content: [{ type: 'text' }] }],
    ['a tool that answered null', { role: 'tool', tool_call_id: 'a', content: null }],
  ])('%s is refused', (_, message) => {
    expect(readMessage(message, AT)).toMatchObject({ ok: false, problem: { kind: 'wrong-content', at: AT } });
  });
});

describe('arguments of a call', () => {
  const argumentsOf = (written: unknown) =>
    read({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', function: { name: 'look', arguments: written } }],
    }).calls[0];

  test.each([
    ['JSON in a text', '{"at": "Pier 4"}', { at: 'Pier 4' }],
    ['an object', { at: 'Pier 4' }, { at: 'Pier 4' }],
    ['nothing', '', {}],
    ['missing', undefined, {}],
  ])('%s', (_, written, args) => {
    expect(argumentsOf(written)).toMatchObject({ args, isValid: true });
  });

  test.each(['{"at": ', '[1]', 'null', '"text"', 'at=1'])(
    'that are no JSON object are kept as text: %s',
    (written) => {
      expect(argumentsOf(written)).toMatchObject({ args: { invalid_json: written }, isValid: false });
    },
  );

  test('a key that names a prototype is a key like any other', () => {
    const args = argumentsOf('{"__proto__": {"polluted": true}}')?.args;
    expect(Object.keys(args ?? {})).toEqual(['__proto__']);
    expect({}).not.toHaveProperty('polluted');
  });
});

test('LangChain’s own shape of a call is read too', () => {
  const { calls, role } = read({
    role: 'ai',
    content: '',
    tool_calls: [{ id: 'a', name: 'look', args: { at: 1 } }],
  });
  expect(role).toBe('assistant');
  expect(calls).toEqual([{ id: 'a', name: 'look', args: { at: 1 }, isValid: true }]);
});

test('fields without a place in a conversation are named, blank ones are not', () => {
  const message = { role: 'user', content: 'a', weight: 0, audio: null, tags: [], thought: 'hm' };
  expect(read(message).leftOut).toEqual(['weight', 'thought']);
});

test.each([
  ['tool_calls is a text', { role: 'assistant', content: '', tool_calls: 'x' }],
  ['call 1 is null', { role: 'assistant', content: '', tool_calls: [null] }],
  [
    'call 2 has no name',
    { role: 'assistant', content: '', tool_calls: [{ function: { name: 'a' } }, { function: {} }] },
  ],
  [
    'call 1 has arguments that are a number',
    { role: 'assistant', content: '', tool_calls: [{ function: { name: 'a', arguments: 1 } }] },
  ],
])('a call that cannot be read is refused: %s', (found, message) => {
  expect(readMessage(message, AT)).toEqual({ ok: false, problem: { kind: 'wrong-call', at: AT, found } });
});
