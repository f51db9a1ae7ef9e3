// Loads SQLite's WebAssembly once per worker (or per Node process).
import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import { ArchiveError, noteFileError } from './failures.js';

export type { Database, SAHPoolUtil, Sqlite3Static, SqlValue } from '@sqlite.org/sqlite-wasm';

/**
 * Read by the module when it starts. The other VFSes stay out: two of them want a second worker. What it would
 * print to the console reaches the page as a failed reply.
 */
const CONFIG = {
  disable: { vfs: { kvvfs: true, opfs: true, 'opfs-vfs': false, 'opfs-wl': true } },
  debug: ignore,
  log: ignore,
  warn: ignore,
  error: noteFileError,
};

let loading: Promise<Sqlite3Static> | null = null;

/** Throws `unsupported` where WebAssembly is missing or forbidden; the next call tries again. */
export function loadSqlite(): Promise<Sqlite3Static> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Sqlite3Static> {
  try {
    if (typeof WebAssembly === 'undefined') throw new Error('There is no WebAssembly here.');
    Object.assign(globalThis, { sqlite3ApiConfig: CONFIG });
    // Imported late: the worker must be able to say that it lives, and why SQLite does not.
    const { default: initialize } = await import('@sqlite.org/sqlite-wasm');
    return await initialize();
  } catch (error) {
    loading = null;
    const message =
      "SQLite could not be started; a Content-Security-Policy needs 'wasm-unsafe-eval' in script-src for it.";
    throw new ArchiveError('unsupported', message, { cause: error });
  }
}

/** A new database in memory. */
export function memoryDatabase(sqlite: Sqlite3Static): Database {
  return new sqlite.oo1.DB(':memory:');
}

function ignore(): void {}
