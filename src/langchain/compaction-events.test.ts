// What a page hears of a compaction: on the `custom` stream and by `onEvent`, the same and in order.
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { anAgent, pairs, SUMMARY } from '../../test/support/compacting-agent.js';
import { memoryArchive } from '../../worker/memory.js';
import { createContinuity } from '../continuity.js';
import { compactThread } from './compact-thread.js';

const ask = (id: string) => new HumanMessage({ id, content: 'And then?' });

/** One run, and what it told on the `custom` stream. */
async function toldBy({ agent, config }: Awaited<ReturnType<typeof anAgent>>, messages: BaseMessage[]) {
  const told: unknown[] = [];
  const stream = await agent.stream({ messages }, { ...config, streamMode: 'custom' });
  for await (const event of stream) told.push(event);
  return told;
}

describe('a compaction', () => {
  test('is told when its summary call begins, and whole when it is over', async () => {
    const setup = await anAgent();
    const told = await toldBy(setup, [...pairs(10), ask('q')]);
    expect(told).toEqual([
      { type: 'context_compacting', message: '正在压缩上下文…' },
      {
        type: 'context_compacted',
        reason: 'trigger',
        messagesCovered: 17,
        messagesPruned: 0,
        tokensBefore: expect.any(Number),
        tokensAfter: expect.any(Number),
        durationMs: expect.any(Number),
        archived: { stored: 17, omitted: 0, failure: null },
      },
    ]);
    expect(setup.events).toEqual(told);
    const { tokensBefore = 0, tokensAfter = 0 } = Object(told[1]);
    expect(tokensBefore).toBeGreaterThan(400);
    expect(tokensAfter).toBeLessThan(300);
    expect(tokensAfter).toBeGreaterThan(SUMMARY.length / 4);
  });

  test('is silent when a former summary serves', async () => {
    const setup = await anAgent();
    await setup.say(pairs(10));
    expect(await toldBy(setup, [ask('q')])).toEqual([]);
  });

  test('tells what the archive left out, and why it has nothing', async () => {
    const archive = await memoryArchive();
    const few = await anAgent({
      options: { continuity: createContinuity({ archive, retention: { maxRecordsPerBatch: 5 } }) },
    });
    expect((await toldBy(few, [...pairs(10), ask('q')])).at(-1)).toMatchObject({
      archived: { stored: 5, omitted: 12, failure: null },
    });
    const full = await anAgent({
      options: {
        continuity: createContinuity({
          archive: { ...archive, capture: async () => ({ ok: false, failure: 'ceiling', detail: 'Full.' }) },
        }),
      },
    });
    expect((await toldBy(full, [...pairs(10), ask('q')])).at(-1)).toMatchObject({
      type: 'context_compacted',
      archived: { stored: 0, failure: 'ceiling' },
    });
  });

  test('that fails or cannot help is told with its reason', async () => {
    const failing = await anAgent({ summaries: [new Error('no quota')] });
    expect((await toldBy(failing, pairs(10))).at(-1)).toEqual({
      type: 'context_compaction_failed',
      reason: 'error',
      message: 'no quota',
    });
    const hopeless = await anAgent({ archive: false });
    const huge = new HumanMessage({ id: 'huge', content: 'some words '.repeat(300) });
    expect(await toldBy(hopeless, [huge])).toEqual([
      {
        type: 'context_compaction_skipped',
        reason: 'nothing-to-summarize',
        message: 'All that is left is the part that must stay.',
      },
    ]);
  });

  test('by hand says so', async () => {
    const { agent, say, thread, events } = await anAgent();
    await say(pairs(6));
    events.length = 0;
    await compactThread(agent, { thread }, { prune: true });
    expect(events.at(-1)).toMatchObject({ type: 'context_compacted', reason: 'manual', messagesPruned: 9 });
  });
});
