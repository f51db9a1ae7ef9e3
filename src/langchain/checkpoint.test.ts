import 'fake-indexeddb/auto';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import {
  type Checkpoint,
  type CheckpointMetadata,
  emptyCheckpoint,
  uuid6,
} from '@langchain/langgraph-checkpoint';
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation';
import { entries, set } from 'idb-keyval';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { scopeDigest } from '../core/digest.js';
import { IndexedDBSaver } from './checkpoint.js';
import { fromRow, type ValueRow } from './checkpoint-values.js';
import { openStore } from './indexeddb-store.js';

let databases = 0;

function aSaver(database = `checkpoints-${++databases}`, user?: string) {
  return new IndexedDBSaver({ database, ...(user === undefined ? {} : { user }) });
}

const initializer = {
  checkpointerName: 'IndexedDBSaver',
  createCheckpointer: () => aSaver(),
  destroyCheckpointer: (saver: IndexedDBSaver) => saver.close(),
};
validate(initializer);
deltaChannelHistoryTests(initializer);

const METADATA: CheckpointMetadata = { source: 'loop', step: 1, parents: {} };
const at = (thread_id: string, more: object = {}) => ({
  configurable: { thread_id, checkpoint_ns: '', ...more },
});
const texts = (messages: unknown): string[] => (messages as BaseMessage[]).map(({ text }) => text);

function holding(messages: readonly BaseMessage[], version: number | string): Checkpoint {
  return {
    ...emptyCheckpoint(),
    id: uuid6(0),
    channel_values: { messages: [...messages] },
    channel_versions: { messages: version },
  };
}

/** The keys in a database, each with the size of its entry. */
async function entriesOf(database: string): Promise<readonly { key: IDBValidKey[]; size: number }[]> {
  const store = openStore(database);
  const found = await entries<IDBValidKey[], unknown>(store.use);
  await store.close();
  return found.map(([key, value]) => ({ key, size: sizeOf(value) + JSON.stringify(key).length }));
}

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return String(value).length;
  return Object.entries(value).reduce((sum, [key, part]) => sum + key.length + sizeOf(part), 0);
}

describe('branches', () => {
  test('of one checkpoint, written at once by two tabs, read their own messages', async () => {
    const database = `checkpoints-${++databases}`;
    const [one, two] = [aSaver(database), aSaver(database)];
    const first = await one.put(at('t'), holding([new HumanMessage('Hello')], '1'), METADATA, {
      messages: '1',
    });
    const branch = async (saver: IndexedDBSaver, text: string) => {
      const version = saver.getNextVersion(1);
      const checkpoint = holding([new HumanMessage('Hello'), new AIMessage(text)], version);
      return saver.put(first, checkpoint, METADATA, { messages: version });
    };
    const [left, right] = await Promise.all([branch(one, 'Left'), branch(two, 'Right')]);
    expect(texts((await two.getTuple(left))?.checkpoint.channel_values['messages'])).toEqual([
      'Hello',
      'Left',
    ]);
    expect(texts((await one.getTuple(right))?.checkpoint.channel_values['messages'])).toEqual([
      'Hello',
      'Right',
    ]);
    expect((await one.getTuple(right))?.parentConfig).toEqual(first);
  });

  test('versions grow as text, and no two are the same', () => {
    const saver = aSaver();
    const versions = Array.from({ length: 12 }).reduce<number[]>(
      (all) => [...all, saver.getNextVersion(all.at(-1))],
      [],
    );
    expect([...versions].sort()).toEqual(versions);
    expect(saver.getNextVersion(versions[0])).not.toBe(saver.getNextVersion(versions[0]));
  });
});

