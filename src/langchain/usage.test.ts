// What a provider reports of its own counting brings a trigger nearer, for the very request that it was reported of.
import { AIMessage, AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { expect, test } from 'vitest';
import { pairs, SUMMARY } from '../../test/support/compacting-agent.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import type { SummarizationOptions } from './options.js';
import { summarization } from './summarization.js';

const usageOf = (total: number) => ({ input_tokens: total - 1, output_tokens: 1, total_tokens: total });

/** Answers `done`, and reports these totals in turn. */
class ReportingModel extends ScriptedModel {
  readonly #totals: readonly number[];

  constructor(totals: readonly number[]) {
    super();
    this.#totals = totals;
  }

  override async *_streamResponseChunks(messages: BaseMessage[]): AsyncGenerator<ChatGenerationChunk> {
    const total = this.#totals[this.requests.length] ?? 0;
    this.requests.push(messages);
    const message = new AIMessageChunk({ id: `reported-${this.requests.length}`, content: 'done' });
    if (total > 0) {
      Object.assign(message, { usage_metadata: usageOf(total) });
    }
    yield new ChatGenerationChunk({ message, text: 'done' });
  }
}

let threads = 0;

function anAgentThatReports(totals: readonly number[], options: Partial<SummarizationOptions> = {}) {
  const summaryModel = new ScriptedModel(Array.from({ length: 5 }, () => SUMMARY));
  const agent = createAgent({
    model: new ReportingModel(totals),
    tools: [],
    checkpointer: new MemorySaver(),
    middleware: [
      summarization({
        enabled: true,
        model: summaryModel,
        trigger: { type: 'tokens', value: 400 },
        keep: { type: 'messages', value: 4 },
        ...options,
      }),
    ],
  });
  threads += 1;
  const config = { configurable: { thread_id: `reports-${threads}` } };
  const say = (messages: BaseMessage[]) => agent.invoke({ messages }, config);
  return { say, summaryModel };
}

const ask = (id: string) => new HumanMessage({ id, content: 'And then?' });

test('a report above the estimate counts for the next request', async () => {
  const { say, summaryModel } = anAgentThatReports([450]);
  await say(pairs(4));
  expect(summaryModel.requests).toHaveLength(0);
  await say([ask('q')]);
  expect(summaryModel.requests).toHaveLength(1);
});

test('a report below the estimate changes nothing', async () => {
  const { say, summaryModel } = anAgentThatReports([10, 10]);
  await say(pairs(4));
  await say(pairs(6, 50));
  expect(summaryModel.requests).toHaveLength(1);
});

test('a report never counts across a compaction', async () => {
  const { say, summaryModel } = anAgentThatReports([5_000]);
  await say(pairs(4));
  await say([ask('q')]);
  await say([ask('r')]);
  await say([ask('s')]);
  expect(summaryModel.requests).toHaveLength(1);
});

test('a report on a compacted request counts for the same composition', async () => {
  const { say, summaryModel } = anAgentThatReports([0, 900]);
  await say(pairs(4));
  await say(pairs(8, 50));
  expect(summaryModel.requests).toHaveLength(1);
  await say([ask('q')]);
  expect(summaryModel.requests).toHaveLength(2);
});

test('with a counter of the user’s no report counts', async () => {
  const tokenCounter = (messages: readonly BaseMessage[]) => messages.length;
  const { say, summaryModel } = anAgentThatReports([5_000], { tokenCounter });
  await say(pairs(4));
  await say([ask('q')]);
  expect(summaryModel.requests).toHaveLength(0);
});

test.each([
  ['the report of another provider counts for nothing', 'openai', 0],
  ['a report that names no provider counts', undefined, 1],
])('in a conversation from elsewhere, %s', async (_, provider, calls) => {
  const { say, summaryModel } = anAgentThatReports([]);
  const answer = new AIMessage({ id: 'old', content: 'Yes.' });
  Object.assign(answer, { usage_metadata: usageOf(909) });
  if (provider !== undefined) answer.response_metadata = { model_provider: provider };
  await say([...pairs(4), answer, ask('q')]);
  expect(summaryModel.requests).toHaveLength(calls);
});
