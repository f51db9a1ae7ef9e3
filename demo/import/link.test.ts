import { expect, test } from 'vitest';
import { words } from '../words/index.js';
import { readConversationValue } from './index.js';

const call = (id: string | undefined, name = 'look', args: unknown = '{}') => ({
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { name, arguments: args },
});
const calls = (...tool_calls: readonly unknown[]) => ({ role: 'assistant', content: null, tool_calls });
const result = (fields: object) => ({ role: 'tool', content: 'done', ...fields });

/** Calls and results as `call id` and `result id`, and what was told of them. */
function linked(...messages: readonly unknown[]) {
  const read = readConversationValue([{ role: 'user', content: 'Go' }, ...messages]);
  if (!read.ok) throw new Error(read.problem.kind);
  const [conversation] = read.conversations;
  const links = conversation?.messages.flatMap((message) => {
    if (message.role === 'assistant') return message.calls.map(({ id, name }) => `${name} ${id}`);
    return message.role === 'tool' ? [`result ${message.callId} ${message.content}`] : [];
  });
  return { links, told: conversation?.warnings.map(words.fileWarning) };
}

test('calls and results keep their ids', () => {
  const read = linked(
    calls(call('a'), call('b')),
    result({ tool_call_id: 'b' }),
    result({ tool_call_id: 'a' }),
  );
  expect(read).toEqual({ links: ['look a', 'look b', 'result b done', 'result a done'], told: [] });
});

test('an id that is used again gets a new one, and its result with it', () => {
  const read = linked(
    calls(call('a')),
    result({ tool_call_id: 'a' }),
    calls(call('a')),
    result({ tool_call_id: 'a' }),
  );
  expect(read).toEqual({
    links: ['look a', 'result a done', 'look a-2', 'result a-2 done'],
    told: ['Tool calls have an id that an earlier call has, so they got new ones (message 4).'],
  });
});

test('a result goes to the nearer of two calls with one id', () => {
  const read = linked(calls(call('a')), calls(call('a')), result({ tool_call_id: 'a' }));
  expect(read.links).toEqual(['look a', 'look a-2', 'result a-2 done']);
  expect(read.told).toContain('Message 2 calls look, and no result of it follows.');
});

test('calls without ids get one by their place, and results find them by tool, else in order', () => {
  const read = linked(
    calls(call(undefined, 'one'), call(undefined, 'two')),
    result({ name: 'two' }),
    result({}),
  );
  expect(read).toEqual({
    links: ['one call-2-1', 'two call-2-2', 'result call-2-2 done', 'result call-2-1 done'],
    told: [],
  });
});

test('the older function messages are calls and results too', () => {
  const read = linked(
    { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{"at": 1}' } },
    { role: 'function', name: 'look', content: 'done' },
  );
  expect(read).toEqual({ links: ['look call-2-1', 'result call-2-1 done'], told: [] });
});

test('one result for several calls stands with the first', () => {
  const read = linked(calls(call('a'), call('b')), result({ tool_call_ids: ['a', 'b'] }));
  expect(read).toEqual({
    links: ['look a', 'look b', 'result a done', 'result b '],
    told: ['Message 3 answers 2 tool calls at once; its text is kept with the first.'],
  });
});

test('a result without its call is kept and told, under an id that no call has', () => {
  const read = linked(
    calls(call('a')),
    result({ tool_call_id: 'a' }),
    result({ tool_call_id: 'a' }),
    result({}),
  );
  expect(read).toEqual({
    links: ['look a', 'result a done', 'result a-2 done', 'result result-5 done'],
    told: [
      'Message 4 is a tool result without its call. It is kept, but the model does not see it.',
      'Message 5 is a tool result without its call. It is kept, but the model does not see it.',
    ],
  });
});

test('a call at the end that was never answered is told', () => {
  expect(linked(calls(call('a'))).told).toEqual(['Message 2 calls look, and no result of it follows.']);
});
