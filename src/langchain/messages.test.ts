// LangChain's messages as neutral ones.
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { toMessage, toMessages } from './messages.js';

const call = { name: 'read_file', args: { path: '/a', 10: 'ten', 9: 'nine' }, id: 'call-1' };

describe('a neutral message', () => {
  test('has the role, text, names and calls of its message', () => {
    const message = new AIMessage({ id: 'a1', name: 'model', content: 'Reading.', tool_calls: [call] });
    expect(toMessage(message)).toEqual({
      type: 'ai',
      content: 'Reading.',
      id: 'a1',
      name: 'model',
      additional_kwargs: {},
      tool_calls: [call],
      tool_call_id: null,
    });
  });

  test('of a tool result names the call that it answers', () => {
    const result = new ToolMessage({ id: 't1', name: 'read_file', content: 'text', tool_call_id: 'call-1' });
    expect(toMessage(result)).toMatchObject({ type: 'tool', name: 'read_file', tool_call_id: 'call-1' });
  });

  test.each([
    ['ai', new AIMessageChunk({ content: 'a' })],
    ['human', new HumanMessageChunk({ content: 'a' })],
    ['system', new SystemMessage('a')],
  ])('of a streamed chunk has the role of its message: %s', (type, message) => {
    expect(toMessage(message).type).toBe(type);
  });
});

describe('the same message is the same neutral message', () => {
  test('when it is asked for again', () => {
    const message = new HumanMessage({ id: 'same-1', content: 'hello' });
    expect(toMessage(message)).toBe(toMessage(message));
    expect(toMessages([message, message])[0]).toBe(toMessage(message));
  });

  test('when it comes back from a checkpoint as a new object', () => {
    const make = () =>
      new AIMessage({ id: 'same-2', content: [{ type: 'text', text: 'hi' }], tool_calls: [call] });
    const first = toMessage(make());
    const second = make();
    expect(toMessage(second)).toBe(first);
    expect(toMessage(second)).toBe(first);
  });

  test('but not when it says something else under the same id', () => {
    const first = toMessage(new HumanMessage({ id: 'same-3', content: 'one' }));
    const second = toMessage(new HumanMessage({ id: 'same-3', content: 'two' }));
    expect(second).not.toBe(first);
    expect(second.content).toBe('two');
  });

  test('but not when the order of its arguments changed, which is part of its text', () => {
    const make = (args: Record<string, unknown>) =>
      toMessage(new AIMessage({ id: 'same-4', content: '', tool_calls: [{ name: 'f', args, id: 'c' }] }));
    expect(make({ a: 1, b: 2 })).not.toBe(make({ b: 2, a: 1 }));
  });

  test('but not after it got its id or its name', () => {
    const message = new HumanMessage('hello');
    const before = toMessage(message);
    message.id = 'late-id';
    message.name = 'late-name';
    expect(toMessage(message)).not.toBe(before);
    expect(toMessage(message)).toMatchObject({ id: 'late-id', name: 'late-name' });
  });
});
