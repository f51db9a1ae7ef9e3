// A thread goes into a file and comes out of it: the same, under its own name or another, or nothing happens.
import 'fake-indexeddb/auto';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { encode } from 'cborg';
import { entries } from 'idb-keyval';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { unwrap } from '../../test/support/archives.js';
import { pairs, SUMMARY, texts } from '../../test/support/compacting-agent.js';
import { type Script, ScriptedModel } from '../../test/support/scripted-model.js';
import { memoryArchive } from '../../worker/memory.js';
import { createContinuity } from '../continuity.js';
import { sha256HexOfBytes } from '../core/digest.js';
import type { Archive, ArchiveKeeper } from '../protocol.js';
import { IndexedDBSaver } from './checkpoint.js';
import { compactThread } from './compact-thread.js';
import { deleteThread } from './delete-thread.js';
import { exportThread } from './export-thread.js';
import { type ImportThreadOptions, importThread } from './import-thread.js';
import { openStore } from './indexeddb-store.js';
import { summarization } from './summarization.js';
import { taskContinuity } from './task-continuity.js';

let databases = 0;
let agents = 0;

/** A browser profile with its own stores. */
async function aPlace(user = 'local') {
  databases += 1;
  const database = `transfer-${databases}`;
  const saver = new IndexedDBSaver({ database, user });
  const archive = await memoryArchive();
  const contents = async () => {
    const store = openStore(database);
    const rows = await entries(store.use);
    await store.close();
    return rows;
  };
  return { database, user, saver, archive, contents };
}

type Place = Awaited<ReturnType<typeof aPlace>>;

function anAgent({ saver, archive, user }: Place, script: Script = []) {
  agents += 1;
  const model = new ScriptedModel(script, `agent-${agents}`);
  const continuity = createContinuity({ archive });
  const middleware = [
    summarization({
      enabled: true,
      model: new ScriptedModel([SUMMARY, SUMMARY, SUMMARY]),
      trigger: { type: 'tokens', value: 600 },
      keep: { type: 'messages', value: 4 },
      continuity,
      user,
    }),
    taskContinuity({ enabled: true, continuity, user }),
  ];
  return { agent: createAgent({ model, tools: [], checkpointer: saver, middleware }) };
}

const at = (thread_id: string) => ({ configurable: { thread_id } });
const note = { name: 'task_note', args: { key: 'boats', content: 'Look at the boats.' }, id: 'call-1' };
const search = (id: string, query: string) => ({ name: 'history_search', args: { query }, id });

/** A thread with a compaction, pruned messages, a note, a search, a branch and a title. */
async function aThread() {
  const place = await aPlace();
  const { agent } = anAgent(place, [{ calls: [note, search('call-2', 'harbour')] }, 'Noted.']);
  await agent.invoke({ messages: pairs(12) }, at('t'));
  const compacted = await compactThread(agent, { thread: 't' }, { prune: true });
  expect(compacted.pruned).toContain('m2');
  const [before] = await tuplesOf(place, 't');
  await agent.invoke({ messages: [new HumanMessage('One branch')] }, at('t'));
  await agent.invoke({ messages: [new HumanMessage('Another branch')] }, before?.config ?? {});
  await place.saver.rename('t', 'Boats');
  return { ...place, file: await fileOf(place, 't') };
}

async function fileOf(
  place: Place,
  thread: string,
  extra: string | null = null,
): Promise<Uint8Array<ArrayBuffer>> {
  const exported = await exportThread(place, { thread, extra });
  if (exported.outcome !== 'exported') throw new Error(exported.outcome);
  return exported.file;
}

async function tuplesOf({ saver }: Place, thread: string): Promise<readonly CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list(at(thread))) tuples.push(tuple);
  return tuples;
}

/** Everything that can be known of a thread's checkpoints, but for whose they are. */
function plain(tuples: readonly CheckpointTuple[], thread: string): unknown {
  return JSON.parse(JSON.stringify(tuples).replaceAll(`"thread_id":"${thread}"`, '"thread_id":"-"'));
}

