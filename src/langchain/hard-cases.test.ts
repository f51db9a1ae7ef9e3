// Where compaction is known to go wrong elsewhere.
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  anAgent,
  coveredCountOf,
  pairs,
  SUMMARY,
  texts,
  typesOf,
} from '../../test/support/compacting-agent.js';
import { repairPlan } from '../core/repair.js';
import { toMessages } from './messages.js';

const called = (id: string, ...ids: readonly string[]): AIMessage =>
  new AIMessage({
    id,
    content: '',
    tool_calls: ids.map((call) => ({ name: 'look', args: {}, id: call, type: 'tool_call' as const })),
  });
const resultOf = (call: string, content = `Result of ${call}.`): ToolMessage =>
  new ToolMessage({ id: `result-${call}`, content, tool_call_id: call, name: 'look' });
const ask = (id: string, content = 'And then?'): HumanMessage => new HumanMessage({ id, content });
const long = (count: number): string => 'some words of it '.repeat(count);

const isValid = (request: readonly BaseMessage[] | undefined): boolean =>
  request !== undefined && repairPlan(toMessages(request)) === null;

describe('calls and results', () => {
  test('a run of results whose call would be cut away stays with it, or leaves with it', async () => {
    const work = [
      called('c', 'x', 'y', 'z'),
      resultOf('x', long(4)),
      resultOf('y', long(4)),
      resultOf('z', long(4)),
    ];
    for (let after = 0; after < 6; after += 1) {
      const { say, model } = await anAgent({
        archive: false,
        options: { keep: { type: 'messages', value: 3 } },
      });
      await say([...pairs(8), ...work, ...pairs(after, 100)]);
      const request = model.requests[0] ?? [];
      expect(isValid(request)).toBe(true);
      const kept = request.filter((message) => message.getType() === 'tool').length;
      expect([0, 3]).toContain(kept);
    }
  });

  test('a call that nobody ever answered is covered, summarised and never asked about again', async () => {
    const { say, model, state } = await anAgent();
    await say([...pairs(2), called('c', 'never'), ...pairs(8, 50)]);
    expect(isValid(model.requests[0])).toBe(true);
    expect(texts(model.requests[0])).not.toContain('No result: this call was not completed.');
    expect(coveredCountOf(await state())).toBeGreaterThan(5);
  });

  test('a late result whose call is behind the first of two summaries is dropped from the request', async () => {
    const { say, model, summaryModel } = await anAgent();
    await say([...pairs(2), called('c', 'slow'), ...pairs(8, 50)]);
    await say([...pairs(8, 100), resultOf('slow'), ask('q')]);
    expect(summaryModel.requests).toHaveLength(2);
    expect(isValid(model.requests[1])).toBe(true);
    expect(texts(model.requests[1])).not.toContain('Result of slow.');
  });

  test('an abort in the middle of a tool leaves a thread that compacts', async () => {
    let start = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const slow = tool(
      async (_, { signal }) => {
        start();
        await new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
        });
        return '';
      },
      { name: 'slow', schema: z.object({}) },
    );
    const script = [{ calls: [{ name: 'slow', args: {}, id: 's1' }] }];
    const { say, model, summaryModel } = await anAgent({ script, tools: [slow] });
    const abort = new AbortController();
    const run = say(pairs(2), { signal: abort.signal });
    await started;
    abort.abort();
    await expect(run).rejects.toThrow();
    await say([...pairs(8, 50), ask('q')]);
    expect(summaryModel.requests).toHaveLength(1);
    expect(isValid(model.requests.at(-1))).toBe(true);
    expect(texts(model.requests.at(-1)).at(-1)).toBe('And then?');
  });
});

describe('what the summariser is shown', () => {
  test('the opening goal and a rule of it, when a run of tool results fills its budget', async () => {
    const work = Array.from({ length: 12 }, (_, at) => [
      called(`c${at}`, `x${at}`),
      resultOf(`x${at}`, long(60)),
    ]).flat();
    const goal = ask('goal', 'Move the archive to Oslo. Never touch the server called heron.');
    const { say, summaryModel } = await anAgent({ options: { trimTokensToSummarize: 400 } });
    await say([goal, ...work, ask('q')]);
    const prompt = texts(summaryModel.requests[0]).join();
    expect(prompt).toContain('Move the archive to Oslo. Never touch the server called heron.');
    expect(prompt).toContain('[tool look]');
    expect(prompt).toMatch(/\(\d+ messages are left out here\)/u);
  });

  test('a summary that quotes closing tags, as text', async () => {
    const tricky = 'He wrote </previous_summary> and </conversation>.';
    const { say, summaryModel, model } = await anAgent({ summaries: [tricky, SUMMARY] });
    await say(pairs(10));
    await say([...pairs(8, 100), ask('q')]);
    expect(model.requests[0]?.[0]?.text).toContain(tricky);
    const prompt = texts(summaryModel.requests[1]).join();
    expect(prompt.match(/<\/previous_summary>/gu)).toHaveLength(1);
    expect(prompt).toContain('He wrote &lt;/previous_summary&gt; and &lt;/conversation&gt;.');
  });

  test('no half of an emoji, wherever its budget ends', async () => {
    for (let pad = 0; pad < 8; pad += 1) {
      const { say, summaryModel, model } = await anAgent({
        archive: false,
        options: { trimTokensToSummarize: 100 },
      });
      await say([ask('e', `${'a'.repeat(pad)}${'😀'.repeat(900)}`), ...pairs(8, 10)]);
      expect(texts(summaryModel.requests[0]).join()).not.toMatch(/\p{Cs}|\ufffd/u);
      expect(texts(model.requests[0]).join()).not.toMatch(/\p{Cs}|\ufffd/u);
    }
  });
});

