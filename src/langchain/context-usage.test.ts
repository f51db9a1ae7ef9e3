import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anAgent, pairs, SUMMARY } from '../../test/support/compacting-agent.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { memoryArchive } from '../../worker/memory.js';
import { compactThread } from './compact-thread.js';
import { contextUsage, type SentRequest, totalOf, watchRequests } from './context-usage.js';
import { threadkeep } from './threadkeep.js';

describe('the context usage of a thread', () => {
  test('is all messages while they are under the trigger', async () => {
    const { agent, thread, say } = await anAgent();
    await say(pairs(3));
    const usage = await contextUsage(agent, { thread });
    expect(usage).toMatchObject({
      parts: { system: 0, tools: 0, notes: 0, summary: 0 },
      messages: 7,
      trigger: { tokens: 400, messages: null },
      windowTokens: null,
      isOver: false,
    });
    expect(usage.tokens).toBe(usage.parts.messages);
    expect(usage.tokens).toBeGreaterThan(150);
  });

  test('has the summary in the place of what it covers', async () => {
    const { agent, thread, say } = await anAgent();
    await say(pairs(10));
    const usage = await contextUsage(agent, { thread });
    expect(usage.parts.summary).toBeGreaterThan(SUMMARY.length / 4);
    expect(usage.messages).toBe(6);
    expect(usage.tokens).toBeLessThan(400);
  });

  test('says that the next call is due to compact', async () => {
    const { agent, config, thread } = await anAgent();
    await agent.graph.updateState(config, { messages: pairs(10) }, 'model_request');
    expect(await contextUsage(agent, { thread })).toMatchObject({ messages: 20, isOver: true });
  });

  test('is that of an earlier checkpoint when one is named', async () => {
    const { agent, config, thread, say } = await anAgent();
    await say(pairs(2));
    const { config: then } = await agent.graph.getState(config);
    const usage = await contextUsage(agent, { thread });
    await say(pairs(10));
    const checkpoint = String(then.configurable?.['checkpoint_id']);
    expect(await contextUsage(agent, { thread, checkpoint })).toEqual(usage);
    expect(await contextUsage(agent, { thread })).not.toEqual(usage);
  });

  test('is zero in a thread that nobody has spoken in', async () => {
    const { agent } = await anAgent();
    expect(await contextUsage(agent, { thread: 'nobody' })).toMatchObject({ tokens: 0, messages: 0 });
  });

  test('takes the lowest trigger of each unit, and the window that was given', async () => {
    const { agent, thread } = await anAgent({
      options: {
        windowTokens: 10_000,
        trigger: [
          { type: 'fraction', value: 0.5 },
          { type: 'tokens', value: 6_000 },
          { type: 'messages', value: 80 },
        ],
      },
    });
    expect(await contextUsage(agent, { thread })).toMatchObject({
      trigger: { tokens: 5_000, messages: 80 },
      windowTokens: 10_000,
    });
  });
});

describe('a request that is watched', () => {
  test('is told by parts as the model gets it, and as the usage foretold', async () => {
    const requests: SentRequest[] = [];
    const agent = createAgent({
      model: new ScriptedModel(),
      systemPrompt: 'Be kind.',
      tools: [tool(() => '', { name: 'look', description: 'Looks.', schema: z.object({ q: z.string() }) })],
      checkpointer: new MemorySaver(),
      middleware: [
        ...threadkeep({
          archive: await memoryArchive(),
          summarization: {
            enabled: true,
            model: new ScriptedModel([SUMMARY]),
            trigger: { type: 'tokens', value: 8_000 },
            keep: { type: 'messages', value: 4 },
          },
          taskContinuity: { enabled: true },
        }),
        watchRequests((request) => requests.push(request)),
      ],
    });
    const config = { configurable: { thread_id: 'watched' } };
    const question = new HumanMessage({ id: 'q', content: 'And now?' });
    await agent.graph.updateState(config, { messages: [...pairs(10), question] }, 'model_request');
    await compactThread(agent, { thread: 'watched' });
    const foretold = await contextUsage(agent, { thread: 'watched' });
    await agent.invoke({ messages: [] }, config);

    const [sent] = requests;
    expect(sent).toMatchObject({ user: 'local', thread: 'watched', namespace: '' });
    expect(sent?.messages.map(({ name }) => name ?? null)).toEqual([null, 'summary', null, null, null, null]);
    for (const part of ['system', 'tools', 'notes', 'summary', 'messages'] as const) {
      expect(sent?.parts[part], part).toBeGreaterThan(0);
    }
    expect(foretold.parts).toEqual(sent?.parts);
    expect(foretold.tokens).toBe(sent === undefined ? 0 : totalOf(sent.parts));
    // What the prompt says of the durable context is fixed, and no note.
    expect(sent?.parts.notes).toBeLessThan(50);
    expect(sent?.parts.system).toBeGreaterThan(200);
  });

  test('is told whole: the system prompt, the tools and the messages, by part', async () => {
    const requests: SentRequest[] = [];
    const agent = createAgent({
      model: new ScriptedModel(),
      systemPrompt: 'Be kind.',
      tools: [tool(() => '', { name: 'look', description: 'Looks.', schema: z.object({ q: z.string() }) })],
      middleware: [
        ...threadkeep({
          archive: await memoryArchive(),
          summarization: {
            enabled: true,
            model: new ScriptedModel([SUMMARY]),
            trigger: { type: 'messages', value: 10 },
            keep: { type: 'messages', value: 4 },
          },
          taskContinuity: { enabled: true },
        }),
        watchRequests((request) => requests.push(request)),
      ],
    });
    const reminder = new SystemMessage({ id: 'date', content: 'It is Monday.' });
    await agent.invoke({
      messages: [...pairs(10), reminder, new HumanMessage({ id: 'q', content: 'And?' })],
    });

    const { content, messages } = requests[0] ?? {};
    expect(content?.system.map(({ text }) => text.slice(0, 13))).toEqual([
      'Be kind.\n\nA m',
      'It is Monday.',
    ]);
    expect(content?.tools.map((one) => Reflect.get(Object(one), 'name'))).toEqual([
      'look',
      'task_note',
      'history_search',
      'history_read',
    ]);
    expect(content?.notes.map(({ text }) => text.slice(0, 22))).toEqual(['<durable_context_data>']);
    expect(content?.summary.map(({ text }) => text)).toEqual([expect.stringContaining(SUMMARY)]);
    // The summary has its message; the durable context does not say it again.
    expect(content?.notes[0]?.text).not.toContain(SUMMARY);
    expect(content?.notes[0]?.text).not.toContain('Conversation summary so far');
    expect(content?.messages.map(({ id }) => id)).toEqual(['m18', 'm19', 'q']);
    const all = [...(content?.notes ?? []), ...(content?.summary ?? []), ...(content?.messages ?? [])];
    expect(messages?.filter((message) => message !== reminder)).toEqual(all);
  });

  test('has nothing in the part of the system without a prompt', async () => {
    const requests: SentRequest[] = [];
    const agent = createAgent({
      model: new ScriptedModel(),
      middleware: [watchRequests((request) => requests.push(request))],
    });
    await agent.invoke({ messages: [new HumanMessage('Hello')] });
    expect(requests[0]?.content).toMatchObject({ system: [], tools: [], notes: [], summary: [] });
    expect(requests[0]?.parts).toMatchObject({ system: 0, tools: 0 });
  });
});