/** What the agent finds in its history, by asking with its own tool. */
async function foundBy(place: Place, thread: string) {
  const { agent } = anAgent(place, [{ calls: [search('call-9', 'boat m2')] }, 'Found.']);
  const { messages } = await agent.invoke({ messages: [new HumanMessage('Search')] }, at(thread));
  const answer = messages.find((one: BaseMessage) => Reflect.get(one, 'tool_call_id') === 'call-9');
  const { results, status } = JSON.parse(answer?.text ?? '{}');
  return { status, first: results?.[0]?.message_id, origin: results?.[0]?.origin };
}

describe('under its own name', () => {
  test('what the application gave along comes back with it', async () => {
    const here = await aThread();
    const file = await fileOf(here, 't', '{"model":"小模型"}');
    expect(await importThread(await aPlace(), file)).toMatchObject({ extra: '{"model":"小模型"}' });
  });

  test('every checkpoint of every branch, the notes, the title and the archive come back as they were', async () => {
    const here = await aThread();
    const there = await aPlace();
    const outcome = await importThread(there, here.file);
    const tuples = await tuplesOf(here, 't');
    expect(outcome).toEqual({
      outcome: 'imported',
      user: 'local',
      thread: 't',
      checkpoints: tuples.length,
      sources: expect.any(Number),
      extra: null,
    });
    expect(await tuplesOf(there, 't')).toEqual(tuples);
    expect(await there.saver.threads()).toEqual(await here.saver.threads());
    expect((await there.saver.threads())[0]?.title).toBe('Boats');
    const scope = { user: 'local', thread: 't' };
    expect(await there.archive.details(scope)).toEqual(await here.archive.details(scope));
    expect(await foundBy(there, 't')).toMatchObject({ status: 'available', first: 'm2' });
  });

  test('a thread of this name stays, unless it is to be replaced', async () => {
    const here = await aThread();
    const there = await aPlace();
    const { agent } = anAgent(there);
    await agent.invoke({ messages: [new HumanMessage('Mine')] }, at('t'));
    const before = await there.contents();
    expect(await importThread(there, here.file)).toEqual({ outcome: 'exists', user: 'local', thread: 't' });
    expect(await there.contents()).toEqual(before);
    expect(unwrap(await there.archive.details({ user: 'local', thread: 't' }))).toBeNull();

    expect(await importThread(there, here.file, { replace: true })).toMatchObject({ outcome: 'imported' });
    expect(await tuplesOf(there, 't')).toEqual(await tuplesOf(here, 't'));
    expect(await foundBy(there, 't')).toMatchObject({ status: 'available', first: 'm2' });
  });

  test('the archive of a thread that is replaced by one without any goes', async () => {
    const without = await aPlace();
    await anAgent(without).agent.invoke({ messages: [new HumanMessage('Short')] }, at('t'));
    const there = await aThread();
    const file = await fileOf(without, 't');
    expect(await importThread(there, file, { replace: true })).toMatchObject({
      outcome: 'imported',
      sources: null,
    });
    expect(unwrap(await there.archive.details({ user: 'local', thread: 't' }))).toBeNull();
  });

  test('a run that is going on in a thread that is replaced writes nothing more', async () => {
    const here = await aThread();
    const there = await aPlace();
    const during = new ScriptedModel([() => 'Begun', (messages) => `Heard ${messages.length}`]);
    let replaced: Promise<unknown> = Promise.resolve();
    const agent = createAgent({
      model: during,
      tools: [],
      checkpointer: there.saver,
      middleware: [
        {
          name: 'replacing',
          afterModel: async () => {
            replaced = importThread(there, here.file, { replace: true });
            await replaced;
          },
        },
      ],
    });
    await expect(agent.invoke({ messages: [new HumanMessage('Mine')] }, at('t'))).rejects.toThrow(
      'was deleted while this run was going on',
    );
    expect(await replaced).toMatchObject({ outcome: 'imported' });
    expect(await tuplesOf(there, 't')).toEqual(await tuplesOf(here, 't'));
  });

  test('a deletion that was interrupted does not take the imported archive along', async () => {
    const here = await aThread();
    const there = await aPlace();
    await anAgent(there).agent.invoke({ messages: pairs(12) }, at('t'));
    const silent = { forget: async () => ({ ok: false, failure: 'locked', detail: '' }) as const };
    await deleteThread({ saver: there.saver, archive: silent }, { thread: 't' });
    expect(await importThread(there, here.file)).toMatchObject({ outcome: 'imported' });
    expect(await there.saver.unfinishedDeletions()).toEqual([]);
    expect(await foundBy(there, 't')).toMatchObject({ status: 'available', first: 'm2' });
  });
});