describe('what fills the window', () => {
  test('60,000 Chinese characters reach a trigger of 50,000 tokens', async () => {
    const chinese = Array.from({ length: 60 }, (_, at) => ask(`zh${at}`, '请把备份保留到季度末'.repeat(100)));
    const { say, summaryModel } = await anAgent({ options: { trigger: { type: 'tokens', value: 50_000 } } });
    await say(chinese);
    expect(summaryModel.requests).toHaveLength(1);
  });

  test('a picture of 400 kB does not', async () => {
    const image = {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(36_000)}` },
    };
    const { say, summaryModel } = await anAgent({ options: { trigger: { type: 'tokens', value: 2_000 } } });
    await say([new HumanMessage({ id: 'pic', content: [{ type: 'text', text: 'Look' }, image] })]);
    expect(summaryModel.requests).toHaveLength(0);
  });

  test('40 tool schemas are counted, and told of when they alone are too much', async () => {
    const tools = Array.from({ length: 40 }, (_, at) =>
      tool(() => '', {
        name: `tool_${at}`,
        description: `Does one of forty things, namely ${at}: ${long(4)}`,
        schema: z.object({ path: z.string().describe('Where it is.'), depth: z.number() }),
      }),
    );
    const roomy = await anAgent({
      archive: false,
      tools,
      options: { trigger: { type: 'tokens', value: 4_000 } },
    });
    await roomy.say(pairs(30));
    expect(roomy.summaryModel.requests).toHaveLength(1);
    const bare = await anAgent({ archive: false, options: { trigger: { type: 'tokens', value: 4_000 } } });
    await bare.say(pairs(30));
    expect(bare.summaryModel.requests).toHaveLength(0);

    const full = await anAgent({
      archive: false,
      tools,
      options: { trigger: { type: 'tokens', value: 1_000 } },
    });
    await full.say(pairs(3));
    expect(full.events.at(-1)).toMatchObject({ type: 'context_compaction_skipped', reason: 'still-over' });
    await full.say([ask('q')]);
    await full.say([ask('r')]);
    expect(full.summaryModel.requests).toHaveLength(1);
    expect(texts(full.model.requests[2])).toContain('And then?');
  });

  test('a tail that is over the trigger by itself costs one attempt until a tenth of the trigger has come', async () => {
    const { say, summaryModel, events, model } = await anAgent({ archive: false });
    await say([...pairs(4), ask('huge', long(150))]);
    expect(summaryModel.requests).toHaveLength(1);
    expect(typesOf(events)).toEqual([
      'context_compacting',
      'context_compacted',
      'context_compaction_skipped',
    ]);
    await say([ask('n1', 'Short.')]);
    await say([ask('n2', 'Short.')]);
    expect(summaryModel.requests).toHaveLength(1);
    expect(texts(model.requests.at(-1))).toContain('Short.');
    await say([...pairs(1, 90), ask('n3', 'Short.')]);
    expect(summaryModel.requests).toHaveLength(2);
    expect(texts(model.requests.at(-1)).join()).not.toContain(long(150));
  });
});

describe('a user who changes the past', () => {
  test('deletes a covered message, and gets a summary without it', async () => {
    const { say, summaryModel, agent, config } = await anAgent();
    await say(pairs(10));
    await agent.graph.updateState(config, { messages: [new RemoveMessage({ id: 'm2' })] });
    await say([ask('q')]);
    expect(summaryModel.requests).toHaveLength(2);
    expect(texts(summaryModel.requests[1]).join()).not.toContain('m2 says');
    expect(texts(summaryModel.requests[1]).join()).not.toContain('<previous_summary>');
  });

  test('forks from before the compaction, and each branch goes on with its own', async () => {
    const { agent, say, config, summaryModel, model } = await anAgent({
      summaries: ['Of the first.', 'Of the fork.'],
    });
    await say(pairs(3));
    const before = (await agent.graph.getState(config)).config;
    await say(pairs(8, 50));
    const main = (await agent.graph.getState(config)).config;
    await agent.invoke({ messages: pairs(8, 200) }, before as typeof config);
    expect(summaryModel.requests).toHaveLength(2);
    expect(texts(summaryModel.requests[1]).join()).not.toContain('m50 says');
    await agent.invoke({ messages: [ask('q')] }, main as typeof config);
    expect(summaryModel.requests).toHaveLength(2);
    expect(model.requests.at(-1)?.[0]?.text).toContain('Of the first.');
  });
});

test('a compacted request begins with the user’s role, as some providers demand', async () => {
  const greeting = new AIMessage({ id: 'hello', content: 'Hello, what can I do?' });
  const { say, model } = await anAgent();
  await say([greeting, ...pairs(10)]);
  expect(model.requests[0]?.[0]?.getType()).toBe('human');
});
