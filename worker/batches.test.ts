// How a batch goes, on a `:memory:` database.
import { expect, test, vi } from 'vitest';
import type { BatchId } from '../src/core/message.js';
import { RETENTION } from '../test/support/archives.js';
import { human, SCOPE } from '../test/support/memory-archives.js';
import { batchesByAge, deleteBatch } from './batches.js';
import { capture } from './capture.js';
import { loadSqlite, memoryDatabase } from './sqlite.js';
import { ThreadFile } from './thread-file.js';

test('deleting a batch looks at nothing of the others', async () => {
  const sqlite = await loadSqlite();
  const file = new ThreadFile(sqlite, memoryDatabase(sqlite));
  const known: BatchId[] = [];
  for (const text of ['apple', 'pear', 'plum']) {
    const request = { sources: { messages: [human(text)] }, retention: RETENTION, known };
    const { batch } = capture(file, SCOPE, request, 1);
    if (batch !== null) known.push(batch);
  }
  const [, middle] = batchesByAge(file);
  if (middle === undefined) throw new Error('There are no three batches.');

  const exec = vi.spyOn(file.db, 'exec');
  deleteBatch(file, middle);
  const statements = exec.mock.calls.map(([statement]) => String(statement));
  exec.mockRestore();
  expect(statements.length).toBeGreaterThan(2);
  const plans = statements.flatMap((statement) =>
    file.db.selectArrays(`EXPLAIN QUERY PLAN ${statement}`).map((row) => String(row.at(-1))),
  );
  expect(plans.length).toBeGreaterThanOrEqual(statements.length);
  for (const plan of plans) expect(plan).toMatch(/^SEARCH \w+ USING /);
  expect(batchesByAge(file).map(({ id }) => id)).toEqual([known[0], known[2]]);
  file.close();
});
