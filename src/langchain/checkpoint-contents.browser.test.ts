// What comes out of the checkpoint store in Chromium is what went in, at every checkpoint, and large things once.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Annotation, START, StateGraph } from '@langchain/langgraph';
import type { CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { createAgent } from 'langchain';
import { afterEach, describe, expect, test } from 'vitest';
import { at, messagesAt, putMessages, rowsIn } from '../../test/support/checkpoints.js';
import { pairs, SUMMARY } from '../../test/support/compacting-agent.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { openArchive } from '../client.js';
import { createContinuity } from '../continuity.js';
import { IndexedDBSaver } from './checkpoint.js';
import { summarization } from './summarization.js';
import { forgetThread } from './summary-cache.js';
import { taskContinuity } from './task-continuity.js';

const aName = () => `contents-${crypto.randomUUID()}`;
const disposals: (() => void)[] = [];
afterEach(() => {
  for (const dispose of disposals.splice(0)) dispose();
});

/** Bytes of all texts and byte arrays in a value. */
function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array || typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce((sum: number, part) => sum + sizeOf(part), 0);
}

async function tuplesOf(saver: IndexedDBSaver, thread: string): Promise<readonly CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list({ configurable: { thread_id: thread } })) tuples.push(tuple);
  return tuples;
}

describe('an image', () => {
  test('is stored once, whichever messages, checkpoints and writes hold it', async () => {
    const database = aName();
    const saver = new IndexedDBSaver({ database });
    const picture = crypto.getRandomValues(new Uint8Array(60_000));
    const base64 = btoa(String.fromCharCode(...picture)).repeat(4);
    const url = `data:image/png;base64,${base64}`;
    const shown = new HumanMessage({ id: 'a', content: [{ type: 'image_url', image_url: { url } }] });
    const again = new HumanMessage({
      id: 'b',
      content: [
        { type: 'text', text: 'Again' },
        { type: 'image_url', image_url: { url } },
      ],
    });
    const answer = new ToolMessage({ id: 'c', tool_call_id: 'call', content: url });
    const messages: BaseMessage[] = [shown, again, answer];
    let config = await putMessages(saver, at('t'), messages.slice(0, 1));
    await saver.putWrites(
      config,
      [
        ['messages', [again]],
        ['picture', { url }],
      ],
      'task',
    );
    for (let turn = 0; turn < 20; turn += 1) {
      messages.push(new AIMessage({ id: `turn-${turn}`, content: `Turn ${turn}` }));
      config = await putMessages(saver, config, messages);
    }
    // A saver that knows nothing of what is stored, as after a reload, goes on.
    const other = new IndexedDBSaver({ database });
    messages.push(new HumanMessage({ id: 'd', content: [{ type: 'image_url', image_url: { url } }] }));
    config = await putMessages(other, config, messages);

    const rows = await rowsIn(database);
    const sample = base64.slice(0, 200);
    const decoder = new TextDecoder();
    const textOf = (row: unknown): string => {
      const { bytes } = Object(row);
      return bytes instanceof Uint8Array ? decoder.decode(bytes) : '';
    };
    const holding = rows.filter(([, row]) => textOf(row).includes(sample));
    expect(holding.map(([key]) => key[0])).toEqual(['part']);
    expect(rows.reduce((sum, [, row]) => sum + sizeOf(row), 0)).toBeLessThan(base64.length * 1.15);
    expect(await messagesAt(new IndexedDBSaver({ database }), config)).toEqual(messages);
  });
});

describe('every checkpoint', () => {
  test('can be gone back to, read as it was, and gone on from', async () => {
    const database = aName();
    const saver = new IndexedDBSaver({ database });
    const agent = createAgent({ model: new ScriptedModel(), tools: [], checkpointer: saver });
    for (let turn = 0; turn < 5; turn += 1)
      await agent.invoke({ messages: [new HumanMessage(`${turn}`)] }, at('t'));
    const seen = await tuplesOf(saver, 't');
    expect(seen).toHaveLength(15);
    for (const { config, checkpoint } of seen) {
      const before = (checkpoint.channel_values['messages'] ?? []) as BaseMessage[];
      expect((await agent.graph.getState(config)).config.configurable).toMatchObject({
        checkpoint_id: checkpoint.id,
      });
      const label = `from ${checkpoint.id}`;
      const branch = createAgent({
        model: new ScriptedModel([label], label),
        tools: [],
        checkpointer: saver,
      });
      const { messages } = await branch.invoke({ messages: [new HumanMessage('On')] }, config);
      const texts = (messages as BaseMessage[]).map(({ text }) => text);
      // An input that was pending there is heard as well.
      expect(texts.slice(0, before.length)).toEqual(before.map(({ text }) => text));
      expect(texts.slice(-2)).toEqual(['On', label]);
    }
    const reader = new IndexedDBSaver({ database });
    for (const tuple of seen) expect(await reader.getTuple(tuple.config)).toEqual(tuple);
  });

  test('has its writes in the order of their paths, then of their tasks', async () => {
    const saver = new IndexedDBSaver({ database: aName() });
    const config = await putMessages(saver, at('t'), [new HumanMessage('Hello')]);
    const given = [
      ['task-c', '~__pregel_pull, later'],
      ['task-b', '~__pregel_pull, early'],
      ['task-a', '~__pregel_pull, early'],
      ['task-d', ''],
    ] as const;
    for (const [task, path] of given)
      await saver.putWrites(
        config,
        [
          ['one', 1],
          ['two', 2],
        ],
        task,
        path,
      );
    const order = (await saver.getTuple(config))?.pendingWrites?.map(
      ([task, channel]) => `${task} ${channel}`,
    );
    const tasks = ['task-d', 'task-a', 'task-b', 'task-c'];
    expect(order).toEqual(tasks.flatMap((task) => [`${task} one`, `${task} two`]));
  });
});

