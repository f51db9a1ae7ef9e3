// Parallel notes in a real agent: who gets the eight places, whatever finishes first.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { DeltaValue, MemorySaver, messagesDeltaReducer, StateSchema } from '@langchain/langgraph';
import { createAgent, createMiddleware, fakeModel } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { memoryArchive } from '../../worker/memory.js';
import { createContinuity } from '../continuity.js';
import { scopeDigest } from '../core/digest.js';
import type { Archive } from '../protocol.js';
import { taskContinuity } from './task-continuity.js';

type Args = Record<string, unknown>;

const note = (id: string, key: string, content = `about ${key}`, more: Args = {}) => ({
  id,
  name: 'task_note',
  args: { key, content, ...more },
});

const CAPACITY = {
  error: 'note_capacity',
  hint: 'replace an existing key, or retry after this batch; deletions and unused reservations free capacity for the next batch',
};
const saved = (key: string, cited = false) => ({ key, status: 'saved', cited });
const UNKNOWN_SOURCE = `r${'0'.repeat(32)}`;

interface Setup {
  readonly archive?: Archive;
  readonly more?: object;
  readonly batches: readonly (readonly { id: string; name: string; args: Args }[])[];
}

/** An agent whose model makes these batches of calls, one after another, and then answers. */
async function anAgent({ archive, more = {}, batches }: Setup) {
  const model = fakeModel();
  for (const batch of batches) model.respondWithTools([...batch]);
  for (let rest = 0; rest < 4; rest += 1) model.respond(new AIMessage('Done.'));
  const continuity = createContinuity({ archive: archive ?? (await memoryArchive()) });
  const agent = createAgent({
    model,
    tools: [],
    middleware: [taskContinuity({ enabled: true, continuity })],
    checkpointer: new MemorySaver(),
    ...more,
  });
  return {
    model,
    async run(thread: string, text = 'Go.', input: object = {}) {
      const config = { configurable: { thread_id: thread } };
      const { messages } = await agent.invoke({ messages: [new HumanMessage(text)], ...input }, config);
      return messages;
    },
    async notes(thread: string): Promise<Readonly<Record<string, { readonly content: string }>>> {
      const { values } = await agent.graph.getState({ configurable: { thread_id: thread } });
      return values.taskNotes;
    },
  };
}

/** Answers of task_note by call id, in the order in which they stand in the conversation. */
function receipts(messages: readonly BaseMessage[]): Record<string, unknown> {
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  return Object.fromEntries(results.map((one) => [one.tool_call_id, JSON.parse(String(one.content))]));
}

const eight = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const sixNotes = Object.fromEntries(eight.slice(0, 6).map((key) => [key, { content: `old ${key}` }]));

