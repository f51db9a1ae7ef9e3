// Compaction in agents of every kind: parallel tools, interrupts, retries, nesting, no checkpointer, several at once.
import { type AIMessage, AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import {
  type AgentMiddleware,
  createAgent,
  humanInTheLoopMiddleware,
  modelRetryMiddleware,
  tool,
} from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { unwrap } from '../../test/support/archives.js';
import {
  anAgent,
  coveredCountOf,
  pairs,
  SUMMARY,
  texts,
  typesOf,
} from '../../test/support/compacting-agent.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { StrictModel } from '../../test/support/strict-model.js';
import { long } from '../../test/support/tool-work.js';
import { memoryArchive } from '../../worker/memory.js';
import { createContinuity } from '../continuity.js';
import type { ThreadkeepEvent } from '../events.js';
import { compactThread } from './compact-thread.js';
import type { SummarizationOptions } from './options.js';
import { summarization } from './summarization.js';
import { forgetThread } from './summary-cache.js';

const SIZES = {
  enabled: true,
  trigger: { type: 'tokens', value: 400 },
  keep: { type: 'messages', value: 4 },
} as const satisfies SummarizationOptions;

// The types of their schemas and this compiler's strictness about optional keys do not meet.
const approvals = humanInTheLoopMiddleware as unknown as (options: object) => AgentMiddleware;
const retries = modelRetryMiddleware as unknown as (options: object) => AgentMiddleware;

const plain = (messages: readonly BaseMessage[]) =>
  messages.map(({ type, text }) => ({ role: type === 'human' ? 'user' : 'assistant', content: text }));

describe('an agent with parallel tools that streams', () => {
  test('compacts in the middle of a run, keeps the calls with their results, and streams its answer alone', async () => {
    const look = tool(({ at }) => `Result ${at}: ${long(20)}`, {
      name: 'look',
      description: 'Looks.',
      schema: z.object({ at: z.number() }),
    });
    const calls = [1, 2, 3].map((at) => ({ name: 'look', args: { at }, id: `p${at}` }));
    const { agent, model, summaryModel, events, config, state } = await anAgent({
      script: [{ calls }, 'The answer is here.'],
      tools: [look],
    });
    // The model tells its tokens under one id and its message under another.
    const streamed = new Map<string | undefined, string>();
    const stream = await agent.stream(
      { messages: [...pairs(5), new HumanMessage({ id: 'q', content: 'Look three times.' })] },
      { ...config, streamMode: 'messages' },
    );
    for await (const [message] of stream) {
      if (!AIMessageChunk.isInstance(message)) continue;
      streamed.set(message.id, (streamed.get(message.id) ?? '') + message.text);
    }
    expect(new Set(streamed.values())).toEqual(new Set(['', 'The answer is here.']));
    expect(summaryModel.requests).toHaveLength(1);
    expect(typesOf(events)).toContain('context_compacted');
    const [, second = []] = model.requests;
    expect(second.map(({ type }) => type)).toEqual(['human', 'human', 'ai', 'tool', 'tool', 'tool']);
    expect(coveredCountOf(await state())).toBe(10);
  });
});

describe('an agent that waits for its user', () => {
  async function aWaitingAgent() {
    const sent: string[] = [];
    const send = tool(
      ({ to }) => {
        sent.push(to);
        return `Sent to ${to}.`;
      },
      { name: 'send', description: 'Sends.', schema: z.object({ to: z.string() }) },
    );
    const model = new StrictModel([{ calls: [{ name: 'send', args: { to: 'Ada' }, id: 's1' }] }, 'done']);
    const summaryModel = new ScriptedModel([SUMMARY, SUMMARY]);
    const agent = createAgent({
      model,
      tools: [send],
      checkpointer: new MemorySaver(),
      middleware: [
        summarization({ ...SIZES, model: summaryModel }),
        approvals({ interruptOn: { send: true } }),
      ],
    });
    const config = { configurable: { thread_id: `waits-${Math.random()}` } };
    const first = await agent.invoke({ messages: pairs(10) }, config);
    expect(first).toHaveProperty('__interrupt__');
    const decide = async (decision: object) =>
      agent.invoke(new Command({ resume: { decisions: [decision] } }), config);
    return { agent, model, summaryModel, sent, config, decide };
  }

  test('goes on with the same summary when the call is approved', async () => {
    const { decide, sent, model, summaryModel } = await aWaitingAgent();
    const { messages } = await decide({ type: 'approve' });
    expect(sent).toEqual(['Ada']);
    expect(messages.at(-1)?.text).toBe('done');
    expect(summaryModel.requests).toHaveLength(1);
    expect(texts(model.requests[1]).slice(-1)).toEqual(['Sent to Ada.']);
    expect(texts(model.requests[1])[0]).toContain(SUMMARY);
  });

  test('goes on when the call is rejected', async () => {
    const { decide, sent, model } = await aWaitingAgent();
    await decide({ type: 'reject', message: 'Not her.' });
    expect(sent).toEqual([]);
    expect(texts(model.requests[1]).at(-1)).toContain('Not her.');
  });

  test('goes on waiting after a compaction by hand', async () => {
    const { agent, config, decide, sent, model } = await aWaitingAgent();
    await compactThread(agent, { thread: config.configurable.thread_id });
    const { next } = await agent.graph.getState(config);
    expect(next).toEqual(['HumanInTheLoopMiddleware.after_model']);
    expect(sent).toEqual([]);
    await decide({ type: 'approve' });
    expect(sent).toEqual(['Ada']);
    expect(model.requests).toHaveLength(2);
  });
});

describe('an agent whose calls are retried', () => {
  test.each([
    ['a summary that succeeded is made once', [SUMMARY], 'context_compacted'],
    ['one that failed is tried once', [new Error('down'), SUMMARY], 'context_compaction_failed'],
  ] as const)('%s', async (_, summaries, last) => {
    const model = new StrictModel([new Error('busy'), new Error('busy'), 'done']);
    const summaryModel = new ScriptedModel(summaries);
    const events: ThreadkeepEvent[] = [];
    const agent = createAgent({
      model,
      tools: [],
      middleware: [
        retries({ maxRetries: 3, initialDelayMs: 1, jitter: false }),
        summarization({ ...SIZES, model: summaryModel, onEvent: (event) => events.push(event) }),
      ],
    });
    const config = { configurable: { thread_id: `retried ${last}` } };
    const { messages } = await agent.invoke({ messages: pairs(10) }, config);
    expect(messages.at(-1)?.text).toBe('done');
    expect(model.requests).toHaveLength(3);
    expect(summaryModel.requests).toHaveLength(1);
    expect(typesOf(events)).toEqual(['context_compacting', last]);
  });
});

describe('an agent whose call is aborted after its summary', () => {
  test('makes no second one, and keeps its archive reference', async () => {
    const { say, model, summaryModel, state } = await anAgent({ script: ['hang', 'done'] });
    const abort = new AbortController();
    const run = say(pairs(10), { signal: abort.signal });
    while (model.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await expect(run).rejects.toThrow();
    expect((await state())['compaction']).toBeUndefined();
    await say([new HumanMessage({ id: 'again', content: 'Again?' })]);
    expect(summaryModel.requests).toHaveLength(1);
    expect(coveredCountOf(await state())).toBe(16);
    expect((await state())['taskHistory']).toMatchObject({ batches: [expect.any(String)] });
  });
});

describe('an agent within another', () => {
  test('compacts its own context, and archives nothing in the name of the thread', async () => {
    const archive = await memoryArchive();
    const continuity = createContinuity({ archive });
    const inner = new StrictModel(['The inner answer.']);
    const innerEvents: ThreadkeepEvent[] = [];
    const delegated = createAgent({
      model: inner,
      tools: [],
      middleware: [
        summarization({
          ...SIZES,
          model: new ScriptedModel(['Of the inner one.']),
          continuity,
          onEvent: (event) => innerEvents.push(event),
        }),
      ],
    });
    const delegate = tool(
      async (_, { configurable }) => {
        const { messages } = await delegated.invoke({ messages: pairs(10, 500) }, { configurable });
        return messages.at(-1)?.text ?? '';
      },
      { name: 'delegate', description: 'Delegates.', schema: z.object({}) },
    );
    const { say, state, model, thread, summaryModel } = await anAgent({
      script: [{ calls: [{ name: 'delegate', args: {}, id: 'd1' }] }, 'done'],
      tools: [delegate],
      options: { continuity },
    });
    await say(pairs(10));
    expect(texts(inner.requests[0])[0]).toContain('Of the inner one.');
    expect(innerEvents.at(-1)).toMatchObject({ type: 'context_compacted', archived: null });
    expect(texts(model.requests[1])[0]).toContain(SUMMARY);
    expect(texts(model.requests[1]).at(-1)).toBe('The inner answer.');
    expect(summaryModel.requests).toHaveLength(1);
    expect((await state())['taskHistory']).toMatchObject({ batches: [expect.any(String)] });
    const details = unwrap(await archive.details({ user: 'local', thread }));
    expect(details?.batches.map(({ sources }) => sources)).toEqual([16]);
  });
});

describe('an agent without a checkpointer', () => {
  const anAgentWithout = (summaries: readonly string[]) => {
    const summaryModel = new ScriptedModel(summaries);
    const model = new StrictModel();
    const agent = createAgent({
      model,
      tools: [],
      middleware: [summarization({ ...SIZES, model: summaryModel })],
    });
    return { agent, model, summaryModel };
  };

  test('uses its summary again in a thread, though plain messages get new ids with every call', async () => {
    const { agent, model, summaryModel } = anAgentWithout(['Once.', 'Twice.']);
    const config = { configurable: { thread_id: 'plain' } };
    const said = plain(pairs(10));
    await agent.invoke({ messages: said }, config);
    await agent.invoke(
      { messages: [...said, { role: 'assistant', content: 'done' }, { role: 'user', content: 'And?' }] },
      config,
    );
    expect(summaryModel.requests).toHaveLength(1);
    expect(texts(model.requests[1])[0]).toContain('Once.');
    expect(texts(model.requests[1]).at(-1)).toBe('And?');
  });

  test('without a thread shares its summary with nobody', async () => {
    const { agent, model, summaryModel } = anAgentWithout(['Once.', 'Twice.']);
    await agent.invoke({ messages: plain(pairs(10)) });
    await agent.invoke({ messages: plain(pairs(10)) });
    expect(summaryModel.requests).toHaveLength(2);
    expect(texts(model.requests[1])[0]).toContain('Twice.');
  });

  test('shares nothing between two users whose threads have one name', async () => {
    const { agent, model, summaryModel } = anAgentWithout(['Of Ada.', 'Of Grace.']);
    for (const user of ['ada', 'grace', 'ada']) {
      await agent.invoke({ messages: pairs(10) }, { configurable: { thread_id: 'same', user_id: user } });
    }
    expect(summaryModel.requests).toHaveLength(2);
    const told = model.requests.map((request) => texts(request)[0]?.match(/Ada|Grace/u)?.[0]);
    expect(told).toEqual(['Ada', 'Grace', 'Ada']);
  });

  test('that is built again goes on with the summary of its thread', async () => {
    const config = { configurable: { thread_id: 'built again' } };
    await anAgentWithout(['Once.']).agent.invoke({ messages: pairs(10) }, config);
    const rebuilt = anAgentWithout(['Twice.']);
    await rebuilt.agent.invoke({ messages: [...pairs(10), new HumanMessage('And?')] }, config);
    expect(rebuilt.summaryModel.requests).toHaveLength(0);
    expect(texts(rebuilt.model.requests[0])[0]).toContain('Once.');
  });
});

describe('two threads of one agent', () => {
  test('at once share nothing, though they say the same', async () => {
    const { agent, model, summaryModel, continuity } = await anAgent({ summaries: ['ONE.', 'TWO.'] });
    const [one, two] = ['at-once-1', 'at-once-2'].map((id) => ({ configurable: { thread_id: id } }));
    await Promise.all([
      agent.invoke({ messages: pairs(10) }, one),
      agent.invoke({ messages: pairs(10) }, two),
    ]);
    expect(summaryModel.requests).toHaveLength(2);
    const first = model.requests.map((request) => texts(request)[0]?.match(/ONE|TWO/u)?.[0]);
    expect(first.toSorted()).toEqual(['ONE', 'TWO']);
    const histories = await Promise.all(
      [one, two].map(async (config) => (await agent.graph.getState(config ?? {})).values['taskHistory']),
    );
    expect(histories[0].scope).not.toBe(histories[1].scope);
    expect(histories[0].batches).not.toEqual(histories[1].batches);
    expect(continuity).not.toBeNull();
  });
});

describe('after a reload', () => {
  test('the record serves: no summary call, and the same request', async () => {
    const saver = new MemorySaver();
    const first = await anAgent({ saver });
    await first.say(pairs(10));
    // What a reload forgets.
    forgetThread('local', first.thread);
    const again = await anAgent({ saver, thread: first.thread });
    await again.say([new HumanMessage({ id: 'b', content: 'And then?' })]);
    expect(again.summaryModel.requests).toHaveLength(0);
    const kept = texts(first.model.requests[0]);
    expect(texts(again.model.requests[0])).toEqual([...kept, 'done', 'And then?']);
  });

  test('an answer that was streamed has the place of its message', async () => {
    const saver = new MemorySaver();
    const { say, thread } = await anAgent({ saver });
    await say([...pairs(10), new AIMessageChunk({ id: 'chunk', content: 'In parts.' }) as AIMessage]);
    forgetThread('local', thread);
    const again = await anAgent({ saver, thread });
    await again.say([new HumanMessage({ id: 'b', content: 'And then?' })]);
    expect(again.summaryModel.requests).toHaveLength(0);
  });
});
