import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { providerStrategy, toolStrategy } from 'langchain';
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
import { coveredOf } from '../core/record.js';
import { repairPlan } from '../core/repair.js';
import { toMessages } from './messages.js';

describe('under the trigger', () => {
  test('the request passes as it is, and nothing is written', async () => {
    const { say, model, events, state } = await anAgent();
    const messages = pairs(2);
    await say(messages);
    expect(texts(model.requests[0])).toEqual(texts(messages));
    expect(events).toEqual([]);
    expect((await state())['compaction']).toBeUndefined();
  });
});

describe('over the trigger', () => {
  test('the request holds the summary and the recent part, and the checkpoint every message', async () => {
    const { say, model, state, events } = await anAgent();
    const messages = [...pairs(10), new HumanMessage({ id: 'last', content: 'What now?' })];
    await say(messages);
    const request = model.requests[0] ?? [];
    expect(request[0]?.text).toBe(`Here is a summary of the conversation to date:\n\n${SUMMARY}`);
    expect(request[0]?.name).toBe('summary');
    expect(request[0]?.additional_kwargs['hide_from_ui']).toBe(true);
    expect(texts(request.slice(1))).toEqual(texts(messages.slice(-4)));
    const after = await state();
    expect(texts(after['messages'] as BaseMessage[])).toEqual([...texts(messages), 'done']);
    expect(after['compaction']).toMatchObject({
      covered: coveredOf(toMessages(messages.slice(0, -4))),
      lifted: [],
    });
    expect(typesOf(events)).toEqual(['context_compacting', 'context_compacted']);
    expect(events[1]).toMatchObject({
      messagesCovered: 17,
      archived: { stored: 17, omitted: 0, failure: null },
    });
    expect(after['taskHistory']).toMatchObject({ status: 'available', batches: [expect.any(String)] });
  });

  test('the kept part has headroom under the trigger, whatever keep asks for', async () => {
    const { say, model } = await anAgent({ options: { keep: { type: 'messages', value: 18 } } });
    await say(pairs(12));
    const request = model.requests[0] ?? [];
    expect(request.length).toBeLessThan(16);
    expect(request.length).toBeGreaterThan(5);
  });

  test('the summary is used again until new messages fill the window', async () => {
    const { say, summaryModel, events } = await anAgent();
    await say([...pairs(10), new HumanMessage({ id: 'a', content: 'And?' })]);
    await say([new HumanMessage({ id: 'b', content: 'And then?' })]);
    expect(summaryModel.requests).toHaveLength(1);
    expect(typesOf(events)).toEqual(['context_compacting', 'context_compacted']);
    await say([...pairs(6, 100), new HumanMessage({ id: 'c', content: 'And now?' })]);
    expect(summaryModel.requests).toHaveLength(2);
    expect(texts(summaryModel.requests[1]).join()).toContain(`<previous_summary>\n${SUMMARY}`);
  });

  test('a rebuilt agent over the same checkpoints goes on with the record', async () => {
    const saver = new MemorySaver();
    const first = await anAgent({ saver });
    await first.say(pairs(10));
    const again = await anAgent({ saver, thread: first.thread });
    await again.say([new HumanMessage({ id: 'b', content: 'And then?' })]);
    expect(again.summaryModel.requests).toHaveLength(0);
    expect(again.model.requests[0]?.[0]?.text).toContain(SUMMARY);
  });

  test('a changed message makes the summary anew', async () => {
    const { say, summaryModel, agent, config } = await anAgent();
    await say(pairs(10));
    await agent.graph.updateState(config, {
      messages: [new HumanMessage({ id: 'm0', content: 'Changed by the user.' })],
    });
    await say([new HumanMessage({ id: 'b', content: 'And then?' })]);
    expect(summaryModel.requests).toHaveLength(2);
    expect(texts(summaryModel.requests[1]).join()).toContain('Changed by the user.');
  });

  test('a rollback to before the compaction reaches no later batch', async () => {
    const { agent, say, config, state } = await anAgent();
    await say(pairs(4));
    const before = (await agent.graph.getState(config)).config;
    await say([...pairs(10, 50)]);
    expect((await state())['taskHistory']).toBeDefined();
    await agent.graph.updateState(before, {
      messages: [new HumanMessage({ id: 'other', content: 'Another way.' })],
    });
    const rolledBack = await state();
    expect(rolledBack['taskHistory']).toBeUndefined();
    expect(rolledBack['compaction']).toBeUndefined();
  });

  test('the latest user message stays when everything after it fills the window', async () => {
    const calls = Array.from({ length: 8 }, (_, at) => [
      new AIMessage({
        id: `call${at}`,
        content: '',
        tool_calls: [{ name: 'look', args: { at }, id: `c${at}` }],
      }),
      new ToolMessage({
        id: `result${at}`,
        content: `Result ${at} ${'with words '.repeat(20)}`,
        tool_call_id: `c${at}`,
      }),
    ]).flat();
    const question = new HumanMessage({ id: 'question', content: 'Do the first thing, then the second.' });
    const { say, model } = await anAgent();
    await say([...pairs(4), question, ...calls]);
    expect(texts(model.requests[0])).toContain(question.text);
    expect(repairPlan(toMessages(model.requests[0] ?? []))).toBeNull();
  });

  test('skill files stay word for word', async () => {
    const skill = [
      new AIMessage({
        id: 's',
        content: '',
        tool_calls: [{ name: 'read_file', args: { path: '/mnt/skills/a/SKILL.md' }, id: 'k' }],
      }),
      new ToolMessage({
        id: 't',
        content: 'Always greet in Norwegian.',
        tool_call_id: 'k',
        name: 'read_file',
      }),
    ];
    const { say, model } = await anAgent();
    await say([...pairs(2), ...skill, ...pairs(10, 50)]);
    expect(texts(model.requests[0]).slice(1, 3)).toEqual(['', 'Always greet in Norwegian.']);
  });
});

