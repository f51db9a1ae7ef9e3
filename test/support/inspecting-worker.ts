// A worker beside the archive's own that looks at a thread's file as SQLite sees it.
import { expose } from 'comlink';
import type { BatchId } from '../../src/core/message.js';
import type { Scope } from '../../src/protocol.js';
import { opfsFiles } from '../../worker/opfs.js';

export interface FileState {
  /** What `PRAGMA integrity_check` says; `['ok']` of a sound file. */
  readonly integrity: readonly string[];
  /** Ids of all batches, in the order of their insertion. */
  readonly batches: readonly BatchId[];
  /** Rows of sources, texts and word lists that belong to no batch, and those that a batch lacks. */
  readonly strayRows: number;
}

export interface Inspector {
  /** Null when the thread has no file. */
  look(scope: Scope): Promise<FileState | null>;
}

const STRAY_ROWS = `
  SELECT abs((SELECT count(*) FROM sources) - coalesce(sum(sources), 0))
    + abs((SELECT count(*) FROM texts) - coalesce(sum(sources), 0))
    + abs((SELECT count(*) FROM word_lists) - coalesce(sum(lists), 0))
  FROM batches`;

const inspector: Inspector = {
  async look(scope) {
    const files = await opfsFiles();
    return files.read(scope, ({ db }) => ({
      integrity: db.selectValues('PRAGMA integrity_check').map(String),
      batches: db.selectValues('SELECT id FROM batches ORDER BY pk').map((id) => String(id) as BatchId),
      strayRows: Number(db.selectValue(STRAY_ROWS)),
    }));
  },
};

expose(inspector);