describe('parallel new notes', () => {
  test('get the free places in the order of the calls', async () => {
    const batch = [...eight, 'i', 'j'].map((key) => note(`call-${key}`, key));
    const agent = await anAgent({ batches: [batch] });
    const answers = receipts(await agent.run('order'));
    expect(Object.keys(answers)).toEqual(batch.map((call) => call.id));
    expect(answers).toMatchObject({ 'call-h': saved('h'), 'call-i': CAPACITY, 'call-j': CAPACITY });
    expect(Object.keys(await agent.notes('order'))).toEqual(eight);
  });

  test('get the same places when they finish in reverse order', async () => {
    const archive = await memoryArchive();
    // Each cites a source. The two that get places wait for each other, and the later call is answered first.
    const waiting: (() => void)[] = [];
    const slow: Archive = {
      ...archive,
      holds: async (_scope, batches, ids) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 2) for (const answer of waiting.reverse()) answer();
        });
        const sources = ids.map((one) => ({ id: one, truncated: false }));
        return { ok: true, value: { sources, batchesFound: batches.length } };
      },
    };
    const history = {
      scope: scopeDigest('local', 'reverse'),
      batches: ['a'.repeat(64)],
      status: 'available',
    };
    const batch = ['1', '2', '3'].map((digit) =>
      note(`call-${digit}`, `n${digit}`, 'cited', { source_ids: [`r${digit.repeat(32)}`] }),
    );
    const agent = await anAgent({ archive: slow, batches: [batch] });
    const answers = receipts(
      await agent.run('reverse', 'Go.', { taskNotes: sixNotes, taskHistory: history }),
    );
    expect(answers).toMatchObject({
      'call-1': saved('n1', true),
      'call-2': saved('n2', true),
      'call-3': CAPACITY,
    });
    expect(Object.keys(await agent.notes('reverse'))).toEqual([...eight.slice(0, 6), 'n1', 'n2']);
  });

  test('of one key share a place, and the last call wins', async () => {
    const batch = [note('1', 'x', 'first'), note('2', 'x', 'second'), note('3', 'y'), note('4', 'z')];
    const agent = await anAgent({ batches: [batch] });
    const answers = receipts(await agent.run('repeated', 'Go.', { taskNotes: sixNotes }));
    expect(answers).toMatchObject({ 1: saved('x'), 2: saved('x'), 3: saved('y'), 4: CAPACITY });
    expect(await agent.notes('repeated')).toMatchObject({ x: { content: 'second' } });
  });

  test('do not get the places that siblings delete until the next batch', async () => {
    const full = Object.fromEntries(eight.map((key) => [key, { content: `old ${key}` }]));
    const agent = await anAgent({
      batches: [[note('1', 'a', ''), note('2', 'new')], [note('3', 'new')]],
    });
    const answers = receipts(await agent.run('deletion', 'Go.', { taskNotes: full }));
    expect(answers).toMatchObject({ 1: { key: 'a', status: 'deleted' }, 2: CAPACITY, 3: saved('new') });
    expect(Object.keys(await agent.notes('deletion'))).toEqual([...eight.slice(1), 'new']);
  });

  test('leave a place unused when a sibling with an unavailable source had it', async () => {
    const batch = [note('1', 'x', 'cited', { source_ids: [UNKNOWN_SOURCE] }), note('2', 'y'), note('3', 'z')];
    const agent = await anAgent({ batches: [batch, [note('4', 'z')]] });
    const answers = receipts(await agent.run('unavailable', 'Go.', { taskNotes: sixNotes }));
    expect(answers).toMatchObject({
      1: { error: 'source_unavailable', source_id: UNKNOWN_SOURCE },
      2: saved('y'),
      3: CAPACITY,
      4: saved('z'),
    });
  });

  test('leave a place unused when a policy denied the sibling that had it', async () => {
    const policy = createMiddleware({
      name: 'policy',
      wrapToolCall: (request, handler) =>
        request.toolCall.id === '1'
          ? new ToolMessage({ content: 'Denied.', tool_call_id: '1', status: 'error' })
          : handler(request),
    });
    const model = fakeModel().respondWithTools([note('1', 'x'), note('2', 'y'), note('3', 'z')]);
    model.respond(new AIMessage('Done.'));
    const continuity = createContinuity({ archive: await memoryArchive() });
    const agent = createAgent({ model, middleware: [policy, taskContinuity({ enabled: true, continuity })] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Go.')], taskNotes: sixNotes });
    const contents = messages.filter((one) => ToolMessage.isInstance(one)).map((one) => String(one.content));
    expect(contents[0]).toBe('Denied.');
    expect(contents.slice(1).map((text) => JSON.parse(text))).toMatchObject([saved('y'), CAPACITY]);
  });

  test('are not disturbed by malformed siblings, which get an answer of their own', async () => {
    const batch = [
      note('1', 'bad key!'),
      note('2', 'x', 'y'.repeat(751)),
      { id: '3', name: 'task_note', args: { key: 5 } },
      note('4', 'z', 'cited', { source_ids: ['not-an-id'] }),
      note('5', 'y'),
      note('6', 'w'),
    ];
    const agent = await anAgent({ batches: [batch] });
    const answers = receipts(await agent.run('malformed', 'Go.', { taskNotes: sixNotes }));
    const invalid = {
      error: 'invalid_note',
      limits: 'key: 40 ASCII letters/digits/_/-, content: 750 chars, sources: 4',
    };
    expect(answers).toMatchObject({ 1: invalid, 2: invalid, 3: invalid, 4: { error: 'invalid_source_id' } });
    expect(answers).toMatchObject({ 5: saved('y'), 6: saved('w') });
  });
});

