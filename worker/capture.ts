// Writes one batch: evicts what must go, inserts, indexes; all of it or nothing.
import { batchIdOf, scopeDigest } from '../src/core/digest.js';
import { withBlanks } from '../src/core/echo.js';
import { PAGE_BYTES } from '../src/core/limits.js';
import { type BatchId, extractRecords, type SourceRecord } from '../src/core/message.js';
import { sliceChars, wellFormed } from '../src/core/text.js';
import type { CaptureReceipt, CaptureRequest, Scope } from '../src/protocol.js';
import { deleteBatch, otherBatches, reachableBatches, type StoredBatch } from './batches.js';
import { ArchiveError, isFull } from './failures.js';
import { pagesOfRows } from './table-pages.js';
import type { ThreadFile } from './thread-file.js';
import { indexBatch } from './word-index.js';

/** Goes by the ids, of which there are few, and not by what the batches hold, which grows. */
const SELECT_WHOLE = `
  SELECT DISTINCT sources.id
  FROM json_each(?1) AS asked
  JOIN sources ON sources.id = asked.value
  JOIN batches ON batches.pk = sources.batch
  WHERE sources.truncated = 0 AND batches.id IN (SELECT value FROM json_each(?2))`;

const INSERT_BATCH = `
  INSERT INTO batches (id, age, captured_at, first_source, sources, first_list, lists)
  SELECT
    ?1, coalesce(max(age), 0) + 1, ?2,
    (SELECT coalesce(max(pk), 0) + 1 FROM sources), ?3,
    (SELECT coalesce(max(pk), 0) + 1 FROM word_lists), ?4
  FROM batches
  RETURNING pk, first_source, first_list`;

const REFRESH_BATCH = 'UPDATE batches SET age = (SELECT max(age) + 1 FROM batches) WHERE id = ?1';

const INSERT_SOURCE = `
  INSERT INTO sources (pk, batch, id, role, words, truncated, names)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`;

const INSERT_TEXT = 'INSERT INTO texts (pk, text) VALUES (?1, ?2)';
const INSERT_LIST = 'INSERT INTO word_lists (pk, list) VALUES (?1, ?2)';

/** Share of the ceiling that a capture leaves free, so that an eviction always has pages to work with. */
const RESERVE_SHARE = 1 / 512;

/** A batch made ready outside of the database. */
interface Prepared {
  readonly id: BatchId;
  readonly records: readonly SourceRecord[];
  /** Length of each record in words. */
  readonly words: readonly number[];
  readonly texts: readonly Uint8Array[];
  readonly lists: readonly Uint8Array[];
  /** Pages that it takes; it may be a few less. */
  readonly pages: number;
}

/**
 * Archives the records of a request as one batch of the scope.
 *
 * The oldest captures go until the batch count and the page ceiling are kept. An identical batch is not written
 * again but counts as the newest. Throws `ceiling`, and leaves everything as it was, when the batch does not
 * even fit into an empty archive.
 */
export function capture(
  file: ThreadFile,
  scope: Scope,
  request: CaptureRequest,
  now: number,
): CaptureReceipt {
  const { maxBatches, maxRecordsPerBatch } = request.retention;
  const found = withoutKnown(file, recordsOf(request), request.known);
  const records = found.slice(-maxRecordsPerBatch);
  const omitted = found.length - records.length;
  if (records.length === 0) return { batch: null, stored: 0, omitted, evicted: [] };

  const texts = encoded(records.map((record) => record.text));
  refuseOversized(file, texts);
  const id = batchIdOf(scopeDigest(scope.user, scope.thread), records);
  const evicted =
    reachableBatches(file, [id]).length > 0
      ? refresh(file, id, maxBatches)
      : insert(file, prepare(id, records, texts, request.unsearched ?? {}), maxBatches, now);
  return { batch: id, stored: records.length, omitted, evicted };
}

function recordsOf({ sources, retention }: CaptureRequest): readonly SourceRecord[] {
  if ('messages' in sources) return extractRecords(sources.messages, retention.maxRecordChars);
  return sources.records.map((record) => capped(record, retention.maxRecordChars));
}

/** Records that were made elsewhere keep their id, but not more text than a file may hold. */
function capped(record: SourceRecord, maxChars: number): SourceRecord {
  const { role, id } = record;
  const whole = wellFormed(record.text);
  const text = whole.length <= maxChars ? whole : sliceChars(whole, 0, maxChars);
  const message_id = record.message_id === null ? null : wellFormed(record.message_id);
  const name = record.name === null ? null : wellFormed(record.name);
  return { role, message_id, name, text, id, truncated: record.truncated || text.length < whole.length };
}

function withoutKnown(
  file: ThreadFile,
  records: readonly SourceRecord[],
  known: readonly BatchId[],
): readonly SourceRecord[] {
  if (known.length === 0) return records;
  const ids = records.map((record) => record.id);
  const whole = new Set(file.db.selectValues(SELECT_WHOLE, [JSON.stringify(ids), JSON.stringify(known)]));
  return records.filter((record) => !whole.has(record.id));
}

