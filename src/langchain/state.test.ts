// The two channels in real graphs: every way to write them.
import { MemorySaver, Overwrite, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { describe, expect, test } from 'vitest';
import { taskHistory, taskNotes } from './state.js';

const NOTE = { content: 'fact', source_ids: [], authority: 'model_report' };
const HISTORY = { scope: 's', batches: ['a'.repeat(64)], omitted_records: 2, status: 'available' };

/** A graph whose one node writes this. */
function writing(update: object) {
  return new StateGraph(new StateSchema({ taskHistory, taskNotes }))
    .addNode('write', () => update)
    .addEdge(START, 'write')
    .compile({ checkpointer: new MemorySaver() });
}

const config = { configurable: { thread_id: 't' } };

describe('every write is normalised before a checkpoint sees it', () => {
  const malformed = {
    ok: { content: 'fact', authority: 'system', extra: 1 },
    'bad key': NOTE,
    gone: null,
    empty: {},
  };

  test('the first one, from a node', async () => {
    const { taskNotes: notes } = await writing({ taskNotes: malformed }).invoke({}, config);
    expect(notes).toEqual({ ok: NOTE });
  });

  test('a full replacement', async () => {
    const graph = writing({
      taskNotes: new Overwrite(malformed),
      taskHistory: new Overwrite({ batches: 5 }),
    });
    await graph.invoke({ taskNotes: { before: NOTE }, taskHistory: HISTORY }, config);
    const { values } = await graph.getState(config);
    expect(values.taskNotes).toEqual({ ok: NOTE });
    expect(values.taskHistory).toEqual({ batches: [], omitted_records: 0, status: 'unavailable' });
  });

  test('the run’s input, and an update from outside', async () => {
    const graph = writing({});
    await graph.invoke({ taskNotes: malformed, taskHistory: { ...HISTORY, scope: 5 } }, config);
    expect((await graph.getState(config)).values).toEqual({
      taskNotes: { ok: NOTE },
      taskHistory: { batches: [], omitted_records: 2, status: 'unavailable' },
    });
    await graph.updateState(config, {
      taskNotes: { ok: null, next: { content: 'n' } },
      taskHistory: HISTORY,
    });
    expect((await graph.getState(config)).values).toEqual({
      taskNotes: { next: { ...NOTE, content: 'n' } },
      taskHistory: HISTORY,
    });
  });
});

describe('a saved state that comes back as input', () => {
  test('changes nothing', async () => {
    const graph = writing({});
    const first = await graph.invoke({ taskNotes: { b: NOTE, a: NOTE }, taskHistory: HISTORY }, config);
    const second = await graph.invoke(first, config);
    expect(second).toEqual(first);
    expect(Object.keys(second.taskNotes)).toEqual(['b', 'a']);
  });
});

describe('a channel that nobody wrote', () => {
  test('has no history and no notes', async () => {
    const { values } = await (async () => {
      const graph = writing({});
      await graph.invoke({}, config);
      return graph.getState(config);
    })();
    expect(values).toEqual({ taskNotes: {} });
  });

  test('or that was cleared has no history', async () => {
    const graph = writing({});
    await graph.invoke({ taskHistory: HISTORY }, config);
    await graph.updateState(config, { taskHistory: {} });
    expect((await graph.getState(config)).values.taskHistory).toEqual({});
  });
});