describe('users and threads', () => {
  test('two users with a thread of one name see their own', async () => {
    const saver = aSaver();
    for (const user_id of ['ann', 'bob']) {
      await saver.put(at('t', { user_id }), holding([new HumanMessage(user_id)], '1'), METADATA, {
        messages: '1',
      });
    }
    const ofAnn = await saver.getTuple(at('t', { user_id: 'ann' }));
    expect(texts(ofAnn?.checkpoint.channel_values['messages'])).toEqual(['ann']);
    expect(await saver.getTuple(at('t'))).toBeUndefined();
    expect(await saver.threads({ user: 'bob' })).toMatchObject([{ thread: 't' }]);
  });

  test('deleting a thread removes every key of it, and only those', async () => {
    const database = `checkpoints-${++databases}`;
    const saver = aSaver(database);
    const long = Array.from({ length: 20 }, (_, index) => new HumanMessage(`${index}`.repeat(3_000)));
    for (const thread of ['t', 't2', 'T']) {
      const config = await saver.put(at(thread), holding(long, '1'), METADATA, { messages: '1' });
      await saver.putWrites(config, [['messages', new AIMessage('Yes')]], 'task');
    }
    const before = await entriesOf(database);
    await saver.deleteThread('t');
    const after = await entriesOf(database);
    const kept = before.map(({ key }) => key).filter((key) => key[2] !== 't');
    // What is left of it is a mark that nobody can read the thread from.
    const mark = ['mark', scopeDigest('local', 't')];
    expect(after.map(({ key }) => key)).toEqual([...kept, mark].sort((a, b) => indexedDB.cmp(a, b)));
    const kinds = ['blob', 'checkpoint', 'message', 'node', 'part', 'thread', 'write'];
    expect([...new Set(before.map(({ key }) => key[0]))]).toEqual(kinds);
  });

  test('a thread deleted and begun again with the same message is whole', async () => {
    const saver = aSaver();
    const message = new HumanMessage({ id: 'm', content: 'Hello' });
    await saver.put(at('t'), holding([message], '1'), METADATA, { messages: '1' });
    await saver.deleteThread('t');
    await saver.put(at('t'), holding([message], '1'), METADATA, { messages: '1' });
    expect(texts((await saver.getTuple(at('t')))?.checkpoint.channel_values['messages'])).toEqual(['Hello']);
  });
});

describe('storage', () => {
  test('grows with what is said, not with how often it is kept', { timeout: 30_000 }, async () => {
    const database = `checkpoints-${++databases}`;
    const saver = aSaver(database);
    const agent = createAgent({ model: new ScriptedModel(), tools: [], checkpointer: saver });
    const say = (turn: number) =>
      agent.invoke({ messages: [new HumanMessage(`Turn ${turn}: ${'word '.repeat(50)}`)] }, at('t'));
    const bytesAfter: number[] = [];
    for (let turn = 1; turn <= 60; turn += 1) {
      await say(turn);
      if (turn % 20 === 0)
        bytesAfter.push((await entriesOf(database)).reduce((sum, { size }) => sum + size, 0));
    }
    const [first = 0, second = 0, third = 0] = bytesAfter;
    // The third twenty turns cost what the second twenty did, give or take a node.
    expect(third - second).toBeLessThan((second - first) * 1.1);
  });

  test('values that hold null, or messages alone, come back, from rows of the longer form as well', async () => {
    const database = `checkpoints-${++databases}`;
    const saver = aSaver(database);
    const checkpoint = {
      ...holding([new HumanMessage('Hello')], '1'),
      channel_versions: { messages: '1', none: '2', holed: '3' },
    };
    Object.assign(checkpoint.channel_values, { none: null, holed: { a: null, big: 'x'.repeat(5_000) } });
    const config = await saver.put(at('t'), checkpoint as Checkpoint, METADATA, checkpoint.channel_versions);
    await saver.putWrites(
      config,
      [
        ['none', null],
        ['messages', [new AIMessage('Yes')]],
      ],
      'task',
    );
    const before = await aSaver(database).getTuple(config);
    expect(before?.checkpoint.channel_values['none']).toBeNull();
    expect(before?.checkpoint.channel_values['holed']).toMatchObject({ a: null });
    expect(before?.pendingWrites?.[0]).toEqual(['task', 'none', null]);

    const { use } = openStore(database);
    for (const [key, row] of await entries<IDBValidKey[], ValueRow & { readonly value?: ValueRow }>(use)) {
      if (key[0] === 'blob') await set(key, fromRow(row), use);
      if (key[0] === 'write') await set(key, { ...row, value: fromRow(row.value) }, use);
    }
    expect(await aSaver(database).getTuple(config)).toEqual(before);
  });

  test('a message changed in place is stored again', async () => {
    const saver = aSaver();
    const message = new HumanMessage({ id: 'm', content: 'Before' });
    await saver.put(at('t'), holding([message], '1'), METADATA, { messages: '1' });
    message.content = 'After';
    await saver.put(at('t'), holding([message], '2'), METADATA, { messages: '2' });
    expect(texts((await saver.getTuple(at('t')))?.checkpoint.channel_values['messages'])).toEqual(['After']);
  });

  test('is there for another saver after the first is closed', async () => {
    const database = `checkpoints-${++databases}`;
    const saver = aSaver(database);
    await saver.put(at('t'), holding([new HumanMessage('Hello')], '1'), METADATA, { messages: '1' });
    await saver.close();
    expect(await aSaver(database).getTuple(at('t'))).toBeDefined();
    expect(await saver.getTuple(at('t'))).toBeDefined();
  });
});
