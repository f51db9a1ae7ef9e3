// A replayed recording says what it said, in the same order.
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { recordingOf } from './turns.js';

const call = new AIMessage({ content: 'I look.', tool_calls: [{ id: 'a', name: 'look', args: {} }] });
const textsOf = (messages: readonly { readonly text: string }[]) => messages.map(({ text }) => text);

test('a run ends with the answer that calls nothing; further answers go before the next question', () => {
  const { turns, resultByCall, toolNames } = recordingOf([
    new AIMessage('Welcome.'),
    new HumanMessage('One?'),
    call,
    new ToolMessage({ content: 'seen', tool_call_id: 'a' }),
    new AIMessage('Yes.'),
    new AIMessage('By the way.'),
    new HumanMessage('Two?'),
  ]);
  expect(turns.map(({ input, answers }) => [textsOf(input), textsOf(answers)])).toEqual([
    [
      ['Welcome.', 'One?'],
      ['I look.', 'Yes.'],
    ],
    [['By the way.', 'Two?'], []],
  ]);
  expect([...resultByCall]).toEqual([['a', 'seen']]);
  expect(toolNames).toEqual(['look']);
});

test('a run that was cut off after its call goes on with what the user said next', () => {
  const { turns } = recordingOf([
    new HumanMessage('One?'),
    call,
    new HumanMessage('Stop.'),
    new AIMessage('Fine.'),
  ]);
  expect(turns.map(({ input, answers }) => [textsOf(input), textsOf(answers)])).toEqual([
    [['One?'], ['I look.']],
    [['Stop.'], ['Fine.']],
  ]);
});

test('each message of the user is a run, also one that nobody answered', () => {
  const { turns } = recordingOf([new HumanMessage('One?'), new HumanMessage('Two?'), new AIMessage('Fine.')]);
  expect(turns.map(({ input, answers }) => [textsOf(input), textsOf(answers)])).toEqual([
    [['One?'], []],
    [['Two?'], ['Fine.']],
  ]);
});
