import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { memoryArchive } from '../../worker/memory.js';
import type { Fact } from '../core/facts.js';
import { pinFact } from './pin-fact.js';
import { compactionReceipt } from './receipt.js';
import { threadkeep } from './threadkeep.js';

const SUMMARY = 'They plan a trip to Oslo and have a berth.';
const FILLER =
  'We talk about the weather at the harbour for a while, so that it takes its room in the window.';

/** An agent whose summary leaves out what the user said about the berth. */
async function aCompactedThread({ continuity = true } = {}) {
  const agent = createAgent({
    model: new ScriptedModel(['Yes.', 'Certainly.']),
    tools: [],
    checkpointer: new MemorySaver(),
    middleware: [
      ...threadkeep({
        archive: await memoryArchive(),
        summarization: {
          enabled: true,
          model: new ScriptedModel([SUMMARY]),
          trigger: { type: 'messages', value: 10 },
          keep: { type: 'messages', value: 2 },
        },
        taskContinuity: { enabled: continuity },
      }),
    ],
  });
  const config = { configurable: { thread_id: 'receipt' } };
  const said = [
    new HumanMessage({ id: 'rule', content: 'The berth is QY11-0386. Never load a kiln on a Friday.' }),
    ...Array.from({ length: 10 }, (_, at) =>
      at % 2 === 0
        ? new AIMessage({ id: `f${at}`, content: FILLER })
        : new HumanMessage({ id: `f${at}`, content: FILLER }),
    ),
  ];
  await agent.invoke({ messages: said }, config);
  const state = async () => (await agent.graph.getState(config)).values;
  return { agent, config, state };
}

describe('the receipt of a compaction', () => {
  test('tells what it covered, what it saved, and which exact things its summary lacks', async () => {
    const { state } = await aCompactedThread();
    const receipt = compactionReceipt(await state());
    expect(receipt).toMatchObject({ summary: SUMMARY, covered: 9 });
    expect(receipt?.missing.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'rule: Never load a kiln on a Friday.',
      'identifier: QY11-0386',
    ]);
    const { before = 0, after = 0 } = receipt?.tokens ?? {};
    expect(after).toBeGreaterThan(0);
    expect(before).toBeGreaterThan(after);
  });

  test('is none where nothing was compacted', () => {
    expect(compactionReceipt({ messages: [new HumanMessage('Hello')] })).toBeNull();
  });
});

describe('pinning what a summary lacks', () => {
  const factOf = async (state: () => Promise<object>, kind: Fact['kind']): Promise<Fact> => {
    const fact = compactionReceipt(await state())?.missing.find((one) => one.kind === kind);
    if (fact === undefined) throw new Error(`No ${kind} is missing.`);
    return fact;
  };

  test('makes a note of its sentence that cites the source, once', async () => {
    const { agent, state } = await aCompactedThread();
    const fact = await factOf(state, 'identifier');
    for (let time = 0; time < 2; time += 1) {
      expect(await pinFact(agent, { thread: 'receipt' }, fact)).toEqual({
        outcome: 'pinned',
        key: 'identifier-QY11-0386',
      });
    }
    expect((await state())['taskNotes']).toEqual({
      'identifier-QY11-0386': {
        content: 'The berth is QY11-0386.',
        source_ids: [fact.sourceId],
        authority: 'model_report',
      },
    });
  });

  test('reaches the model with the next request', async () => {
    const { agent, config, state } = await aCompactedThread();
    await pinFact(agent, { thread: 'receipt' }, await factOf(state, 'rule'));
    await agent.invoke({ messages: [new HumanMessage('When do we load?')] }, config);
    const model = agent.options.model as ScriptedModel;
    expect(
      model.requests
        .at(-1)
        ?.map(({ text }) => text)
        .join('\n'),
    ).toContain('Never load a kiln on a Friday.');
  });

  test('is refused while all notes are in use', async () => {
    const { agent, config, state } = await aCompactedThread();
    const fact = await factOf(state, 'rule');
    const note = { content: 'x', source_ids: [], authority: 'model_report' };
    const taskNotes = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`n${at}`, note]));
    await agent.graph.updateState(config, { taskNotes });
    expect(await pinFact(agent, { thread: 'receipt' }, fact)).toEqual({ outcome: 'note_capacity', limit: 8 });
    expect(Object.keys((await state())['taskNotes'])).toHaveLength(8);
  });

  test('names what is missing from an agent without notes', async () => {
    const { agent, state } = await aCompactedThread({ continuity: false });
    const fact = await factOf(state, 'rule');
    await expect(pinFact(agent, { thread: 'receipt' }, fact)).rejects.toThrow(
      'taskContinuity: { enabled: true }',
    );
  });
});
