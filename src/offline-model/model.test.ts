import { HumanMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { expect, test } from 'vitest';
import { historyTools, idAt, type Said } from '../../test/support/stub-history.js';
import { OfflineChatModel } from './model.js';

const SAID: readonly Said[] = [
  { role: 'human', text: 'Please move my workshop across the harbour. The barge is booked under BRG-7K42Q.' },
  { role: 'ai', text: 'Which day suits you?' },
  { role: 'human', text: 'The 14th of June. Never load the kiln on a Friday.' },
  { role: 'tool', name: 'get_quote', text: '{"quote_id": "Q-118", "crane_fee": 1840, "currency": "EUR"}' },
];

test('a question is answered by search, read, note and a quote', async () => {
  const { tools, calls } = historyTools(SAID);
  const agent = createAgent({ model: new OfflineChatModel(), tools });
  const { messages } = await agent.invoke({
    messages: [new HumanMessage('What was the barge booking number?')],
  });
  expect(calls.map((call) => call.name)).toEqual(['history_search', 'history_read', 'task_note']);
  expect(calls[1]?.args).toMatchObject({ source_id: idAt(0) });
  expect(calls[2]?.args).toEqual({
    key: 'barge-booking-number',
    content: 'The barge is booked under BRG-7K42Q.',
    source_ids: [idAt(0)],
  });
  expect(messages.at(-1)?.text).toBe(
    'I looked it up in this conversation.\n\nYou said: “The barge is booked under BRG-7K42Q.”\n\nI kept this as the note “barge-booking-number”, with its source.',
  );
});
