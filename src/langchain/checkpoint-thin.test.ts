import 'fake-indexeddb/auto';
import { HumanMessage } from '@langchain/core/messages';
import { entries } from 'idb-keyval';
import { createAgent } from 'langchain';
import { beforeEach, describe, expect, test } from 'vitest';
import { converse } from '../../test/support/long-conversation.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { seededRandom } from '../../test/support/seeded.js';
import { IndexedDBSaver } from './checkpoint.js';
import { openStore } from './indexeddb-store.js';

let count = 0;
let database = '';
let saver: IndexedDBSaver;
beforeEach(() => {
  count += 1;
  database = `thin-${count}`;
  saver = new IndexedDBSaver({ database });
});

const config = { configurable: { thread_id: 'one' } };

async function listed(of = new IndexedDBSaver({ database })) {
  const tuples = [];
  for await (const tuple of of.list(config)) tuples.push(tuple);
  return tuples;
}

const rows = async () => (await entries(openStore(database).use)).length;

describe('thinning a thread', () => {
  test('leaves the newest checkpoints as they were, and gives room back', async () => {
    await converse(saver, 'one', 8);
    const before = await listed();
    const rowsBefore = await rows();
    expect(await saver.thin('one', { keepLast: 3 })).toBe(before.length - 3);
    expect(await listed()).toEqual(before.slice(0, 3));
    expect(await rows()).toBeLessThan(rowsBefore / 2);
    expect(await saver.thin('one', { keepLast: 3 })).toBe(0);
  });

  test('never takes out what one that stays needs, on whatever branches', { timeout: 60_000 }, async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const random = seededRandom(seed);
      database = `thin-property-${seed}`;
      saver = new IndexedDBSaver({ database });
      const model = new ScriptedModel(Array.from({ length: 20 }, (_, at) => `answer ${at}`));
      const agent = createAgent({ model, tools: [], checkpointer: saver });
      for (let run = 0; run < 6; run += 1) {
        const all = await listed(saver);
        const from = all[random.below(all.length)];
        const at = from !== undefined && random.below(2) === 0 ? from.config : config;
        await agent.invoke({ messages: [new HumanMessage(`question ${run}`)] }, at);
      }
      const before = await listed();
      const keepLast = 1 + random.below(before.length);
      await saver.thin('one', { keepLast });
      expect(await listed(), `seed ${seed}`).toEqual(before.slice(0, keepLast));
    }
  });

  test('keeps what is not older than asked', async () => {
    await converse(saver, 'one', 3);
    const before = await listed();
    const oldest = Date.parse(before.at(-1)?.checkpoint.ts ?? '');
    expect(await saver.thin('one', { keepLast: 1, olderThan: oldest })).toBe(0);
    expect(await saver.thin('one', { keepLast: 1, olderThan: Date.now() + 1_000 })).toBe(before.length - 1);
  });

  test('lets the conversation go on, in the saver that thinned and in another', async () => {
    await converse(saver, 'one', 4);
    const other = new IndexedDBSaver({ database });
    await listed(other);
    await saver.thin('one', { keepLast: 1 });
    for (const [at, one] of [saver, other].entries()) {
      const agent = createAgent({ model: new ScriptedModel([`on ${at}`]), tools: [], checkpointer: one });
      await agent.invoke({ messages: [new HumanMessage(`and ${at}`)] }, config);
    }
    const [newest] = await listed();
    const messages = newest?.checkpoint.channel_values['messages'] as { type: string; text: string }[];
    const asked = messages.filter(({ type }) => type === 'human').map(({ text }) => text);
    expect(asked).toHaveLength(4 + 2);
    expect(asked.slice(-2)).toEqual(['and 0', 'and 1']);
    expect(messages.map(({ text }) => text)).toContain('on 1');
  });

  test('touches no other thread, and refuses to keep nothing', async () => {
    await converse(saver, 'one', 2);
    await converse(saver, 'two', 2);
    const other = { configurable: { thread_id: 'two' } };
    const before = await saver.getTuple(other);
    await saver.thin('one', { keepLast: 1 });
    expect(await new IndexedDBSaver({ database }).getTuple(other)).toEqual(before);
    await expect(saver.thin('one', { keepLast: 0 })).rejects.toThrow('keepLast is 0');
  });
});
