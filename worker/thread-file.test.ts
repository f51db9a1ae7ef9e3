// Which files are taken up, on `:memory:` databases.
import { expect, test } from 'vitest';
import { type Database, loadSqlite, memoryDatabase } from './sqlite.js';
import { ThreadFile } from './thread-file.js';

async function opened(db: Database): Promise<ThreadFile> {
  return new ThreadFile(await loadSqlite(), db);
}

const schemaOf = (db: Database): readonly unknown[] => [
  ...db.selectValues('SELECT sql FROM sqlite_schema ORDER BY name'),
  db.selectValue('PRAGMA user_version'),
];

test('a file is taken up as it was left', async () => {
  const db = memoryDatabase(await loadSqlite());
  await opened(db);
  const schema = schemaOf(db);
  expect(schema.length).toBeGreaterThan(3);
  await opened(db);
  expect(schemaOf(db)).toEqual(schema);
  db.close();
});

test('a file that a newer version wrote is refused, and stays as it is', async () => {
  const db = memoryDatabase(await loadSqlite());
  await opened(db);
  const newer = Number(db.selectValue('PRAGMA user_version')) + 1;
  db.exec(`ALTER TABLE batches ADD COLUMN summary TEXT; PRAGMA user_version = ${newer}`);
  const schema = schemaOf(db);
  await expect(opened(db)).rejects.toMatchObject({
    failure: 'unsupported',
    message: `The archive has schema ${newer}; this version of threadkeep knows ${newer - 1}. Update it.`,
  });
  expect(schemaOf(db)).toEqual(schema);
  db.close();
});

test('another program’s tables are taken for a damaged file, and stay as they are', async () => {
  const db = memoryDatabase(await loadSqlite());
  db.exec('CREATE TABLE notes (text)');
  await expect(opened(db)).rejects.toMatchObject({ failure: 'corrupt' });
  expect(schemaOf(db)).toEqual(['CREATE TABLE notes (text)', 0]);
  db.close();
});
