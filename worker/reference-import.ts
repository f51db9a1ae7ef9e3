// Reads a file of the reference's tables, and believes nothing in it that its digests do not prove.
import { batchIdOf, scopeDigest } from '../src/core/digest.js';
import type { BatchId, SourceRecord } from '../src/core/message.js';
import { isSourceId } from '../src/core/notes.js';
import { charLength } from '../src/core/text.js';
import type { Scope } from '../src/protocol.js';
import { ArchiveError } from './failures.js';
import { type Database, memoryDatabase, type Sqlite3Static } from './sqlite.js';

/** A batch as a file tells it. */
export interface ReferenceBatch {
  readonly id: BatchId;
  /** What the file calls it. */
  readonly origin: BatchId;
  /** Orders by age, the oldest first. */
  readonly created: number;
  /** Milliseconds since 1970; null in a file that this package did not write. */
  readonly capturedAt: number | null;
  /** In conversation order; never empty. */
  readonly records: readonly SourceRecord[];
}

const MAGIC = 'SQLite format 3\0';
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['batches', 'id,created'],
  ['sources', 'batch,id,payload,words'],
]);

/**
 * The batches of a file in the order of their insertion; those without a source are left out.
 *
 * Throws `corrupt` for a file that is damaged or is no such file, and for batches that are not what their ids say,
 * which is so for another thread's than `from`: an id is the digest of its scope and its records.
 */
export function readReference(
  sqlite: Sqlite3Static,
  { scope, from }: { readonly scope: Scope; readonly from: Scope },
  bytes: Uint8Array,
): ReferenceBatch[] {
  if (new TextDecoder('latin1').decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw refused('It is no SQLite database.');
  }
  if (bytes.length !== sizeByHeader(bytes)) throw refused('It is cut short or has something after its end.');
  const db = memoryDatabase(sqlite);
  try {
    fill(sqlite, db, bytes);
    checkDatabase(db);
    const digest = scopeDigest(scope.user, scope.thread);
    const origin = scopeDigest(from.user, from.thread);
    const batches = batchesOf(db, origin);
    if (digest === origin) return batches;
    return batches.map((batch) => ({ ...batch, id: batchIdOf(digest, batch.records) }));
  } catch (error) {
    // What SQLite says of the given file must not be taken for damage of the thread's own.
    throw error instanceof ArchiveError ? error : refused('SQLite cannot read it.', error);
  } finally {
    db.close();
  }
}

/** Page size times pages, as SQLite writes both at the file's head. */
function sizeByHeader(bytes: Uint8Array): number {
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 100) return Number.NaN;
  const pageSize = head.getUint16(16);
  return (pageSize === 1 ? 65_536 : pageSize) * head.getUint32(28);
}

function fill(sqlite: Sqlite3Static, db: Database, bytes: Uint8Array): void {
  const { capi, wasm } = sqlite;
  const copy = Uint8Array.from(bytes);
  // An in-memory database has no write-ahead log; the two bytes say which way the file was written last.
  copy.fill(1, 18, 20);
  const at = wasm.allocFromTypedArray(copy);
  const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY;
  db.checkRc(capi.sqlite3_deserialize(db.pointer as number, 'main', at, copy.length, copy.length, flags));
}

function checkDatabase(db: Database): void {
  // A hostile schema runs nothing of its own, and its pages are checked before they are used.
  db.exec('PRAGMA trusted_schema = off; PRAGMA cell_size_check = on');
  for (const [table, columns] of COLUMNS) {
    const found = db.selectValues(`SELECT name FROM pragma_table_info('${table}')`).join(',');
    if (found !== columns) {
      throw refused(
        found === ''
          ? `It has no table ${table}.`
          : `Its table ${table} has the columns ${found}; ${columns} are known. A newer version may have written it.`,
      );
    }
  }
  const verdict = db.selectValue('PRAGMA integrity_check(1)');
  if (verdict !== 'ok') throw refused(`Its pages are damaged: ${String(verdict)}`);
}

function batchesOf(db: Database, scope: string): ReferenceBatch[] {
  const created = new Map(
    db
      .selectArrays('SELECT id, created FROM batches ORDER BY created')
      .map(([id, age]) => [String(id), Number(age)]),
  );
  const capturedAt = captureTimes(db);
  const recordsByBatch = new Map<string, SourceRecord[]>();
  for (const [batch, payload] of db.selectArrays('SELECT batch, payload FROM sources ORDER BY rowid')) {
    const record = recordOf(String(payload));
    const records = recordsByBatch.get(String(batch));
    if (records === undefined) recordsByBatch.set(String(batch), [record]);
    else records.push(record);
  }
  return [...recordsByBatch].map(([id, records]) => {
    const age = created.get(id);
    if (age === undefined) throw refused(`Its batch ${id.slice(0, 80)} is not listed.`);
    const computed = batchIdOf(scope, records);
    if (computed !== id) {
      throw refused(
        `Its batch ${id.slice(0, 80)} belongs to another user or thread, or was changed after it was written.`,
      );
    }
    return { id: computed, origin: computed, created: age, capturedAt: capturedAt.get(id) ?? null, records };
  });
}

function captureTimes(db: Database): ReadonlyMap<string, number> {
  const isOurs = db.selectValue("SELECT 1 FROM sqlite_schema WHERE name = 'threadkeep_batches'") === 1;
  const rows = isOurs ? db.selectArrays('SELECT id, captured_at FROM threadkeep_batches') : [];
  return new Map(
    rows.filter(([, at]) => Number.isSafeInteger(at)).map(([id, at]) => [String(id), Number(at)]),
  );
}

const ROLES: ReadonlySet<unknown> = new Set(['human', 'ai', 'tool']);

function recordOf(payload: string): SourceRecord {
  const value: unknown = JSON.parse(payload);
  if (!isRecord(value)) throw refused(`A source is none: ${payload.slice(0, 80)}`);
  const { role, message_id, name, text, id, truncated } = value;
  // The id need not be that of the text: a redaction changes the text alone. The batch's id proves both.
  return { role, message_id, name, text, id, truncated };
}

function isRecord(value: unknown): value is SourceRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { role, message_id, name, text, id, truncated } = value as Partial<
    Record<keyof SourceRecord, unknown>
  >;
  return (
    ROLES.has(role) &&
    (message_id === null || typeof message_id === 'string') &&
    (name === null || typeof name === 'string') &&
    typeof text === 'string' &&
    charLength(text) > 0 &&
    isSourceId(id) &&
    typeof truncated === 'boolean'
  );
}

function refused(problem: string, cause?: unknown): ArchiveError {
  return new ArchiveError('corrupt', `The file was not imported. ${problem}`, { cause });
}
