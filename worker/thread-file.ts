// One thread's open database: its schema, its limits, and transactions that tell the real cause of a failure.
import { CEILING_PAGES, PAGE_BYTES } from '../src/core/limits.js';
import type { BatchId, Role, SourceId } from '../src/core/message.js';
import type { StoredBatch } from './batches.js';
import type { Corpus } from './corpus.js';
import { ArchiveError } from './failures.js';
import type { Database, Sqlite3Static } from './sqlite.js';

/**
 * Steps of the schema; `PRAGMA user_version` counts those taken. A released step is never changed.
 *
 * 1. `batches.pk` orders by insertion, `age` by the last capture. The sources of a batch have consecutive keys,
 *    in conversation order, and so have its word lists, which `word-index.ts` explains. Texts stand apart so that
 *    sources can be walked without them. Texts and lists are UTF-8 bytes: SQLite's text ends at U+0000.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE batches (
    pk INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    age INTEGER NOT NULL,
    captured_at INTEGER NOT NULL,
    first_source INTEGER NOT NULL,
    sources INTEGER NOT NULL,
    first_list INTEGER NOT NULL,
    lists INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE sources (
    pk INTEGER PRIMARY KEY,
    batch INTEGER NOT NULL,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    words INTEGER NOT NULL,
    truncated INTEGER NOT NULL,
    names TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sources_by_id ON sources (id);
  CREATE TABLE texts (
    pk INTEGER PRIMARY KEY,
    text BLOB NOT NULL
  ) STRICT;
  CREATE TABLE word_lists (
    pk INTEGER PRIMARY KEY,
    list BLOB NOT NULL
  ) STRICT;
  `,
];

/** What ranking needs of each source of a batch, in conversation order. */
export interface BatchContents {
  readonly ids: readonly SourceId[];
  readonly roles: readonly Role[];
  readonly words: readonly number[];
}

/** The last answer to a question that is asked again and again. */
export class LastAnswer<T> {
  #last: { readonly asked: string; readonly answer: T } | null = null;

  of(asked: string, answer: () => T): T {
    if (this.#last?.asked !== asked) this.#last = { asked, answer: answer() };
    return this.#last.answer;
  }

  forget(): void {
    this.#last = null;
  }
}

/** Owns a connection to one thread's database; nobody else may hold one at the same time. */
export class ThreadFile {
  readonly db: Database;
  readonly ceilingPages: number;
  /** Batches never change, so what was read of one stays true until it is evicted. */
  readonly contentsById = new Map<BatchId, BatchContents>();
  /** Which of the batches asked for are in the file, and their sources: true until the next transaction. */
  readonly reachable = new LastAnswer<readonly StoredBatch[]>();
  readonly corpus = new LastAnswer<Corpus>();
  readonly #sqlite: Sqlite3Static;

  /**
   * Takes the connection over and brings the schema up to date.
   *
   * Throws SQLite's error when the file is damaged, `corrupt` when it is another program's, and `unsupported`
   * when a newer version of this package wrote it.
   */
  constructor(sqlite: Sqlite3Static, db: Database, ceilingPages = CEILING_PAGES) {
    this.#sqlite = sqlite;
    this.db = db;
    this.ceilingPages = ceilingPages;
    // Without effect once there is a table. The ceiling is a connection's, not the file's.
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA max_page_count = ${ceilingPages};`);
    db.exec('PRAGMA temp_store = memory; PRAGMA cache_size = -8192;');
    this.#migrate();
  }

  #migrate(): void {
    const version = Number(this.db.selectValue('PRAGMA user_version'));
    if (version > STEPS.length) {
      throw new ArchiveError(
        'unsupported',
        `The archive has schema ${version}; this version of threadkeep knows ${STEPS.length}. Update it.`,
      );
    }
    if (version === STEPS.length) return;
    if (version === 0 && Number(this.db.selectValue('SELECT count(*) FROM sqlite_schema')) > 0) {
      throw new ArchiveError('corrupt', 'The file holds the tables of another program.');
    }
    this.transaction(() => {
      for (const step of STEPS.slice(version)) this.db.exec(step);
      this.db.exec(`PRAGMA user_version = ${STEPS.length}`);
    });
  }

  /** Runs `run` in one transaction: all of it or nothing. The error thrown is always that of `run`. */
  transaction<T>(run: () => T): T {
    this.db.exec('BEGIN IMMEDIATE');
    this.#forgetAnswers();
    try {
      const result = run();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      this.contentsById.clear();
      // SQLITE_FULL has already rolled back; a second ROLLBACK would throw and hide the real cause.
      if (this.#isInTransaction()) this.#rollBack();
      throw error;
    } finally {
      this.#forgetAnswers();
    }
  }

  #forgetAnswers(): void {
    this.reachable.forget();
    this.corpus.forget();
  }

  #isInTransaction(): boolean {
    const { pointer } = this.db;
    return pointer !== undefined && this.#sqlite.capi.sqlite3_get_autocommit(pointer) === 0;
  }

  #rollBack(): void {
    try {
      this.db.exec('ROLLBACK');
    } catch {
      // The connection is of no use any more; the journal restores the file when it is opened next.
      this.db.close();
    }
  }

  /** Pages that the file takes, free ones among them. */
  pages(): number {
    return Number(this.db.selectValue('PRAGMA page_count'));
  }

  /** Pages that can still be written: free ones, and those that the file may grow by. */
  freePages(): number {
    const free = Number(this.db.selectValue('PRAGMA freelist_count'));
    return this.ceilingPages - this.pages() + free;
  }

  close(): void {
    this.contentsById.clear();
    this.db.close();
  }
}
