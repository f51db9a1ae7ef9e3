// Reads single sources of the reachable batches, always as they stood when first stored.
import { READ_PAGE_CHARS } from '../src/core/limits.js';
import type { BatchId, SourceId, SourceRecord } from '../src/core/message.js';
import { charLength, sliceChars } from '../src/core/text.js';
import type { HeldSources, ReadRequest, StoredPage } from '../src/protocol.js';
import { reachableBatches, type StoredBatch } from './batches.js';
import type { SqlValue } from './sqlite.js';
import type { ThreadFile } from './thread-file.js';

const SELECT_SOURCE = `
  SELECT sources.role, sources.id, sources.truncated, sources.names, texts.text, batches.captured_at
  FROM sources
  JOIN batches ON batches.pk = sources.batch
  JOIN texts ON texts.pk = sources.pk
  WHERE sources.id = ?1 AND batches.id IN (SELECT value FROM json_each(?2))
  ORDER BY sources.pk
  LIMIT 1`;

const SELECT_OF_BATCH = `
  SELECT sources.role, sources.id, sources.truncated, sources.names, texts.text
  FROM sources
  JOIN texts ON texts.pk = sources.pk
  WHERE sources.pk >= ?1 AND sources.pk < ?1 + ?2
  ORDER BY sources.pk`;

const SELECT_HELD = `
  SELECT asked.value, sources.truncated, min(sources.pk)
  FROM json_each(?1) AS asked
  JOIN sources ON sources.id = asked.value
  JOIN batches ON batches.pk = sources.batch
  WHERE batches.id IN (SELECT value FROM json_each(?2))
  GROUP BY asked.value`;

/** A source of the file, whole. */
export interface StoredSource {
  readonly record: SourceRecord;
  /** Milliseconds since 1970. */
  readonly archivedAt: number;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The first stored version of a source among the batches; null when none of them holds it. */
export function findSource(file: ThreadFile, batches: readonly BatchId[], id: SourceId): StoredSource | null {
  const row = file.db.selectArray(SELECT_SOURCE, [id, JSON.stringify(batches)]);
  if (row === undefined) return null;
  return { record: recordOf(row), archivedAt: Number(row[5]) };
}

/** The sources of a batch in conversation order. */
export function* sourcesOf(file: ThreadFile, batch: StoredBatch): Generator<SourceRecord> {
  const statement = file.db.prepare(SELECT_OF_BATCH);
  try {
    statement.bind([batch.firstSource, batch.sources]);
    while (statement.step()) yield recordOf(statement.get([]));
  } finally {
    statement.finalize();
  }
}

/** From the columns role, id, truncated, names, text. */
function recordOf([role, id, truncated, names, text]: readonly SqlValue[]): SourceRecord {
  const [message_id, name] = JSON.parse(String(names)) as [string | null, string | null];
  return {
    role: role as SourceRecord['role'],
    message_id,
    name,
    text: decoder.decode(text as Uint8Array),
    id: id as SourceId,
    truncated: truncated === 1,
  };
}

/** One page of a source. Offsets at or past the end give an empty text. */
export function readPage(file: ThreadFile, batches: readonly BatchId[], request: ReadRequest): StoredPage {
  const batchesFound = reachableBatches(file, batches).length;
  const source = findSource(file, batches, request.id);
  if (source === null) return { record: null, nextOffset: null, archivedAt: null, batchesFound };
  const end = request.offset + READ_PAGE_CHARS;
  const text = sliceChars(source.record.text, request.offset, end);
  const nextOffset = end < charLength(source.record.text) ? end : null;
  return { record: { ...source.record, text }, nextOffset, archivedAt: source.archivedAt, batchesFound };
}

/** Which of the ids the batches hold. `truncated` is that of the version which would be read. */
export function heldSources(
  file: ThreadFile,
  batches: readonly BatchId[],
  ids: readonly SourceId[],
): HeldSources {
  const rows = file.db.selectArrays(SELECT_HELD, [JSON.stringify(ids), JSON.stringify(batches)]);
  return {
    sources: rows.map(([id, truncated]) => ({ id: id as SourceId, truncated: truncated === 1 })),
    batchesFound: reachableBatches(file, batches).length,
  };
}
