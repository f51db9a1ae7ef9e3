// Histories that are known to break requests elsewhere: calls apart from their results, and a past that changes.
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
import { faultsOf } from '../../test/replay/strict.js';
import { anAgent, coveredCountOf, pairs, texts } from '../../test/support/compacting-agent.js';
import { called, long, resultOf } from '../../test/support/tool-work.js';

const skillRead = [
  new AIMessage({
    id: 'reads',
    content: '',
    tool_calls: [{ name: 'read_file', args: { path: '/mnt/skills/a.md' }, id: 'skill' }],
  }),
  new ToolMessage({ id: 'skill', content: 'Greet.', tool_call_id: 'skill', name: 'read_file' }),
];
const ask = (id: string, content = 'And then?'): HumanMessage => new HumanMessage({ id, content });

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
      expect(faultsOf(request)).toEqual([]);
      const kept = request.filter((message) => message.getType() === 'tool').length;
      expect([0, 3]).toContain(kept);
    }
  });

  test('a run of results with one of several calls cut away: none is neither sent nor summarised', async () => {
    const work = [called('c', 'x'), called('d', 'y'), resultOf('x'), resultOf('y')];
    const places = new Set<string>();
    for (let after = 0; after < 4; after += 1) {
      for (let value = 1; value < 8; value += 1) {
        const { say, model, summaryModel } = await anAgent({
          archive: false,
          options: { keep: { type: 'messages', value } },
        });
        await say([...pairs(8), ...work, ...pairs(after, 100)]);
        const where = ['x', 'y'].map((id) => {
          const isSent = texts(model.requests[0]).includes(`Result of ${id}.`);
          const isSummarised = texts(summaryModel.requests[0]).join().includes(`Result of ${id}.`);
          expect(isSent).not.toBe(isSummarised);
          return isSent ? 'sent' : 'summarised';
        });
        places.add(where.join());
      }
    }
    expect([...places].sort()).toEqual(['sent,sent', 'summarised,summarised']);
  });

  test('a call that nobody ever answered is covered, summarised and never asked about again', async () => {
    const { say, model, state } = await anAgent();
    await say([...pairs(2), called('c', 'never'), ...pairs(8, 50)]);
    expect(faultsOf(model.requests[0] ?? [])).toEqual([]);
    expect(texts(model.requests[0])).not.toContain('No result: this call was not completed.');
    expect(coveredCountOf(await state())).toBeGreaterThan(5);
  });

  test('a late result whose call is behind the first of two summaries is dropped from the request', async () => {
    const { say, model, summaryModel } = await anAgent();
    await say([...pairs(2), called('c', 'slow'), ...pairs(8, 50)]);
    await say([...pairs(8, 100), resultOf('slow'), ask('q')]);
    expect(summaryModel.requests).toHaveLength(2);
    expect(faultsOf(model.requests[1] ?? [])).toEqual([]);
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
    expect(faultsOf(model.requests.at(-1) ?? [])).toEqual([]);
    expect(texts(model.requests.at(-1)).at(-1)).toBe('And then?');
  });

  test('a provider that refuses orphans and open calls takes what becomes of a broken history', async () => {
    const broken = (name: string): BaseMessage[] => [
      resultOf(`nobody-${name}`),
      called(`c-${name}`, `open-${name}`, `half-${name}`),
      resultOf(`half-${name}`),
      ask(`h-${name}`, 'Never mind.'),
      called(`d-${name}`, `late-${name}`),
      ask(`i-${name}`, 'Well?'),
      resultOf(`late-${name}`),
    ];
    const { say, model, summaryModel, state } = await anAgent();
    await say([ask('first'), ...broken('one')]);
    await say([...pairs(8, 50), ...broken('two'), ask('q')]);
    expect(summaryModel.requests).toHaveLength(1);
    expect(model.requests.map(faultsOf)).toEqual([[], []]);
    for (const name of ['one', 'two']) {
      const stored = texts((await state())['messages'] as BaseMessage[]);
      expect(stored).toContain(`Result of nobody-${name}.`);
      expect(stored.join()).not.toContain('No result');
    }
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

describe('the first message of a compacted request', () => {
  test.each([
    ['an assistant began', [new AIMessage({ id: 'hello', content: 'Hello, what can I do?' })]],
    ['a tool’s result began', [resultOf('gone')]],
    ['the kept part begins with an answer', []],
    ['skill files stay', skillRead],
  ])('is the user’s when %s', async (_, opening) => {
    const { say, model, summaryModel } = await anAgent({ options: { keep: { type: 'messages', value: 3 } } });
    await say([...opening, ...pairs(10)]);
    expect(summaryModel.requests).toHaveLength(1);
    expect(model.requests[0]?.[0]?.getType()).toBe('human');
    expect(faultsOf(model.requests[0] ?? [])).toEqual([]);
  });
});
