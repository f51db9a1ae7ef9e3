// The reference's tables (SPEC 6): everything in one FTS5 table. A yardstick, in SQLite of any kind.
import { batchIdOf } from '../src/core/digest.js';
import { pythonJson } from '../src/core/json.js';
import { extractRecords, type Message } from '../src/core/message.js';
import { referenceTerms } from '../src/core/tokenize.js';
import { RETENTION } from './messages.js';

/** What the yardstick needs of a database. */
export interface PlainDatabase {
  exec(sql: string): void;
  /** Runs a statement once for each row of values. */
  insert(sql: string, rows: readonly (readonly (string | number)[])[]): void;
  all(sql: string, values: readonly (string | number)[]): readonly unknown[];
}

export interface ReferenceBatch {
  readonly id: string;
  readonly created: number;
  readonly rows: readonly (readonly [batch: string, id: string, payload: string, words: string])[];
}

export const REFERENCE_SCHEMA = `
  CREATE TABLE batches (id TEXT PRIMARY KEY, created INTEGER);
  CREATE VIRTUAL TABLE sources USING fts5(batch UNINDEXED, id UNINDEXED, payload UNINDEXED, words)`;

/** What the reference works out of messages before it writes: ids, digests, words. */
export function referenceBatch(messages: readonly Message[], created: number): ReferenceBatch {
  const records = extractRecords(messages, RETENTION.maxRecordChars);
  const id = batchIdOf('bench', records);
  const rows = records.map(
    (record) => [id, record.id, pythonJson(record), referenceTerms(record.text).join(' ')] as const,
  );
  return { id, created, rows };
}

export function writeReference(db: PlainDatabase, batch: ReferenceBatch): void {
  db.exec('BEGIN IMMEDIATE');
  db.insert('INSERT INTO batches VALUES (?, ?)', [[batch.id, batch.created]]);
  db.insert('INSERT INTO sources VALUES (?, ?, ?, ?)', batch.rows);
  db.exec('COMMIT');
}

export function searchReference(
  db: PlainDatabase,
  batches: readonly string[],
  words: readonly string[],
): number {
  const match = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
  return db.all(
    `SELECT payload FROM sources
    WHERE sources MATCH ? AND batch IN (SELECT value FROM json_each(?))
    ORDER BY rank, rowid LIMIT 8`,
    [match, JSON.stringify(batches)],
  ).length;
}

export function readReferenceSource(db: PlainDatabase, batches: readonly string[], id: string): number {
  return db.all(
    `SELECT payload FROM sources
    WHERE id = ? AND batch IN (SELECT value FROM json_each(?))
    ORDER BY rowid LIMIT 1`,
    [id, JSON.stringify(batches)],
  ).length;
}

export function deleteReferenceBatch(db: PlainDatabase, id: string): void {
  db.exec('BEGIN IMMEDIATE');
  db.insert('DELETE FROM sources WHERE batch = ?', [[id]]);
  db.insert('DELETE FROM batches WHERE id = ?', [[id]]);
  db.exec('COMMIT');
}
