// Reads single sources of the reachable batches, always as they stood when first stored.
import { READ_PAGE_CHARS } from '../src/core/limits.js';
import type { BatchId, SourceId, SourceRecord } from '../src/core/message.js';
import { charLength, sliceChars } from '../src/core/text.js';
import type { HeldSources, ReadRequest, SourcesRequest, StoredPage } from '../src/protocol.js';
import { reachableBatches, type StoredBatch } from './batches.js';
import type { SqlValue } from './sqlite.js';
import type { ThreadFile } from './thread-file.js';

const SELECT_SOURCE = `
  SELECT sources.role, sources.id, sources.truncated, sources.names, texts.text, sources.batch
  FROM sources
  JOIN texts ON texts.pk = sources.pk
  WHERE sources.id = ?1 AND sources.batch IN (SELECT value FROM json_each(?2))
  ORDER BY sources.pk
  LIMIT 1`;

const SELECT_BY_KEY = `
  SELECT sources.role, sources.id, sources.truncated, sources.names, texts.text, sources.pk
  FROM json_each(?1) AS asked
  CROSS JOIN sources ON sources.pk = asked.value
  JOIN texts ON texts.pk = sources.pk`;

const SELECT_OF_BATCH = `
  SELECT sources.role, sources.id, sources.truncated, sources.names, texts.text
  FROM sources
  JOIN texts ON texts.pk = sources.pk
  WHERE sources.pk >= ?1 AND sources.pk < ?1 + ?2
  ORDER BY sources.pk`;

const SELECT_OF_MESSAGES = `
  SELECT sources.role, sources.id, sources.truncated, sources.names, texts.text
  FROM sources
  JOIN texts ON texts.pk = sources.pk
  WHERE sources.batch IN (SELECT value FROM json_each(?1))
    AND json_extract(sources.names, '$[0]') IN (SELECT value FROM json_each(?2))
  ORDER BY sources.pk`;

const SELECT_HELD = `
  SELECT asked.value, sources.truncated, min(sources.pk)
  FROM json_each(?1) AS asked
  JOIN sources ON sources.id = asked.value
  JOIN batches ON batches.pk = sources.batch
  WHERE batches.id IN (SELECT value FROM json_each(?2))
  GROUP BY asked.value`;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Sources by the keys of their rows, whole. */
export function sourcesByKey(file: ThreadFile, keys: readonly number[]): ReadonlyMap<number, SourceRecord> {
  const rows = file.db.selectArrays(SELECT_BY_KEY, [JSON.stringify(keys)]);
  return new Map(rows.map((row) => [Number(row[5]), recordOf(row)]));
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

/** One page of a source as it was first stored. Offsets at or past the end give an empty text. */
export function readPage(file: ThreadFile, batches: readonly BatchId[], request: ReadRequest): StoredPage {
  const reachable = reachableBatches(file, batches);
  const keys = JSON.stringify(reachable.map(({ pk }) => pk));
  const row = file.db.selectArray(SELECT_SOURCE, [request.id, keys]);
  const batchesFound = reachable.length;
  if (row === undefined) return { record: null, nextOffset: null, archivedAt: null, batchesFound };
  const source = recordOf(row);
  const end = request.offset + READ_PAGE_CHARS;
  const text = sliceChars(source.text, request.offset, end);
  const nextOffset = end < charLength(source.text) ? end : null;
  const archivedAt = reachable.find(({ pk }) => pk === row[5])?.capturedAt ?? null;
  return { record: { ...source, text }, nextOffset, archivedAt, batchesFound };
}

/** The sources of messages, in the order of their insertion, each as it was first stored. */
export function sourcesOfMessages(
  file: ThreadFile,
  batches: readonly BatchId[],
  { messageIds, maxChars }: SourcesRequest,
): readonly SourceRecord[] {
  const keys = reachableBatches(file, batches).map(({ pk }) => pk);
  const found = new Map<SourceId, SourceRecord>();
  const statement = file.db.prepare(SELECT_OF_MESSAGES);
  try {
    statement.bind([JSON.stringify(keys), JSON.stringify(messageIds)]);
    while (statement.step()) {
      const record = recordOf(statement.get([]));
      if (found.has(record.id)) continue;
      const text = sliceChars(record.text, 0, maxChars);
      found.set(record.id, { ...record, text, truncated: record.truncated || text !== record.text });
    }
  } finally {
    statement.finalize();
  }
  return [...found.values()];
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
