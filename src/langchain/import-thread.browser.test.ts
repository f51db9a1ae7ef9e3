// A thread's file between two real profiles' worth of stores in Chromium: IndexedDB, and SQLite on OPFS.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { afterEach, expect, test } from 'vitest';
import { capture, searchTexts, unwrap } from '../../test/support/archives.js';
import { at, METADATA, textsAt } from '../../test/support/checkpoints.js';
import { type ArchiveClient, openArchive } from '../client.js';
import { scopeDigest } from '../core/digest.js';
import { normalizeHistory } from '../core/history.js';
import { IndexedDBSaver } from './checkpoint.js';
import { exportThread } from './export-thread.js';
import { importThread } from './import-thread.js';

let archive: ArchiveClient;
afterEach(() => archive.dispose());

test('a thread imported under another id has its messages, and its archive is searched from there', async () => {
  archive = openArchive();
  const [thread, copy] = [crypto.randomUUID(), crypto.randomUUID()];
  const saver = new IndexedDBSaver({ database: `from-${thread}` });
  const scope = { user: 'local', thread };
  const batch = await capture(archive, scope, 'the crane is orange');
  const taskHistory = {
    scope: scopeDigest('local', thread),
    batches: [batch],
    omitted_records: 0,
    status: 'available',
  };
  const versions = {
    messages: saver.getNextVersion(undefined),
    taskHistory: saver.getNextVersion(undefined),
  };
  const checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(0),
    channel_values: {
      messages: [new HumanMessage('Hello'), new AIMessage('word '.repeat(5_000))],
      taskHistory,
    },
    channel_versions: versions,
  };
  await saver.put(at(thread), checkpoint, METADATA, versions);
  const exported = await exportThread({ saver, archive }, { thread });
  if (exported.outcome !== 'exported') throw new Error(exported.outcome);

  const other = new IndexedDBSaver({ database: `to-${copy}` });
  const stores = { saver: other, archive };
  const torn = await importThread(stores, exported.file.slice(0, -1), { thread: copy });
  expect(torn).toMatchObject({ outcome: 'refused', problem: 'damaged' });
  expect(await other.threads()).toEqual([]);
  expect(unwrap(await archive.details({ user: 'local', thread: copy }))).toBeNull();

  // As it comes from a file that was picked.
  const file = new Uint8Array(await new Blob([exported.file]).arrayBuffer());
  const outcome = await importThread(stores, file, { thread: copy });
  expect(outcome).toMatchObject({ outcome: 'imported', thread: copy, checkpoints: 1, sources: 1 });
  expect(await textsAt(other, at(copy))).toEqual(['Hello', 'word '.repeat(5_000)]);
  const tuple = await other.getTuple(at(copy));
  const history = normalizeHistory(tuple?.checkpoint.channel_values['taskHistory']);
  expect(history?.scope).toBe(scopeDigest('local', copy));
  const there = { user: 'local', thread: copy };
  expect(await searchTexts(archive, there, history?.batches ?? [], 'crane')).toEqual(['the crane is orange']);
  unwrap(await archive.forget(scope));
  expect(await searchTexts(archive, there, history?.batches ?? [], 'crane')).toEqual(['the crane is orange']);
});
