import { expect, test } from 'vitest';
import { readConversationValue, toLangChain } from './index.js';

function converted(value: unknown) {
  const read = readConversationValue(value);
  const [conversation] = read.ok ? read.conversations : [];
  if (conversation === undefined) throw new Error('Nothing was read.');
  return toLangChain(conversation);
}

test('leading system messages become the prompt, the rest keeps its order under ids of its place', () => {
  const { systemPrompt, messages } = converted([
    { role: 'system', content: 'Be brief.' },
    { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
    { role: 'user', name: 'Ilse', content: 'Hello' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', function: { name: 'look', arguments: '{"at": 1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', name: 'look', content: 'seen' },
    { role: 'system', content: 'Speak French now.' },
  ]);
  expect(systemPrompt).toBe('Be brief.\n\nBe kind.');
  expect(messages.map(({ id, type, name, text }) => [id, type, name, text])).toEqual([
    ['import-3', 'human', 'Ilse', 'Hello'],
    ['import-4', 'ai', undefined, ''],
    ['import-5', 'tool', 'look', 'seen'],
    ['import-6', 'system', undefined, 'Speak French now.'],
  ]);
  expect(messages[1]).toMatchObject({ tool_calls: [{ id: 'c1', name: 'look', args: { at: 1 } }] });
  expect(messages[2]).toMatchObject({ tool_call_id: 'c1' });
});

test('a conversation without instructions has no prompt', () => {
  expect(converted([{ role: 'user', content: 'Hello' }]).systemPrompt).toBeNull();
});

test('arguments that are no JSON stay searchable as text of a valid call', () => {
  const { messages } = converted([
    { role: 'user', content: 'Go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', function: { name: 'look', arguments: '{"at": Pier' } }],
    },
  ]);
  expect(messages[1]).toMatchObject({
    tool_calls: [{ id: 'c1', args: { invalid_json: '{"at": Pier' } }],
    invalid_tool_calls: [],
  });
});

test('an image is a block of the message', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
  const { messages } = converted([{ role: 'user', content: [{ type: 'text', text: 'See' }, image] }]);
  expect(messages[0]?.content).toEqual([{ type: 'text', text: 'See' }, image]);
});

test('the same file gives the same messages', () => {
  const file = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi' },
  ];
  expect(JSON.stringify(converted(file))).toBe(JSON.stringify(converted(file)));
});
