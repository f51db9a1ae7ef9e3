// What a capture does when SQLite gets no more memory; a limit of SQLite's own makes it so.
import { expect, test } from 'vitest';
import { RETENTION } from '../test/support/archives.js';
import { human, noise, SCOPE } from '../test/support/memory-archives.js';
import { reachableBatches } from './batches.js';
import { capture } from './capture.js';
import { replyOf } from './failures.js';
import { loadSqlite, memoryDatabase } from './sqlite.js';
import { ThreadFile } from './thread-file.js';

test('without memory a capture fails, leaves everything as it was, and a smaller one succeeds', async () => {
  const sqlite = await loadSqlite();
  const file = new ThreadFile(sqlite, memoryDatabase(sqlite));
  const captureTexts = (...texts: readonly string[]) =>
    replyOf(async () => {
      const messages = texts.map((text) => human(text));
      return capture(file, SCOPE, { sources: { messages }, retention: RETENTION, known: [] }, 1);
    });
  const before = await captureTexts('a berth for the crane');
  if (!before.ok || before.value.batch === null) throw new Error('Nothing was captured.');

  file.db.exec('PRAGMA hard_heap_limit = 1000000');
  const large = Array.from({ length: 60 }, (_, at) => noise(15_000, at));
  expect(await captureTexts(...large)).toMatchObject({
    ok: false,
    failure: 'internal',
    detail: expect.stringMatching(/SQLITE_NOMEM|out of memory/),
  });

  expect(file.db.selectValue('SELECT count(*) FROM texts')).toBe(1);
  expect(file.db.selectValue('PRAGMA integrity_check')).toBe('ok');
  const after = await captureTexts('a second one');
  expect(after).toMatchObject({ ok: true, value: { stored: 1 } });
  expect(reachableBatches(file, [before.value.batch])).toHaveLength(1);
  file.close();
});
