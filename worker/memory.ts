// Threads' files in memory: for tests in Node, and in a browser without OPFS.
import { CEILING_PAGES, PAGE_BYTES } from '../src/core/limits.js';
import type { Archive, ArchiveKeeper, Scope } from '../src/protocol.js';
import { createArchive, type ThreadFiles } from './archive.js';
import { forgotten } from './failures.js';
import { deleteUntil } from './keeper.js';
import { loadSqlite, memoryDatabase } from './sqlite.js';
import { ThreadFile } from './thread-file.js';

export interface MemoryOptions {
  /** Pages of 4,096 bytes that one thread may take. */
  readonly ceilingPages?: number;
  /** Why there is nothing better, for people. */
  readonly reason?: string;
}

/** An archive that lives as long as the page, or the process: one `:memory:` database a thread. */
export async function memoryArchive(options: MemoryOptions = {}): Promise<Archive & ArchiveKeeper> {
  const files = await memoryFiles(options);
  return createArchive(async () => files);
}

/** Threads' files in memory. Throws `unsupported` when SQLite cannot be started. */
export async function memoryFiles(options: MemoryOptions = {}): Promise<ThreadFiles> {
  const sqlite = await loadSqlite();
  const fileByScope = new Map<string, ThreadFile>();
  const forgottenAt = new Map<string, number>();
  const keyOf = ({ user, thread }: Scope): string => JSON.stringify([user, thread]);

  return {
    persistent: false,
    reason: options.reason ?? 'This archive was opened in memory.',
    async write(scope, use, runBeganAt) {
      const key = keyOf(scope);
      if (runBeganAt !== undefined && runBeganAt <= (forgottenAt.get(key) ?? Number.NEGATIVE_INFINITY)) {
        throw forgotten();
      }
      let file = fileByScope.get(key);
      if (file === undefined) {
        file = new ThreadFile(sqlite, memoryDatabase(sqlite), options.ceilingPages ?? CEILING_PAGES);
        fileByScope.set(key, file);
      }
      return use(file);
    },
    async read(scope, use) {
      const file = fileByScope.get(keyOf(scope));
      return file === undefined ? null : use(file);
    },
    async forget(scope, before) {
      const key = keyOf(scope);
      const file = fileByScope.get(key);
      if (before !== undefined && file !== undefined && deleteUntil(file, before) > 0) {
        forgottenAt.set(key, Math.max(before, forgottenAt.get(key) ?? before));
        return;
      }
      file?.close();
      fileByScope.delete(key);
      const now = Date.now();
      forgottenAt.set(key, now);
      // A run that begins from now on is later than the mark.
      while (Date.now() <= now) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    async list(user) {
      const scopes = [...fileByScope].map(([key, file]) => ({
        names: JSON.parse(key) as [string, string],
        file,
      }));
      return scopes
        .filter(({ names }) => names[0] === user)
        .map(({ names: [, thread], file }) => ({
          scope: { user, thread },
          bytes: file.pages() * PAGE_BYTES,
        }));
    },
  };
}
