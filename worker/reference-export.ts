// Writes a thread's archive as a file of the reference's tables, which other programs open.
import { pythonJson } from '../src/core/json.js';
import type { SourceRecord } from '../src/core/message.js';
import { referenceTerms } from '../src/core/tokenize.js';
import { batchesByAge } from './batches.js';
import { sourcesOf } from './lookup.js';
import { memoryDatabase, type Sqlite3Static } from './sqlite.js';
import type { ThreadFile } from './thread-file.js';

/**
 * The interchange format (SPEC 6): `created` orders batches by age, and the rows of sources stand in the order of their
 * insertion. `threadkeep_batches` is ours: the reference does not know when a batch was captured.
 */
const SCHEMA = `
  CREATE TABLE batches (id TEXT PRIMARY KEY, created INTEGER);
  CREATE VIRTUAL TABLE sources USING fts5(batch UNINDEXED, id UNINDEXED, payload UNINDEXED, words);
  CREATE TABLE threadkeep_batches (id TEXT PRIMARY KEY, captured_at INTEGER NOT NULL);`;

/**
 * The bytes of a database file with everything that the archive holds. Its words are those that the reference's rule
 * finds within one script.
 */
export function exportReference(sqlite: Sqlite3Static, file: ThreadFile): Uint8Array<ArrayBuffer> {
  const db = memoryDatabase(sqlite);
  try {
    db.exec(`PRAGMA page_size = 4096; ${SCHEMA} BEGIN`);
    const batches = batchesByAge(file);
    for (const [place, batch] of batches.entries()) {
      db.exec('INSERT INTO batches (id, created) VALUES (?1, ?2)', { bind: [batch.id, place + 1] });
      db.exec('INSERT INTO threadkeep_batches (id, captured_at) VALUES (?1, ?2)', {
        bind: [batch.id, batch.capturedAt],
      });
    }
    const insert = db.prepare('INSERT INTO sources (batch, id, payload, words) VALUES (?1, ?2, ?3, ?4)');
    try {
      for (const batch of batches.toSorted((one, other) => one.pk - other.pk)) {
        for (const record of sourcesOf(file, batch)) {
          insert
            .bind([batch.id, record.id, payloadOf(record), referenceTerms(record.text).join(' ')])
            .stepReset();
        }
      }
    } finally {
      insert.finalize();
    }
    db.exec("COMMIT; INSERT INTO sources (sources) VALUES ('optimize'); VACUUM");
    return new Uint8Array(sqlite.capi.sqlite3_js_db_export(db));
  } finally {
    db.close();
  }
}

/** SQLite's text ends at U+0000; JSON writes it as an escape. */
function payloadOf({ role, message_id, name, text, id, truncated }: SourceRecord): string {
  return pythonJson({ role, message_id, name, text, id, truncated });
}
