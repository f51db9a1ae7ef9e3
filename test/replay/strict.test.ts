// The replay's judge must see every fault that it is there for.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { faultsOf } from './strict.js';

const asked = new HumanMessage('Look.');
const calls = (...ids: string[]) =>
  new AIMessage({ content: '', tool_calls: ids.map((id) => ({ id, name: 'look', args: {} })) });
const result = (id: string) => new ToolMessage({ content: 'seen', tool_call_id: id });

test('a request with its calls and results in any order is valid', () => {
  expect(faultsOf([new SystemMessage('x'), asked, calls('a', 'b'), result('b'), result('a'), asked])).toEqual(
    [],
  );
});

test.each([
  ['an answer first', [new AIMessage('Hello')], "the first message is ai, not the user's"],
  ['nothing but the system', [new SystemMessage('x')], "the first message is missing, not the user's"],
  ['a call without a result', [asked, calls('a'), asked], 'call a has no result'],
  ['a last call without a result', [asked, calls('a')], 'call a has no result'],
  ['a result without a call', [asked, result('a')], 'a result answers a, which nothing before it calls'],
  [
    'a second result',
    [asked, calls('a'), result('a'), result('a')],
    'a result answers a, which nothing before it calls',
  ],
  ['one id for two calls', [asked, calls('a', 'a'), result('a')], 'a call has a, not one of its own'],
  ['half an emoji', [new HumanMessage('\ud83d')], 'half a character stands alone'],
  [
    'half an emoji in a call',
    [
      asked,
      new AIMessage({ content: '', tool_calls: [{ id: 'a', name: 'look', args: { x: '\udc00' } }] }),
      result('a'),
    ],
    'half a character stands alone',
  ],
])('%s is a fault', (_, request, fault) => {
  expect(faultsOf(request)).toEqual([fault]);
});
