import { HumanMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { anAgent, pairs, SUMMARY, texts, typesOf } from '../../test/support/compacting-agent.js';
import { compactThread } from './compact-thread.js';
import { forgetThread } from './summary-cache.js';
import { undoCompaction } from './undo-compaction.js';

const next = (id: string, words = 12) =>
  new HumanMessage({ id, content: Array.from({ length: words }, (_, at) => `word${at}`).join(' ') });

describe('undoing the last compaction', () => {
  test('brings the whole conversation back, and holds until a tenth of the trigger has come', async () => {
    const { agent, say, thread, model, events } = await anAgent();
    await say(pairs(9));
    expect(texts(model.requests[0])[0]).toContain(SUMMARY);
    expect(await undoCompaction(agent, { thread })).toEqual({ outcome: 'undone' });

    await say([new HumanMessage({ id: 'short', content: 'And?' })]);
    expect(texts(model.requests[1]).join('\n')).not.toContain(SUMMARY);
    expect(model.requests[1]).toHaveLength(20);
    expect(typesOf(events).filter((type) => type === 'context_compacted')).toHaveLength(1);

    await say([next('long', 40)]);
    expect(texts(model.requests[2])[0]).toContain(SUMMARY);
    expect(typesOf(events).filter((type) => type === 'context_compacted')).toHaveLength(2);
  });

  test('holds after a reload too', async () => {
    const { agent, say, thread, model, events } = await anAgent();
    await say(pairs(9));
    await undoCompaction(agent, { thread });
    // What a reload forgets.
    forgetThread('local', thread);
    await say([new HumanMessage({ id: 'short', content: 'And?' })]);
    expect(model.requests[1]).toHaveLength(20);
    expect(typesOf(events).filter((type) => type === 'context_compacted')).toHaveLength(1);
  });

  test('lets the former summary count again', async () => {
    const { agent, say, thread, model } = await anAgent({ summaries: ['The first one.', 'The second one.'] });
    await say(pairs(9));
    await say(pairs(9, 100));
    expect(texts(model.requests[1])[0]).toContain('The second one.');
    expect(await undoCompaction(agent, { thread })).toEqual({ outcome: 'undone' });
    await say([new HumanMessage({ id: 'short', content: 'And?' })]);
    expect(texts(model.requests[2])[0]).toContain('The first one.');
  });

  test('leaves room for a compaction by hand', async () => {
    const { agent, say, thread } = await anAgent();
    await say(pairs(9));
    await undoCompaction(agent, { thread });
    expect(await compactThread(agent, { thread })).toMatchObject({ outcome: 'compacted' });
  });

  test('says so when there is nothing to undo, and when messages are gone', async () => {
    const { agent, say, thread } = await anAgent();
    await say(pairs(1));
    expect(await undoCompaction(agent, { thread })).toEqual({ outcome: 'nothing' });
    await say(pairs(9, 100));
    await compactThread(agent, { thread }, { prune: true });
    expect(await undoCompaction(agent, { thread })).toEqual({ outcome: 'pruned' });
  });
});
