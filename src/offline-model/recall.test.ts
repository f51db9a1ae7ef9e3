import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { sharedFile } from '../../test/support/shared-data.js';
import { historyTools, type Said } from '../../test/support/stub-history.js';
import { nextReply } from './reply.js';
import { HISTORY_TOOLS, turnOf } from './turn.js';

interface Recorded {
  readonly conversations: Readonly<Record<string, readonly { readonly content: string }[]>>;
  readonly probes: readonly {
    readonly conversation: string;
    readonly query: string;
    readonly answers: readonly string[];
  }[];
}

const plain = (text: string) => text.toLowerCase().replace(/[\s,]+/gu, ' ');

/** The answer of the model that searches in what was said. */
function answerTo(question: string, said: readonly Said[]): string {
  const { run } = historyTools([...said, { role: 'human', text: question }]);
  const messages: BaseMessage[] = [new HumanMessage(question)];
  for (let call = 0; call < 10; call += 1) {
    const reply = nextReply(turnOf(messages), new Set(HISTORY_TOOLS));
    if (reply.kind === 'text') return reply.text;
    const id = `call-${call}`;
    messages.push(new AIMessage({ content: '', tool_calls: [{ id, name: reply.tool, args: reply.args }] }));
    messages.push(new ToolMessage({ tool_call_id: id, content: run(reply.tool, reply.args) }));
  }
  throw new Error('The model went on looking.');
}

test('of 141 questions about five long conversations, more than 100 get the right detail', {
  timeout: 60_000,
}, (context) => {
  const { conversations, probes }: Recorded = JSON.parse(sharedFile('recall/memory.json', context));
  let right = 0;
  for (const { conversation, query, answers } of probes) {
    const said = (conversations[conversation] ?? []).map(
      ({ content }): Said => ({ role: 'human', text: content }),
    );
    const answer = plain(answerTo(query, said));
    if (answers.some((expected) => answer.includes(plain(expected)))) right += 1;
  }
  console.log(
    `offline model: ${right} of ${probes.length} recorded questions answered with the right detail`,
  );
  expect(probes).toHaveLength(141);
  expect(right).toBeGreaterThan(100);
});
