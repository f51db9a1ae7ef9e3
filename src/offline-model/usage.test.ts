import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { historyTools } from '../../test/support/stub-history.js';
import { usageOf } from './usage.js';

test('usage counts the text, about one token for a Chinese character, and a little for each message', () => {
  expect(usageOf([new HumanMessage('four'), new HumanMessage('大窑')], [], 'answered')).toEqual({
    input_tokens: 11,
    output_tokens: 6,
    total_tokens: 17,
  });
});

test('calls, results and the descriptions of tools cost tokens too', () => {
  const bare = usageOf([new AIMessage(''), new HumanMessage('')], [], '').input_tokens;
  const call = new AIMessage({
    content: '',
    tool_calls: [{ id: 'c', name: 'look', args: { at: 'Pier 4' } }],
  });
  const answered = usageOf([call, new ToolMessage({ tool_call_id: 'c', content: '' })], [], '').input_tokens;
  expect(answered).toBeGreaterThan(bare + 10);
  const { tools } = historyTools([]);
  expect(usageOf([new AIMessage(''), new HumanMessage('')], tools, '').input_tokens).toBeGreaterThan(
    bare + 60,
  );
});
