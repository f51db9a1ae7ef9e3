import { expect, test } from 'vitest';
import { PAGE_BYTES } from '../src/core/limits.js';
import { seededRandom } from '../test/support/seeded.js';
import { loadSqlite } from './sqlite.js';
import { pagesOfRows } from './table-pages.js';

async function measuredPages(rows: readonly number[]): Promise<number> {
  const sqlite = await loadSqlite();
  const db = new sqlite.oo1.DB(':memory:');
  db.exec(
    `PRAGMA page_size = ${PAGE_BYTES}; CREATE TABLE rows (pk INTEGER PRIMARY KEY, content BLOB NOT NULL)`,
  );
  const before = Number(db.selectValue('PRAGMA page_count')) - 1;
  for (const bytes of rows)
    db.exec('INSERT INTO rows (content) VALUES (?)', { bind: [new Uint8Array(bytes)] });
  const pages = Number(db.selectValue('PRAGMA page_count')) - before;
  db.close();
  return pages;
}

test.each([
  ['no rows', 0, 1],
  ['short rows', 2_000, 60],
  ['word lists', 2_000, 2_000],
  ['messages', 1_000, 9_000],
  ['long messages', 100, 64_000],
])('%s take at most the pages foretold, and hardly less', async (_, count, longest) => {
  const random = seededRandom(7);
  const rows = Array.from({ length: count }, () => random.below(longest));
  const measured = await measuredPages(rows);
  const foretold = pagesOfRows(rows);
  expect(foretold).toBeGreaterThanOrEqual(measured);
  // The headers are reckoned at their longest, which tells in short rows.
  expect(foretold).toBeLessThanOrEqual(measured * (longest < 100 ? 1.5 : 1.05) + 2);
});
