// The archive over any place where threads' files live: OPFS, or memory where there is none.
import {
  type Archive,
  type ArchivedThread,
  type ArchiveInfo,
  type ArchiveKeeper,
  PROTOCOL_VERSION,
  type Scope,
} from '../src/protocol.js';
import { capture } from './capture.js';
import { replyOf } from './failures.js';
import { detailsOf, estimatedRoom, replaceBatches } from './keeper.js';
import { heldSources, readPage, sourcesOfMessages } from './lookup.js';
import { exportReference } from './reference-export.js';
import { readReference } from './reference-import.js';
import { noMatches, search } from './search.js';
import { loadSqlite } from './sqlite.js';
import type { ThreadFile } from './thread-file.js';

/** Where threads' files live. One call at a time has a thread's file; `use` must not keep it. */
export interface ThreadFiles {
  /**
   * Makes the file when there is none. Throws when the thread was forgotten since the given time, in milliseconds
   * since 1970.
   */
  write<T>(scope: Scope, use: (file: ThreadFile) => T, runBeganAt?: number): Promise<T>;
  /** Null when the thread has no file; none is made. */
  read<T>(scope: Scope, use: (file: ThreadFile) => T): Promise<T | null>;
  /**
   * Removes the thread's file for good; what began before writes nothing any more. With a time, what is younger in the
   * file stays.
   */
  forget(scope: Scope, before?: number): Promise<void>;
  /** The user's threads that have a file. */
  list(user: string): Promise<readonly ArchivedThread[]>;
  readonly persistent: boolean;
  readonly reason: string | null;
}

/** An archive over these files. `open` is called by the first call and, after a failure, by the next. */
export function createArchive(open: () => Promise<ThreadFiles>): Archive & ArchiveKeeper {
  let opening: Promise<ThreadFiles> | null = null;
  async function files(): Promise<ThreadFiles> {
    opening ??= open();
    try {
      return await opening;
    } catch (error) {
      opening = null;
      throw error;
    }
  }

  return {
    info: () =>
      replyOf(async (): Promise<ArchiveInfo> => {
        const { persistent, reason } = await files();
        return { persistent, reason, protocolVersion: PROTOCOL_VERSION };
      }),

    capture: (scope, request) =>
      replyOf(async () => {
        const { runBeganAt } = request;
        return (await files()).write(scope, (file) => capture(file, scope, request, Date.now()), runBeganAt);
      }),

    search: (scope, batches, query) =>
      replyOf(async () => {
        if (batches.length === 0) return noMatches(query, 0);
        const found = await (await files()).read(scope, (file) => search(file, batches, query));
        return found ?? noMatches(query, null);
      }),

    read: (scope, batches, request) =>
      replyOf(async () => {
        const missing = { record: null, nextOffset: null, archivedAt: null, batchesFound: null };
        if (batches.length === 0) return { ...missing, batchesFound: 0 };
        return (await (await files()).read(scope, (file) => readPage(file, batches, request))) ?? missing;
      }),

    holds: (scope, batches, ids) =>
      replyOf(async () => {
        const none = { sources: [], batchesFound: null };
        if (batches.length === 0) return { ...none, batchesFound: 0 };
        return (await (await files()).read(scope, (file) => heldSources(file, batches, ids))) ?? none;
      }),

    sources: (scope, batches, request) =>
      replyOf(async () => {
        if (batches.length === 0) return [];
        return (await (await files()).read(scope, (file) => sourcesOfMessages(file, batches, request))) ?? [];
      }),

    forget: (scope, before) =>
      replyOf(async () => {
        await (await files()).forget(scope, before);
        return null;
      }),

    threads: (user) =>
      replyOf(async () => ({ threads: await (await files()).list(user), ...(await estimatedRoom()) })),

    details: (scope) => replyOf(async () => (await files()).read(scope, detailsOf)),

    exportFile: (scope) =>
      replyOf(async () => {
        const sqlite = await loadSqlite();
        return (await files()).read(scope, (file) => exportReference(sqlite, file));
      }),

    importFile: (scope, bytes, from = scope) =>
      replyOf(async () => {
        const batches = readReference(await loadSqlite(), { scope, from }, bytes);
        return (await files()).write(scope, (file) => replaceBatches(file, batches, Date.now()));
      }),
  };
}
