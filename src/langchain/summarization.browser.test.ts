// The same promise in a page, where LangChain carries a run's context another way.
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { summarization } from './summarization.js';

const talk = Array.from({ length: 20 }, (_, at) => {
  const content = `m${at} says something about the boats in the harbour, at some length, so that it counts.`;
  return at % 2 === 0 ? new HumanMessage({ content }) : new AIMessage({ content });
});

let threads = 0;

function anAgent() {
  threads += 1;
  // One model for both: its first answer is the summary.
  const model = new ScriptedModel(['SECRET SUMMARY', 'the answer']);
  const middleware = summarization({
    enabled: true,
    trigger: { type: 'tokens', value: 400 },
    keep: { type: 'messages', value: 4 },
  });
  const agent = createAgent({ model, tools: [], checkpointer: new MemorySaver(), middleware: [middleware] });
  return { agent, model, config: { configurable: { thread_id: `browser-${threads}` } } };
}

describe('summary tokens in Chromium', () => {
  test.each(['values', 'updates', 'messages', 'custom'] as const)(
    'do not show in the stream mode %s',
    async (streamMode) => {
      const { agent, model, config } = anAgent();
      const seen: unknown[] = [];
      for await (const chunk of await agent.stream({ messages: talk }, { ...config, streamMode })) {
        seen.push(streamMode === 'values' || streamMode === 'updates' ? messagesIn(chunk) : chunk);
      }
      expect(model.requests[1]?.[0]?.text).toContain('SECRET SUMMARY');
      expect(seen.length).toBeGreaterThan(0);
      expect(JSON.stringify(seen)).not.toContain('SECRET');
    },
  );

  test('do not show in streamEvents', async () => {
    const { agent, config } = anAgent();
    const seen: string[] = [];
    for await (const event of agent.streamEvents({ messages: talk }, { ...config, version: 'v2' })) {
      const { chunk, output } = event.data as { chunk?: unknown; output?: unknown };
      if (event.event.startsWith('on_chat_model')) seen.push(JSON.stringify([chunk, output]));
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.join()).not.toContain('SECRET');
  });
});

/** What a state's messages say; its record holds the summary, as it must. */
function messagesIn(chunk: unknown): string[] {
  const parts = [chunk, ...Object.values(Object(chunk))] as ({ messages?: BaseMessage[] } | undefined)[];
  return parts.flatMap((part) => part?.messages ?? []).map(({ text }) => text);
}