describe('a model call that fails after its summary', () => {
  test('costs no second summary and loses no archive reference', async () => {
    const { say, summaryModel, state } = await anAgent({ script: [new Error('overloaded')] });
    const messages = pairs(10);
    await expect(say(messages)).rejects.toThrow('overloaded');
    await say([new HumanMessage({ id: 'again', content: 'Again?' })]);
    expect(summaryModel.requests).toHaveLength(1);
    const after = await state();
    expect(coveredCountOf(after)).toBe(16);
    expect(after['taskHistory']).toMatchObject({ batches: [expect.any(String)] });
  });

  test.each([
    ['tool', toolStrategy(z.object({ city: z.string() }))],
    ['provider', providerStrategy(z.object({ city: z.string() }))],
  ])('with a structured answer by %s strategy, both are kept as well', async (kind, responseFormat) => {
    const answer =
      kind === 'tool'
        ? (messages: readonly BaseMessage[]) => {
            expect(messages[0]?.text).toContain(SUMMARY);
            return { calls: [{ name: 'extract-1', args: { city: 'Oslo' }, id: 'x1' }] };
          }
        : '{"city":"Oslo"}';
    const { say, summaryModel, state } = await anAgent({
      script: [new Error('overloaded'), answer],
      responseFormat,
    });
    await expect(say(pairs(10))).rejects.toThrow('overloaded');
    const result = (await say([new HumanMessage({ id: 'again', content: 'Again?' })])) as Record<
      string,
      unknown
    >;
    expect(summaryModel.requests).toHaveLength(1);
    expect((await state())['taskHistory']).toMatchObject({ batches: [expect.any(String)] });
    expect(coveredCountOf(await state())).toBe(16);
    expect(result['structuredResponse']).toEqual({ city: 'Oslo' });
  });
});

describe('what leaves us is valid for strict providers', () => {
  test('calls without results get one, results without calls go, and the state keeps both', async () => {
    const messages = [
      ...pairs(1),
      new AIMessage({ id: 'a', content: '', tool_calls: [{ name: 'look', args: {}, id: 'open' }] }),
      new HumanMessage({ id: 'h', content: 'Never mind.' }),
      new ToolMessage({ id: 'o', content: 'Out of nowhere', tool_call_id: 'unknown' }),
    ];
    const { say, model, state } = await anAgent();
    await say(messages);
    const request = model.requests[0] ?? [];
    expect(request.map((message) => message.getType())).toEqual(['human', 'ai', 'ai', 'tool', 'human']);
    expect(request[3]?.text).toBe('No result: this call was not completed.');
    expect((await state())['messages']).toHaveLength(messages.length + 1);
  });
});
