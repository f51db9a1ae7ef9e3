// SQLite on the pool VFS with no client, no lock and no protocol around it: what the archive is measured against.
import type { Database } from '@sqlite.org/sqlite-wasm';
import { expose } from 'comlink';
import { type BatchId, extractRecord } from '../src/core/message.js';
import { parseQuery } from '../src/core/query.js';
import { emptyStatistics } from '../src/core/rank.js';
import type { ArchiveQuery } from '../src/protocol.js';
import { batchesByAge, deleteBatch } from '../worker/batches.js';
import { capture } from '../worker/capture.js';
import { readPage } from '../worker/lookup.js';
import { search } from '../worker/search.js';
import { loadSqlite, type SAHPoolUtil, type SqlValue } from '../worker/sqlite.js';
import { ThreadFile } from '../worker/thread-file.js';
import { type Timing, time, timingOf } from './measure.js';
import { aBatch, messageSource, RETENTION } from './messages.js';
import type { PlainDatabase } from './reference-tables.js';
import {
  BATCHES,
  DELETIONS,
  ROUNDS,
  referenceYardstick,
  WORDS,
  type YardstickFigures,
} from './yardstick-figures.js';

/** A pool of its own for each directory, as the archive has it: a database and its journal. */
async function poolIn(directory: string): Promise<SAHPoolUtil> {
  const sqlite = await loadSqlite();
  return sqlite.installOpfsSAHPoolVfs({ name: directory, directory, initialCapacity: 2 });
}

export interface OwnFigures extends YardstickFigures {
  /** The statements of a search, without what is worked out of their rows. */
  readonly searchStatements: Timing;
  readonly readStatements: Timing;
  /** Deleting one of few batches. */
  readonly removeOfFew: Timing;
}

const bare = {
  /** Opens a database that is there, or makes it, and asks it something. */
  async start(directory: string): Promise<void> {
    const pool = await poolIn(directory);
    const db = new pool.OpfsSAHPoolDb('/first.sqlite');
    db.exec('CREATE TABLE IF NOT EXISTS notes (text)');
    db.selectValue('SELECT count(*) FROM notes');
    db.close();
  },

  async reference(directory: string): Promise<YardstickFigures> {
    const pool = await poolIn(directory);
    const db = new pool.OpfsSAHPoolDb('/reference.sqlite');
    try {
      db.exec('PRAGMA page_size = 4096; PRAGMA max_page_count = 32768');
      const yardstick = referenceYardstick(plain(db));
      for (let round = 0; round < BATCHES; round += 1) yardstick.capture();
      return await yardstick.finish();
    } finally {
      db.close();
      await pool.removeVfs();
    }
  },

  async own(directory: string): Promise<OwnFigures> {
    const pool = await poolIn(directory);
    const file = new ThreadFile(await loadSqlite(), new pool.OpfsSAHPoolDb('/own.sqlite'));
    try {
      return await ownFigures(file);
    } finally {
      file.close();
      await pool.removeVfs();
    }
  },
};

export type BarePool = typeof bare;

async function ownFigures(file: ThreadFile): Promise<OwnFigures> {
  const scope = { user: 'bench', thread: 'bare' };
  const next = messageSource();
  const batches: BatchId[] = [];
  const captures: number[] = [];
  let latest = aBatch(next);
  for (let round = 0; round < BATCHES; round += 1) {
    const messages = round === 0 ? latest : aBatch(next);
    const start = performance.now();
    const request = { sources: { messages }, retention: RETENTION, known: batches.slice() };
    const { batch } = capture(file, scope, request, Date.now());
    captures.push(performance.now() - start);
    if (batch !== null) batches.push(batch);
    latest = messages;
  }
  const text = WORDS.join(' ');
  const query: ArchiveQuery = {
    text,
    role: null,
    activeIds: new Uint8Array(),
    activeStatistics: emptyStatistics(parseQuery(text).terms.length),
  };
  const id = latest[0] === undefined ? undefined : extractRecord(latest[0], RETENTION.maxRecordChars)?.id;
  if (id === undefined) throw new Error('There is no such record.');
  const find = () => search(file, batches, query);
  const read = () => readPage(file, batches, { id, offset: 0 });
  find();
  const figures = {
    capture: timingOf(captures),
    write: timingOf(captures),
    search: await time(find, { rounds: ROUNDS }),
    searchStatements: await time(statementsOf(file.db, find), { rounds: ROUNDS }),
    read: await time(read, { rounds: ROUNDS }),
    readStatements: await time(statementsOf(file.db, read), { rounds: ROUNDS }),
  };
  const stored = batchesByAge(file);
  const remove = timingOf(stored.slice(0, DELETIONS).map((batch) => timed(() => removed(file, batch))));
  for (const batch of stored.slice(DELETIONS, -DELETIONS)) removed(file, batch);
  const removeOfFew = timingOf(stored.slice(-DELETIONS).map((batch) => timed(() => removed(file, batch))));
  return { ...figures, remove, removeOfFew };
}

function removed(file: ThreadFile, batch: ReturnType<typeof batchesByAge>[number]): void {
  file.transaction(() => deleteBatch(file, batch));
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** What repeats just the queries that `run` made. */
function statementsOf(db: Database, run: () => unknown): () => void {
  const { selectArray, selectArrays } = db;
  const queries: (() => unknown)[] = [];
  let isInside = false;
  const noting =
    (query: (sql: string, values?: readonly SqlValue[]) => unknown) =>
    (sql: string, values: readonly SqlValue[] = []) => {
      if (isInside) return query.call(db, sql, values);
      queries.push(() => query.call(db, sql, values));
      isInside = true;
      try {
        return query.call(db, sql, values);
      } finally {
        isInside = false;
      }
    };
  Object.assign(db, {
    selectArray: noting(selectArray as (sql: string) => unknown),
    selectArrays: noting(selectArrays as (sql: string) => unknown),
  });
  try {
    run();
  } finally {
    Object.assign(db, { selectArray, selectArrays });
  }
  if (queries.length === 0) throw new Error('Nothing was asked.');
  return () => {
    for (const query of queries) query();
  };
}

function plain(db: Database): PlainDatabase {
  return {
    exec: (sql) => void db.exec(sql),
    insert(sql, rows) {
      const statement = db.prepare(sql);
      try {
        for (const row of rows) statement.bind([...row]).stepReset();
      } finally {
        statement.finalize();
      }
    },
    all: (sql, values) => db.selectArrays(sql, [...values]),
  };
}

expose(bare);
