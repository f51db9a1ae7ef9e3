// Writes one batch: evicts what must go, inserts, indexes; all of it or nothing.
import { batchIdOf, scopeDigest } from '../src/core/digest.js';
import { withBlanks } from '../src/core/echo.js';
import { PAGE_BYTES } from '../src/core/limits.js';
import type { BatchId, SourceRecord } from '../src/core/message.js';
import { extractRecords } from '../src/core/message.js';
import { sliceChars, wellFormed } from '../src/core/text.js';
import type { CaptureReceipt, CaptureRequest, Scope } from '../src/protocol.js';
import { deleteBatch, otherBatches, reachableBatches, type StoredBatch } from './batches.js';
import { ArchiveError, isFull } from './failures.js';
import { type BatchIndex, indexBatch } from './postings.js';
import type { ThreadFile } from './thread-file.js';

const SELECT_WHOLE = `
  SELECT DISTINCT sources.id
  FROM batches
  JOIN sources ON sources.pk >= batches.first_source AND sources.pk < batches.first_source + batches.sources
  WHERE batches.id IN (SELECT value FROM json_each(?1)) AND sources.truncated = 0`;

const INSERT_BATCH = `
  INSERT INTO batches (id, age, captured_at, first_source, sources)
  SELECT ?1, coalesce(max(age), 0) + 1, ?2, (SELECT coalesce(max(pk), 0) + 1 FROM sources), ?3
  FROM batches
  RETURNING pk, first_source`;

const REFRESH_BATCH = 'UPDATE batches SET age = (SELECT max(age) + 1 FROM batches) WHERE id = ?1';

const INSERT_SOURCE = `
  INSERT INTO sources (pk, batch, id, role, words, truncated, names)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`;

const INSERT_TEXT = 'INSERT INTO texts (pk, text) VALUES (?1, ?2)';

const INSERT_POSTINGS = `
  INSERT INTO postings (batch, term, sources)
  SELECT ?1, key, value FROM json_each(?2)`;

/** Share of the ceiling that a capture leaves free, so that an eviction always has pages to work with. */
const RESERVE_SHARE = 1 / 512;

/** A batch made ready outside of the database. */
interface Prepared {
  readonly id: BatchId;
  readonly records: readonly SourceRecord[];
  /** What is indexed of each record. */
  readonly searched: readonly string[];
  readonly texts: readonly Uint8Array[];
  /** No layout on pages is smaller. */
  readonly leastBytes: number;
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

  const batch = prepare(scope, records, request.unsearched ?? {});
  const isStored = reachableBatches(file, [batch.id]).length > 0;
  const write = isStored ? () => refresh(file, batch, maxBatches) : insertion(file, batch, maxBatches, now);
  return { batch: batch.id, stored: records.length, omitted, evicted: write() };
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
  const whole = new Set(file.db.selectValues(SELECT_WHOLE, [JSON.stringify(known)]));
  return records.filter((record) => !whole.has(record.id));
}

function prepare(
  scope: Scope,
  records: readonly SourceRecord[],
  unsearched: NonNullable<CaptureRequest['unsearched']>,
): Prepared {
  const encoder = new TextEncoder();
  const id = batchIdOf(scopeDigest(scope.user, scope.thread), records);
  const searched = records.map((record) => withBlanks(record.text, unsearched[record.id] ?? []));
  const texts = records.map((record) => encoder.encode(record.text));
  const leastBytes = texts.reduce((sum, text) => sum + text.length, 0);
  return { id, records, searched, texts, leastBytes };
}

function refresh(file: ThreadFile, batch: Prepared, maxBatches: number): readonly BatchId[] {
  return file.transaction(() => {
    file.db.exec(REFRESH_BATCH, { bind: [batch.id] });
    return evictSurplus(file, otherBatches(file, batch.id), maxBatches);
  });
}

function insertion(file: ThreadFile, batch: Prepared, maxBatches: number, now: number) {
  const reserve = Math.ceil(file.ceilingPages * RESERVE_SHARE);
  refuseOversized(file, batch.leastBytes, reserve);
  const index = indexBatch(batch.searched);
  const leastBytes = batch.leastBytes + index.bytes;
  refuseOversized(file, leastBytes, reserve);
  const leastPages = Math.ceil(leastBytes / PAGE_BYTES) + reserve;

  return (): readonly BatchId[] => {
    // How many pages a batch takes is only known once it is written: each attempt gives up one batch more.
    for (let further = 0; ; further += 1) {
      const others = otherBatches(file, batch.id);
      try {
        return file.transaction(() => {
          const evicted = [...evictSurplus(file, others, maxBatches)];
          for (const victim of others.slice(evicted.length)) {
            if (file.freePages() >= leastPages) break;
            deleteBatch(file, victim);
            evicted.push(victim.id);
          }
          for (const victim of others.slice(evicted.length, evicted.length + further)) {
            deleteBatch(file, victim);
            evicted.push(victim.id);
          }
          insert(file, batch, index, now);
          if (file.freePages() < reserve) throw new NoRoom(evicted.length);
          return evicted;
        });
      } catch (error) {
        if (!(error instanceof NoRoom) && !isFull(error)) throw error;
        if (further >= others.length) throw oversized(file, leastBytes, error);
      }
    }
  };
}

/** Written whole, but without leaving the reserve. */
class NoRoom extends Error {
  constructor(evicted: number) {
    super(`The batch does not fit after ${evicted} evictions.`);
  }
}

function refuseOversized(file: ThreadFile, leastBytes: number, reserve: number): void {
  if (leastBytes > (file.ceilingPages - reserve) * PAGE_BYTES) throw oversized(file, leastBytes);
}

function oversized(file: ThreadFile, bytes: number, cause?: unknown): ArchiveError {
  return new ArchiveError(
    'ceiling',
    `The batch needs more than ${bytes} bytes and an archive has ${file.ceilingPages * PAGE_BYTES}. ` +
      'Lower maxRecordsPerBatch or maxRecordChars.',
    { cause },
  );
}

function evictSurplus(
  file: ThreadFile,
  others: readonly StoredBatch[],
  maxBatches: number,
): readonly BatchId[] {
  const victims = others.slice(0, Math.max(0, others.length + 1 - maxBatches));
  for (const victim of victims) deleteBatch(file, victim);
  return victims.map((victim) => victim.id);
}

function insert(file: ThreadFile, batch: Prepared, index: BatchIndex, now: number): void {
  const { db } = file;
  const [pk, first] = db.selectArray(INSERT_BATCH, [batch.id, now, batch.records.length]) ?? [];
  const batchPk = Number(pk);
  const sources = db.prepare(INSERT_SOURCE);
  const texts = db.prepare(INSERT_TEXT);
  try {
    for (const [place, { id, role, truncated, message_id, name }] of batch.records.entries()) {
      const source = Number(first) + place;
      const names = JSON.stringify([message_id, name]);
      sources
        .bind([source, batchPk, id, role, index.words[place] ?? 0, truncated ? 1 : 0, names])
        .stepReset();
      texts.bind([source, batch.texts[place] ?? new Uint8Array()]).stepReset();
    }
  } finally {
    sources.finalize();
    texts.finalize();
  }
  for (const chunk of index.chunks) db.exec(INSERT_POSTINGS, { bind: [batchPk, chunk] });
}