describe('under another name', () => {
  test.each<[string, string, ImportThreadOptions]>([
    ['another thread', 'local', { thread: 'copy' }],
    ['another user', 'ann', {}],
  ])('of %s, it is the same conversation, and what was pruned is found', async (_name, user, options) => {
    const here = await aThread();
    const there = await aPlace(user);
    const thread = options.thread ?? 't';
    expect(await importThread(there, here.file, options)).toMatchObject({
      outcome: 'imported',
      user,
      thread,
    });
    const [newest] = await tuplesOf(there, thread);
    const [original] = await tuplesOf(here, 't');
    const values = newest?.checkpoint.channel_values ?? {};
    const { taskHistory, ...rest } = values;
    const { taskHistory: former, ...others } = original?.checkpoint.channel_values ?? {};
    expect(rest).toEqual(others);
    expect(rest['taskNotes']).toMatchObject({ boats: { content: 'Look at the boats.' } });
    expect(taskHistory).not.toEqual(former);
    expect(await foundBy(there, thread)).toMatchObject({ status: 'available', first: 'm2' });
  });

  test('nothing of the former name is left but in messages', async () => {
    const here = await aThread();
    const there = await aPlace();
    await importThread(there, here.file, { thread: 'copy' });
    const [original] = await tuplesOf(here, 't');
    const { scope, batches } = Object(original?.checkpoint.channel_values['taskHistory']);
    const all = JSON.stringify(plain(await tuplesOf(there, 'copy'), 'copy'));
    for (const name of [scope, ...batches]) expect(all).not.toContain(name);
    // All else is as it was, checkpoint by checkpoint.
    const withoutNames = (text: string) => text.replaceAll(/[0-9a-f]{64}/g, '-');
    const former = JSON.stringify(plain(await tuplesOf(here, 't'), 't'));
    expect(withoutNames(all)).toBe(withoutNames(former));
  });

  test('a copy and its original go their own ways', async () => {
    const here = await aThread();
    await importThread(here, here.file, { thread: 'copy' });
    const { agent } = anAgent(here);
    await agent.invoke({ messages: [new HumanMessage('Only here')] }, at('copy'));
    const [original] = await tuplesOf(here, 't');
    expect(texts(original?.checkpoint.channel_values['messages'] as BaseMessage[])).not.toContain(
      'Only here',
    );
    await deleteThread(here, { thread: 't' });
    expect(await foundBy(here, 'copy')).toMatchObject({ status: 'available', first: 'm2' });
  });
});

