// Deleting a thread removes all of it, finishes after an interruption, and touches nobody else's.
import 'fake-indexeddb/auto';
import { HumanMessage } from '@langchain/core/messages';
import { entries } from 'idb-keyval';
import { createAgent } from 'langchain';
import { expect, test } from 'vitest';
import { captureOf, unwrap } from '../../test/support/archives.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { memoryArchive } from '../../worker/memory.js';
import type { Archive } from '../protocol.js';
import { IndexedDBSaver } from './checkpoint.js';
import { deleteThread, finishDeletions } from './delete-thread.js';
import { openStore } from './indexeddb-store.js';

let databases = 0;

async function aPage() {
  databases += 1;
  const database = `delete-${databases}`;
  const saver = new IndexedDBSaver({ database });
  const archive = await memoryArchive();
  const agent = createAgent({ model: new ScriptedModel(), tools: [], checkpointer: saver });
  for (const [user, thread] of [
    ['local', 'one'],
    ['local', 'two'],
    ['bob', 'one'],
  ] as const) {
    const configurable = { thread_id: thread, user_id: user };
    await agent.invoke({ messages: [new HumanMessage('Hello')] }, { configurable });
    unwrap(await archive.capture({ user, thread }, captureOf('Hello')));
  }
  const left = async (user: string) => ({
    checkpoints: (await saver.threads({ user })).map(({ thread }) => thread).sort(),
    archives: unwrap(await archive.threads(user)).threads.map(({ scope }) => scope.thread),
  });
  const keys = async () => (await entries(openStore(database).use)).map(([key]) => JSON.stringify(key));
  return { saver, archive, database, left, keys };
}

test('checkpoints and archive go, and nothing else', async () => {
  const { saver, archive, left, keys } = await aPage();
  expect(await deleteThread({ saver, archive }, { thread: 'one' })).toEqual({ outcome: 'deleted' });
  expect(await left('local')).toEqual({ checkpoints: ['two'], archives: ['two'] });
  expect(await left('bob')).toEqual({ checkpoints: ['one'], archives: ['one'] });
  // Not even that it was ever there can be read.
  expect((await keys()).filter((key) => key.includes('"local","one"'))).toEqual([]);
});

test('an archive that does not answer is deleted at the next start', async () => {
  const { saver, archive, database, left, keys } = await aPage();
  const silent: Pick<Archive, 'forget'> = {
    forget: async () => ({ ok: false, failure: 'locked', detail: 'Another tab had it.' }),
  };
  const outcome = await deleteThread({ saver, archive: silent }, { thread: 'one' });
  expect(outcome).toEqual({ outcome: 'pending', failure: 'locked', detail: 'Another tab had it.' });
  expect(await left('local')).toEqual({ checkpoints: ['two'], archives: ['one', 'two'] });

  const next = new IndexedDBSaver({ database });
  expect(await finishDeletions({ saver: next, archive: silent })).toBe(1);
  expect(await finishDeletions({ saver: next, archive })).toBe(0);
  expect(await left('local')).toEqual({ checkpoints: ['two'], archives: ['two'] });
  expect((await keys()).filter((key) => key.includes('"local","one"'))).toEqual([]);
});

test('what a thread begun anew has archived stays when the old deletion is finished', async () => {
  const { saver, archive, left } = await aPage();
  const silent: Pick<Archive, 'forget'> = {
    forget: async () => ({ ok: false, failure: 'locked', detail: 'Another tab had it.' }),
  };
  const scope = { user: 'local', thread: 'one' };
  const runBeganAt = Date.now();
  await deleteThread({ saver, archive: silent }, { thread: 'one' });
  await new Promise((resolve) => setTimeout(resolve, 2));
  const { batch } = unwrap(await archive.capture(scope, captureOf('Anew')));
  expect(await finishDeletions({ saver, archive })).toBe(0);
  expect(unwrap(await archive.details(scope))?.batches.map(({ id }) => id)).toEqual([batch]);
  // A run of the deleted thread brings nothing back, then as before.
  const late = await archive.capture(scope, { ...captureOf('Old'), runBeganAt });
  expect(late).toMatchObject({ ok: false, detail: expect.stringContaining('was deleted') });
  expect(await left('local')).toMatchObject({ archives: ['one', 'two'] });
});

test('a page that ends between the two leaves a deletion that the next one finishes', async () => {
  const { saver, archive, left } = await aPage();
  const never: Pick<Archive, 'forget'> = { forget: () => new Promise(() => undefined) };
  void deleteThread({ saver, archive: never }, { user: 'bob', thread: 'one' });
  await expect.poll(async () => (await left('bob')).checkpoints).toEqual([]);
  expect(await finishDeletions({ saver, archive })).toBe(0);
  expect(await left('bob')).toEqual({ checkpoints: [], archives: [] });
  expect((await left('local')).archives).toEqual(['one', 'two']);
});