describe('notes of one graph', () => {
  test('do not mix between two tasks that run at once', async () => {
    const continuity = createContinuity({ archive: await memoryArchive() });
    const model = fakeModel();
    const call = (messages: BaseMessage[]) => {
      const [first] = messages.filter((message) => message.text.startsWith('Task'));
      const key = first?.text.slice(-1) ?? '';
      const isAnswered = messages.some((message) => ToolMessage.isInstance(message));
      return new AIMessage(
        isAnswered ? 'Done.' : { content: '', tool_calls: [note(`call-${key}`, `key-${key}`)] },
      );
    };
    for (let rest = 0; rest < 4; rest += 1) model.respond(call);
    const agent = createAgent({
      model,
      middleware: [taskContinuity({ enabled: true, continuity })],
      checkpointer: new MemorySaver(),
    });
    const run = (name: string) =>
      agent.invoke(
        { messages: [new HumanMessage(`Task ${name}`)] },
        { configurable: { thread_id: `thread-${name}` } },
      );
    const [one, two] = await Promise.all([run('1'), run('2')]);
    expect(Object.keys(one.taskNotes)).toEqual(['key-1']);
    expect(Object.keys(two.taskNotes)).toEqual(['key-2']);
  });

  test('are kept by full checkpoints and by delta checkpoints alike', async () => {
    const deltaMessages = new DeltaValue(
      z.array(z.custom<BaseMessage>()).default(() => []),
      {
        inputSchema: z.unknown(),
        reducer: messagesDeltaReducer as never,
      },
    );
    const runs: Record<string, object> = {
      full: {},
      delta: { stateSchema: new StateSchema({ messages: deltaMessages as never }) },
    };
    for (const [name, more] of Object.entries(runs)) {
      const agent = await anAgent({
        more,
        batches: [[note('1', 'x')], [note('2', 'y'), note('3', 'x', '')]],
      });
      await agent.run(name);
      expect(await agent.notes(name), name).toEqual({
        y: { content: 'about y', source_ids: [], authority: 'model_report' },
      });
      await agent.run(name, 'Once more.');
      expect(Object.keys(await agent.notes(name)), name).toEqual(['y']);
    }
  });
});

describe('resolved arguments', () => {
  test('let two handles of one key share a place, and are what is written', async () => {
    const keys: Readonly<Record<string, string>> = { 'handle-1': 'real', 'handle-2': 'real' };
    const continuity = createContinuity({ archive: await memoryArchive() });
    const model = fakeModel()
      .respondWithTools([
        note('1', 'handle-1', 'one'),
        note('2', 'handle-2', 'two'),
        note('3', 'y'),
        note('4', 'z'),
      ])
      .respond(new AIMessage('Done.'));
    const agent = createAgent({
      model,
      middleware: [
        taskContinuity({
          enabled: true,
          continuity,
          resolveToolArguments: ({ args }) => {
            const { key, ...rest } = args as { readonly key: string };
            return { ...rest, key: keys[key] ?? key };
          },
        }),
      ],
    });
    const result = await agent.invoke({ messages: [new HumanMessage('Go.')], taskNotes: sixNotes });
    expect(receipts(result.messages)).toMatchObject({
      1: saved('real'),
      2: saved('real'),
      3: saved('y'),
      4: CAPACITY,
    });
    expect(result.taskNotes).toMatchObject({ real: { content: 'two' } });
  });
});