describe('a file that is refused changes nothing', () => {
  const sealed = (file: Uint8Array, version: number, body: Uint8Array): Uint8Array => {
    const head = Uint8Array.from([...file.subarray(0, 18), 0, 0, 0, version]);
    const digest = sha256HexOfBytes(head, body).match(/../g) ?? [];
    return Uint8Array.from([...head, ...body, ...digest.map((one) => Number.parseInt(one, 16))]);
  };
  const flipped = (file: Uint8Array, at: number): Uint8Array => {
    const bytes = file.slice();
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };
  test.each<[string, (file: Uint8Array) => Uint8Array, string, RegExp]>([
    ['empty', () => new Uint8Array(), 'foreign', /no thread that threadkeep exported/],
    ['another program’s', () => new TextEncoder().encode('SQLite format 3'), 'foreign', /no thread/],
    ['only a head', (file) => file.slice(0, 20), 'damaged', /cut short/],
    ['cut short', (file) => file.slice(0, -1), 'damaged', /cut short/],
    ['longer', (file) => Uint8Array.from([...file, 0]), 'damaged', /changed/],
    ['with one bit changed', (file) => flipped(file, file.length >> 1), 'damaged', /changed/],
    ['with one bit of its digest changed', (file) => flipped(file, file.length - 1), 'damaged', /changed/],
    ['a newer version’s', (file) => sealed(file, 2, file.slice(22, -32)), 'newer', /Update threadkeep/],
    ['of another content', (file) => sealed(file, 1, encode({ a: 1 })), 'damaged', /not what a thread has/],
    ['of no content', (file) => sealed(file, 1, new Uint8Array([0x9a])), 'damaged', /cannot be read/],
    [
      'of lists in lists without end',
      (file) => sealed(file, 1, new Uint8Array(200_000).fill(0x81)),
      'damaged',
      /cannot be read/,
    ],
    [
      'with a row of no known kind',
      (file) => {
        const content = { user: 'a', thread: 't', exportedAt: 1, archive: null, extra: null };
        const thread = [['thread'], { updatedAt: 1, messages: 0, bytes: 0 }];
        return sealed(file, 1, encode({ ...content, rows: [thread, [['lease'], {}]] }));
      },
      'damaged',
      /not what a thread has/,
    ],
  ])('%s', async (_name, spoil, problem, told) => {
    const place = await aThread();
    const before = [await place.contents(), await place.archive.details({ user: 'local', thread: 't' })];
    const outcome = await importThread(place, spoil(place.file), { replace: true });
    expect(outcome).toEqual({ outcome: 'refused', problem, detail: expect.stringMatching(told) });
    expect([await place.contents(), await place.archive.details({ user: 'local', thread: 't' })]).toEqual(
      before,
    );
  });

  test('an archive that takes no part leaves all as it was', async () => {
    const here = await aThread();
    const there = await aPlace();
    const failing: Archive & ArchiveKeeper = {
      ...there.archive,
      importFile: async () => ({ ok: false, failure: 'quota', detail: 'No room.' }),
    };
    const outcome = await importThread({ saver: there.saver, archive: failing }, here.file);
    expect(outcome).toEqual({ outcome: 'unavailable', failure: 'quota', detail: 'No room.' });
    expect(await there.contents()).toEqual([]);
  });

  test('checkpoints that cannot be written leave the archive as it was', async () => {
    const here = await aThread();
    const other = await aPlace();
    await anAgent(other).agent.invoke({ messages: pairs(20) }, at('t'));
    const before = await here.archive.details({ user: 'local', thread: 't' });
    here.saver.putRows = () => Promise.reject(new Error('No room.'));
    const file = await fileOf(other, 't');
    await expect(importThread(here, file, { replace: true })).rejects.toThrow('No room.');
    expect(await here.archive.details({ user: 'local', thread: 't' })).toEqual(before);
  });
});

describe('an export', () => {
  test('says that there is no such thread, or that its archive cannot be read', async () => {
    const here = await aThread();
    expect(await exportThread(here, { thread: 'none' })).toEqual({ outcome: 'missing' });
    const silent = { exportFile: async () => ({ ok: false, failure: 'locked', detail: 'Busy.' }) as const };
    const outcome = await exportThread({ saver: here.saver, archive: silent }, { thread: 't' });
    expect(outcome).toEqual({ outcome: 'unavailable', failure: 'locked', detail: 'Busy.' });
  });

  test('without the archive keeps what the checkpoints hold', async () => {
    const here = await aThread();
    const exported = await exportThread({ saver: here.saver, archive: null }, { thread: 't' });
    const file = exported.outcome === 'exported' ? exported.file : new Uint8Array();
    const there = await aPlace();
    expect(await importThread(there, file)).toMatchObject({ outcome: 'imported', sources: null });
    expect(await tuplesOf(there, 't')).toEqual(await tuplesOf(here, 't'));
    expect(await foundBy(there, 't')).toMatchObject({ status: 'partially_expired' });
  });
});