function prepare(
  id: BatchId,
  records: readonly SourceRecord[],
  texts: readonly Uint8Array[],
  unsearched: NonNullable<CaptureRequest['unsearched']>,
): Prepared {
  const searched = records.map((record) => withBlanks(record.text, unsearched[record.id] ?? []));
  const { lists: words, words: lengths } = indexBatch(searched);
  const lists = encoded(words);
  const sourceBytes = records.map(({ message_id, name }) => {
    return 80 + 3 * ((message_id?.length ?? 0) + (name?.length ?? 0));
  });
  const pages =
    pagesOfRows(bytesOf(texts)) +
    pagesOfRows(bytesOf(lists)) +
    pagesOfRows(sourceBytes) +
    // Ids come in any order: each may split a page of their index.
    records.length;
  return { id, records, words: lengths, texts, lists, pages };
}

function refresh(file: ThreadFile, id: BatchId, maxBatches: number): readonly BatchId[] {
  return file.transaction(() => {
    file.db.exec(REFRESH_BATCH, { bind: [id] });
    return evict(file, surplus(otherBatches(file, id), maxBatches));
  });
}

function insert(file: ThreadFile, batch: Prepared, maxBatches: number, now: number): readonly BatchId[] {
  refuseOversized(file, [...batch.texts, ...batch.lists]);
  const reserve = reservePages(file);
  try {
    return file.transaction(() => {
      const others = otherBatches(file, batch.id);
      const surplusCount = surplus(others, maxBatches).length;
      const evicted: BatchId[] = [];
      for (const victim of others) {
        if (file.freePages() >= batch.pages + reserve) break;
        evicted.push(...evict(file, [victim]));
      }
      // Pages that were free before cost no journal; those of batches that go anyway are for the next capture.
      write(file, batch, now);
      evicted.push(...evict(file, others.slice(evicted.length, surplusCount)));
      if (file.freePages() < reserve) throw oversized(file);
      return evicted;
    });
  } catch (error) {
    throw isFull(error) ? oversized(file, error) : error;
  }
}

/**
 * Writes records as one batch, whatever else is in the file. Must run inside of a transaction.
 *
 * Throws `ceiling` when they do not fit.
 */
export function insertRecords(
  file: ThreadFile,
  id: BatchId,
  records: readonly SourceRecord[],
  capturedAt: number,
  unsearched: NonNullable<CaptureRequest['unsearched']>,
): void {
  const texts = encoded(records.map((record) => record.text));
  const batch = prepare(id, records, texts, unsearched);
  if (file.freePages() < batch.pages + reservePages(file)) throw oversized(file);
  write(file, batch, capturedAt);
}

function surplus(others: readonly StoredBatch[], maxBatches: number): readonly StoredBatch[] {
  return others.slice(0, Math.max(0, others.length + 1 - maxBatches));
}

function evict(file: ThreadFile, victims: readonly StoredBatch[]): readonly BatchId[] {
  for (const victim of victims) deleteBatch(file, victim);
  return victims.map((victim) => victim.id);
}

function write({ db }: ThreadFile, batch: Prepared, now: number): void {
  const { id, records, words, texts, lists } = batch;
  const row = db.selectArray(INSERT_BATCH, [id, now, records.length, lists.length]) ?? [];
  const [pk = 0, firstSource = 0, firstList = 0] = row.map(Number);
  const insertSource = db.prepare(INSERT_SOURCE);
  const insertText = db.prepare(INSERT_TEXT);
  const insertList = db.prepare(INSERT_LIST);
  try {
    for (const [place, record] of records.entries()) {
      const { role, truncated, message_id, name } = record;
      const names = JSON.stringify([message_id, name]);
      const source = firstSource + place;
      insertSource
        .bind([source, pk, record.id, role, words[place] ?? 0, truncated ? 1 : 0, names])
        .stepReset();
    }
    for (const [place, text] of texts.entries()) insertText.bind([firstSource + place, text]).stepReset();
    for (const [place, list] of lists.entries()) insertList.bind([firstList + place, list]).stepReset();
  } finally {
    insertSource.finalize();
    insertText.finalize();
    insertList.finalize();
  }
}

function reservePages(file: ThreadFile): number {
  return Math.ceil(file.ceilingPages * RESERVE_SHARE);
}

/** Refuses before any work is done what cannot fit in any layout. */
function refuseOversized(file: ThreadFile, parts: readonly Uint8Array[]): void {
  const bytes = bytesOf(parts).reduce((sum, length) => sum + length, 0);
  if (bytes > (file.ceilingPages - reservePages(file)) * PAGE_BYTES) throw oversized(file);
}

function oversized(file: ThreadFile, cause?: unknown): ArchiveError {
  return new ArchiveError(
    'ceiling',
    `The batch alone is larger than a whole archive may be: ${file.ceilingPages} pages of ${PAGE_BYTES} bytes. ` +
      'Lower maxRecordsPerBatch or maxRecordChars.',
    { cause },
  );
}

function encoded(texts: readonly string[]): Uint8Array[] {
  const encoder = new TextEncoder();
  return texts.map((text) => encoder.encode(text));
}

const bytesOf = (parts: readonly Uint8Array[]): number[] => parts.map((part) => part.length);