describe('graphs in graphs', () => {
  const State = Annotation.Root({
    heard: Annotation<string[]>({ reducer: (one, two) => [...one, ...two], default: () => [] }),
  });

  /** Three levels, the innermost of which waits for a person. */
  function threeLevels(checkpointer: IndexedDBSaver) {
    const innermost = new StateGraph(State)
      .addNode('ask', () => ({ heard: ['inner'] }))
      .addEdge(START, 'ask')
      .compile({ interruptBefore: ['ask'] });
    const middle = new StateGraph(State)
      .addNode('before', () => ({ heard: ['middle'] }))
      .addNode('inner', innermost)
      .addEdge(START, 'before')
      .addEdge('before', 'inner')
      .compile();
    return new StateGraph(State).addNode('middle', middle).addEdge(START, 'middle').compile({ checkpointer });
  }

  test('wait in their own namespaces, and go on after a reload', async () => {
    const database = aName();
    await threeLevels(new IndexedDBSaver({ database })).invoke({ heard: ['outer'] }, at('t'));
    const saver = new IndexedDBSaver({ database });
    const namespaces = new Set(
      (await tuplesOf(saver, 't')).map(({ config }) => config.configurable?.['checkpoint_ns']),
    );
    expect([...namespaces].map((one) => String(one).replaceAll(/:[^|]+/g, '')).sort()).toEqual([
      '',
      'middle',
      'middle|inner',
    ]);
    const graph = threeLevels(saver);
    const { heard } = await graph.invoke(null, at('t'));
    expect(heard.at(-1)).toBe('inner');
    expect(await saver.thin('t', { keepLast: 1 })).toBeGreaterThan(0);
    expect((await graph.getState(at('t'))).values.heard).toEqual(heard);
    await saver.deleteThread('t');
    expect((await rowsIn(database)).map(([key]) => key[0])).toEqual(['mark']);
  });
});

test('compaction record and history reference are those of the checkpoint: reloaded, rolled back, forked', async () => {
  const database = aName();
  const thread = crypto.randomUUID();
  const archive = openArchive();
  disposals.push(() => archive.dispose());
  let agents = 0;
  const anAgent = () => {
    agents += 1;
    // As after a reload: what the page remembered is gone.
    forgetThread('local', thread);
    const continuity = createContinuity({ archive });
    const summaries = Array.from({ length: 9 }, (_, at) => `${SUMMARY} ${agents}.${at}`);
    return createAgent({
      model: new ScriptedModel([], `agent-${agents}`),
      tools: [],
      checkpointer: new IndexedDBSaver({ database }),
      middleware: [
        summarization({
          enabled: true,
          model: new ScriptedModel(summaries),
          trigger: { type: 'tokens', value: 600 },
          keep: { type: 'messages', value: 4 },
          continuity,
        }),
        taskContinuity({ enabled: true, continuity }),
      ],
    });
  };
  const kept = (values: Record<string, unknown>) => {
    const { compaction, taskHistory, messages } = values;
    return structuredClone({ compaction, taskHistory, ids: (messages as BaseMessage[]).map(({ id }) => id) });
  };
  const live: { readonly config: object; readonly kept: unknown }[] = [];
  const say = async (messages: BaseMessage[], config: object) => {
    const agent = anAgent();
    await agent.invoke({ messages }, config);
    const state = await agent.graph.getState({ configurable: { thread_id: thread } });
    live.push({ config: state.config, kept: kept(state.values) });
    return state.config;
  };
  const config = { configurable: { thread_id: thread } };
  const first = await say(pairs(12), config);
  await say(pairs(12, 100), config);
  await say(pairs(12, 200), config);
  // A fork from the first, and another fork from there.
  const fork = await say(pairs(12, 300), first);
  await say(pairs(12, 400), fork);
  expect(new Set(live.map((one) => JSON.stringify(Object(one.kept).compaction))).size).toBe(5);
  const batches = live.map((one) => Object(one.kept).taskHistory.batches.length);
  expect(batches).toEqual([1, 2, 3, 2, 3]);
  for (const one of live) {
    const { values } = await anAgent().graph.getState(one.config);
    expect(kept(values)).toEqual(one.kept);
  }
});
