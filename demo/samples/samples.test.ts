import { HumanMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { OfflineChatModel } from 'threadkeep/offline-model';
import { describe, expect, test } from 'vitest';
import { historyTools, saidIn } from '../../test/support/stub-history.js';
import { readConversationValue, toLangChain } from '../import/index.js';
import { HARBOUR_MOVE } from './index.js';

describe('the harbour sample', () => {
  const read = readConversationValue(HARBOUR_MOVE.conversation);
  const [conversation] = read.ok ? read.conversations : [];
  if (conversation === undefined) throw new Error('The sample is no conversation.');
  const { messages } = toLangChain(conversation);
  const said = saidIn(messages);

  test('is read without a warning', () => {
    expect(conversation.warnings).toEqual([]);
  });

  test('is longer than a small window, and its summary does not carry the answer to the first question', async () => {
    const text = messages.map((message) => `[${message.type}] ${message.text}`).join('\n');
    const prompt = `<conversation>\n${text.replaceAll('[human]', '[user]').replaceAll('[ai]', '[assistant]')}\n</conversation>`;
    const summary = await new OfflineChatModel().invoke([new HumanMessage(prompt)]);
    expect(summary.text).toContain('never load a kiln on a Friday');
    expect(text).toContain('BRG-7K42Q');
    expect(summary.text).not.toContain('BRG-7K42Q');
    expect(text.length).toBeGreaterThan(8_000);
  });

  test.each(HARBOUR_MOVE.questions)('$question is answered with $expects', async ({ question, expects }) => {
    const { tools } = historyTools(said);
    const agent = createAgent({ model: new OfflineChatModel(), tools });
    const answer = await agent.invoke({ messages: [...messages, { role: 'user', content: question }] });
    expect(answer.messages.at(-1)?.text).toContain(expects);
  });
});
