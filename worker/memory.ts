// Threads' files in memory: for tests in Node, and in a browser without OPFS.
import { CEILING_PAGES } from '../src/core/limits.js';
import type { Archive, Scope } from '../src/protocol.js';
import { createArchive, type ThreadFiles } from './archive.js';
import { loadSqlite } from './sqlite.js';
import { ThreadFile } from './thread-file.js';

export interface MemoryOptions {
  /** Pages of 4,096 bytes that one thread may take. */
  readonly ceilingPages?: number;
  /** Why there is nothing better, for people. */
  readonly reason?: string;
}

/** An archive that lives as long as the page, or the process: one `:memory:` database a thread. */
export async function memoryArchive(options: MemoryOptions = {}): Promise<Archive> {
  const files = await memoryFiles(options);
  return createArchive(async () => files);
}

/** Threads' files in memory. Throws `unsupported` when SQLite cannot be started. */
export async function memoryFiles(options: MemoryOptions = {}): Promise<ThreadFiles> {
  const sqlite = await loadSqlite();
  const fileByScope = new Map<string, ThreadFile>();
  const keyOf = ({ user, thread }: Scope): string => JSON.stringify([user, thread]);

  return {
    persistent: false,
    reason: options.reason ?? 'This archive was opened in memory.',
    async write(scope, use) {
      const key = keyOf(scope);
      let file = fileByScope.get(key);
      if (file === undefined) {
        const db = new sqlite.oo1.DB(':memory:');
        file = new ThreadFile(sqlite, db, options.ceilingPages ?? CEILING_PAGES);
        fileByScope.set(key, file);
      }
      return use(file);
    },
    async read(scope, use) {
      const file = fileByScope.get(keyOf(scope));
      return file === undefined ? null : use(file);
    },
    async forget(scope) {
      const key = keyOf(scope);
      fileByScope.get(key)?.close();
      fileByScope.delete(key);
    },
  };
}
