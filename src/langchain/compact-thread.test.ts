import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { createAgent, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anAgent, pairs, SUMMARY, texts } from '../../test/support/compacting-agent.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { memoryArchive } from '../../worker/memory.js';
import { createContinuity } from '../continuity.js';
import { compactThread } from './compact-thread.js';

describe('compactThread', () => {
  test('compacts under the trigger, and with prune removes what the archive holds', async () => {
    const { agent, say, thread, state, model } = await anAgent({
      options: { trigger: { type: 'tokens', value: 100_000 } },
    });
    await say(pairs(6));
    const receipt = await compactThread(agent, { thread }, { prune: true });
    expect(receipt).toMatchObject({ outcome: 'compacted', covered: 9, kept: [], archived: { stored: 9 } });
    expect(receipt.pruned).toHaveLength(9);
    const after = await state();
    expect(after['messages']).toHaveLength(4);
    expect(after['compaction']).toMatchObject({ summary: SUMMARY, pruned: receipt.pruned });
    await say([new HumanMessage({ id: 'b', content: 'And then?' })]);
    expect(texts(model.requests[1])).toContain('And then?');
  });

  test('says so when all that is left must stay', async () => {
    const { agent, say, thread } = await anAgent();
    await say(pairs(1));
    expect(await compactThread(agent, { thread })).toMatchObject({ outcome: 'nothing', pruned: [] });
  });

  test('keeps messages with parts that no archive holds', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const { agent, say, thread, state } = await anAgent({
      options: { trigger: { type: 'tokens', value: 100_000 } },
    });
    await say([
      new HumanMessage({ id: 'pic', content: [{ type: 'text', text: 'Look' }, image] }),
      ...pairs(4),
    ]);
    const receipt = await compactThread(agent, { thread }, { prune: true });
    expect(receipt.kept).toEqual([{ id: 'pic', reason: 'has-other-content' }]);
    expect(((await state())['messages'] as BaseMessage[])[0]?.id).toBe('pic');
  });

  test('stops before it would push out its own batches, and says what stays', async () => {
    const archive = await memoryArchive();
    const continuity = createContinuity({ archive, retention: { maxBatches: 2, maxRecordsPerBatch: 4 } });
    const { agent, say, thread, state } = await anAgent({
      options: { trigger: { type: 'tokens', value: 100_000 }, continuity },
    });
    await say(pairs(10));
    const { pruned, kept } = await compactThread(agent, { thread }, { prune: true });
    expect(pruned.length).toBeGreaterThan(0);
    expect(kept).toHaveLength(17 - pruned.length);
    expect(new Set(kept.map(({ reason }) => reason))).toEqual(new Set(['not-archived']));
    // Nothing is gone from both.
    const history = (await state())['taskHistory'];
    const scope = { user: 'local', thread };
    const held = await continuity.archivedMessages(scope, history, pruned, 1_000);
    expect(held.map(({ id }) => id).toSorted()).toEqual(pruned.toSorted());
  });

  test('removes messages with pictures too when that is asked for', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const { agent, say, thread } = await anAgent({
      options: { trigger: { type: 'tokens', value: 100_000 } },
    });
    await say([
      new HumanMessage({ id: 'pic', content: [{ type: 'text', text: 'Look' }, image] }),
      ...pairs(4),
    ]);
    const receipt = await compactThread(agent, { thread }, { prune: 'media' });
    expect(receipt.kept).toEqual([]);
    expect(receipt.pruned).toContain('pic');
  });

  test('changes nothing when its summary fails', async () => {
    const { agent, say, thread, state } = await anAgent({
      summaries: [new Error('down')],
      options: { trigger: { type: 'tokens', value: 100_000 } },
    });
    await say(pairs(6));
    const before = await state();
    expect(await compactThread(agent, { thread }, { prune: true })).toMatchObject({
      outcome: 'failed',
      failure: { reason: 'error', message: 'down' },
      pruned: [],
    });
    expect(await state()).toEqual(before);
  });

  test('refuses an agent without summarization in words that help', async () => {
    const agent = createAgent({
      model: new ScriptedModel(),
      tools: [tool(() => '', { name: 'x', schema: z.object({}) })],
    });
    await expect(compactThread(agent, { thread: 'x' })).rejects.toThrow('make it with threadkeep(');
  });
});
