// The batches of a file: which of those asked for it still holds, and how one goes.
import type { BatchId, Role, SourceId } from '../src/core/message.js';
import type { BatchContents, ThreadFile } from './thread-file.js';

const SELECT_BATCHES = `
  SELECT pk, id, captured_at, first_source, sources, first_list, lists
  FROM batches
  WHERE id IN (SELECT value FROM json_each(?1))
  ORDER BY pk`;

const SELECT_CONTENTS = `
  SELECT id, role, words
  FROM sources
  WHERE pk >= ?1 AND pk < ?1 + ?2
  ORDER BY pk`;

const SELECT_ALL = `
  SELECT pk, id, captured_at, first_source, sources, first_list, lists
  FROM batches
  ORDER BY age`;

const SELECT_BYTES = 'SELECT coalesce(sum(length(text)), 0) FROM texts WHERE pk >= ?1 AND pk < ?1 + ?2';

const SELECT_OLDEST = `
  SELECT pk, id, captured_at, first_source, sources, first_list, lists
  FROM batches
  WHERE id <> ?1
  ORDER BY age`;

const DELETE_TEXTS = 'DELETE FROM texts WHERE pk >= ?1 AND pk < ?1 + ?2';
const DELETE_SOURCES = 'DELETE FROM sources WHERE pk >= ?1 AND pk < ?1 + ?2';
const DELETE_LISTS = 'DELETE FROM word_lists WHERE pk >= ?1 AND pk < ?1 + ?2';
const DELETE_BATCH = 'DELETE FROM batches WHERE pk = ?1';

/** A batch in the file. Its sources have the keys from `firstSource` on. */
export interface StoredBatch {
  /** Orders by first insertion. */
  readonly pk: number;
  readonly id: BatchId;
  /** Milliseconds since 1970. */
  readonly capturedAt: number;
  readonly firstSource: number;
  readonly sources: number;
  /** Its word lists have the keys from here on. */
  readonly firstList: number;
  readonly lists: number;
}

/** Those of the batches that the file holds, in the order of their insertion. */
export function reachableBatches(file: ThreadFile, ids: readonly BatchId[]): readonly StoredBatch[] {
  return file.reachable.of(ids.join(), () => select(file, SELECT_BATCHES, JSON.stringify(ids)));
}

/** All batches but one, the oldest capture first. */
export function otherBatches(file: ThreadFile, than: BatchId): StoredBatch[] {
  return select(file, SELECT_OLDEST, than);
}

/** All batches, the oldest capture first. */
export function batchesByAge(file: ThreadFile): StoredBatch[] {
  return select(file, SELECT_ALL);
}

/** UTF-8 bytes of the texts of a batch's sources. */
export function bytesOfBatch(file: ThreadFile, batch: StoredBatch): number {
  return Number(file.db.selectValue(SELECT_BYTES, [batch.firstSource, batch.sources]));
}

/** Must run inside of a transaction. */
export function deleteBatch(file: ThreadFile, batch: StoredBatch): void {
  const range = [batch.firstSource, batch.sources];
  file.db.exec(DELETE_LISTS, { bind: [batch.firstList, batch.lists] });
  file.db.exec(DELETE_TEXTS, { bind: range });
  file.db.exec(DELETE_SOURCES, { bind: range });
  file.db.exec(DELETE_BATCH, { bind: [batch.pk] });
  file.contentsById.delete(batch.id);
}

/** Ids, roles and lengths of a batch's sources; read once while the file is open. */
export function contentsOf(file: ThreadFile, batch: StoredBatch): BatchContents {
  const known = file.contentsById.get(batch.id);
  if (known !== undefined) return known;
  const ids: SourceId[] = [];
  const roles: Role[] = [];
  const words: number[] = [];
  for (const [id, role, length] of file.db.selectArrays(SELECT_CONTENTS, [
    batch.firstSource,
    batch.sources,
  ])) {
    ids.push(id as SourceId);
    roles.push(role as Role);
    words.push(Number(length));
  }
  const contents = { ids, roles, words };
  file.contentsById.set(batch.id, contents);
  return contents;
}

function select(file: ThreadFile, statement: string, ...values: readonly string[]): StoredBatch[] {
  return file.db
    .selectArrays(statement, values)
    .map(([pk, id, capturedAt, firstSource, sources, firstList, lists]) => ({
      pk: Number(pk),
      id: id as BatchId,
      capturedAt: Number(capturedAt),
      firstSource: Number(firstSource),
      sources: Number(sources),
      firstList: Number(firstList),
      lists: Number(lists),
    }));
}
