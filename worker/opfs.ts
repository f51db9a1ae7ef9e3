// Threads' files on OPFS: one pool a thread, under a Web Lock that is kept while nobody else asks for it.
import { CEILING_PAGES } from '../src/core/limits.js';
import type { Scope } from '../src/protocol.js';
import type { ThreadFiles } from './archive.js';
import { ArchiveError, forgotten, isConnectionSuspect, isCorrupt } from './failures.js';
import { deleteUntil } from './keeper.js';
import { hasDirectory, removeDirectory, retryWhileHeld } from './opfs-directory.js';
import { pendingRemovals, readMark, writeMark } from './opfs-forgotten.js';
import { listThreads, pathOf, writeName } from './opfs-names.js';
import { ThreadPool } from './opfs-pool.js';
import { loadSqlite, type Sqlite3Static } from './sqlite.js';
import type { ThreadFile } from './thread-file.js';

export interface OpfsOptions {
  /** Pages of 4,096 bytes that one thread may take. */
  readonly ceilingPages?: number;
  /** A thread is let go after so many milliseconds without a call. */
  readonly idleMs?: number;
  /** Milliseconds that a call waits for another tab to let go; one that does nothing lets go within a poll. */
  readonly lockDeadlineMs?: number;
}

const DEFAULTS = { ceilingPages: CEILING_PAGES, idleMs: 5_000, lockDeadlineMs: 5_000 } as const;
/** How often other tabs' wishes are looked at while a thread is held. */
const POLL_MS = 50;
/** How many threads are held at most, beside those with calls under way. */
const MAX_HELD = 4;

/** Threads' files on OPFS. Throws `unsupported` when SQLite cannot be started. */
export async function opfsFiles(options: OpfsOptions = {}): Promise<ThreadFiles> {
  const threads = new HeldThreads(await loadSqlite(), { ...DEFAULTS, ...options });
  // In nobody's way: what cannot be finished now is finished when the thread is taken, or at the next start.
  void threads.finishRemovals().catch(() => undefined);
  return {
    persistent: true,
    reason: null,
    write: (scope, use, runBeganAt) =>
      threads.run(pathOf(scope), async (held) => {
        if (runBeganAt !== undefined && runBeganAt <= held.forgottenAt) throw forgotten();
        return threads.write(held, use, scope);
      }),
    read: (scope, use) => threads.run(pathOf(scope), (held) => threads.read(held, use)),
    forget: (scope, before) => threads.run(pathOf(scope), (held) => threads.remove(held, before)),
    list: listThreads,
  };
}

/** A thread whose lock this worker has: nobody else touches its directory. */
interface HeldThread {
  readonly path: string;
  readonly unlock: () => void;
  /** When the thread was last deleted, in milliseconds since 1970; -Infinity when it never was. */
  forgottenAt: number;
  /** Its access handles; null until a call needs them. */
  pool: ThreadPool | null;
  lastUsed: number;
  /** Another tab waits for the lock. */
  isWanted: boolean;
}

/** Owns locks, handles and connections of a few threads, and lets them go. */
class HeldThreads {
  readonly #sqlite: Sqlite3Static;
  readonly #options: Required<OpfsOptions>;
  readonly #held = new Map<string, HeldThread>();
  /** Pools stay installed when they are let go: taking one up again is three times faster than installing it. */
  readonly #pools = new Map<string, ThreadPool>();
  /** The last call of each thread that has calls under way. */
  readonly #calls = new Map<string, Promise<unknown>>();
  #poll: ReturnType<typeof setInterval> | undefined;

  constructor(sqlite: Sqlite3Static, options: Required<OpfsOptions>) {
    this.#sqlite = sqlite;
    this.#options = options;
  }

  /** Runs a call with the thread's lock. Calls of one thread follow each other; those of others go on meanwhile. */
  async run<T>(path: string, call: (held: HeldThread) => Promise<T>): Promise<T> {
    const before = this.#calls.get(path) ?? Promise.resolve();
    const result = before.then(async () => {
      const held = this.#held.get(path) ?? (await this.#take(path));
      try {
        return await call(held);
      } finally {
        held.lastUsed = performance.now();
        if (held.isWanted) this.#letGo(held);
      }
    });
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#calls.set(path, settled);
    try {
      return await result;
    } finally {
      if (this.#calls.get(path) === settled) this.#calls.delete(path);
      this.#letGoSurplus();
    }
  }

  /** The scope is that of a thread which may have no files yet: their owner is written beside them. */
  async write<T>(held: HeldThread, use: (file: ThreadFile) => T, scope?: Scope): Promise<T> {
    const isNew = held.pool === null;
    const pool = await this.#poolOf(held);
    if (isNew && scope !== undefined) await writeName(scope);
    try {
      return use(pool.file());
    } catch (error) {
      if (isConnectionSuspect(error)) pool.close();
      if (isCorrupt(error)) {
        held.pool = null;
        await pool.setAside(error);
        // Tells of the damage and where it was put.
        await this.#poolOf(held);
      }
      throw error;
    }
  }

  async read<T>(held: HeldThread, use: (file: ThreadFile) => T): Promise<T | null> {
    if (held.pool === null && !(await hasDirectory(held.path))) return null;
    return this.write(held, use);
  }

  /** Marks the thread first, so that an interrupted removal is known, and no run under way brings anything back. */
  async remove(held: HeldThread, before?: number): Promise<void> {
    const left = before === undefined ? 0 : await this.read(held, (file) => deleteUntil(file, before));
    if (before !== undefined && left !== null && left > 0) {
      held.forgottenAt = Math.max(before, held.forgottenAt);
      await writeMark(held.path, { at: held.forgottenAt, isPending: false });
      return;
    }
    const at = Date.now();
    await writeMark(held.path, { at, isPending: true });
    held.forgottenAt = at;
    await this.#finishRemoval(held);
  }

  async #finishRemoval(held: HeldThread): Promise<void> {
    held.pool?.pause();
    held.pool = null;
    this.#pools.delete(held.path);
    await removeDirectory(held.path);
    await writeMark(held.path, { at: held.forgottenAt, isPending: false });
    // A run that begins from now on is later than the mark.
    while (Date.now() <= held.forgottenAt) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  /** Finishes what the end of a former page has interrupted. */
  async finishRemovals(): Promise<void> {
    for (const path of await pendingRemovals()) await this.run(path, async () => undefined);
  }

  async #poolOf(held: HeldThread): Promise<ThreadPool> {
    if (held.pool !== null) return held.pool;
    const pool =
      this.#pools.get(held.path) ?? new ThreadPool(this.#sqlite, held.path, this.#options.ceilingPages);
    const damage = await retryWhileHeld(() => pool.resume());
    this.#pools.set(held.path, pool);
    held.pool = pool;
    if (damage !== null) throw damage;
    return pool;
  }

  async #take(path: string): Promise<HeldThread> {
    // What is held meanwhile keeps nobody waiting: idle threads are let go on the first poll, busy ones after a call.
    const unlock = await takeLock(path, this.#options.lockDeadlineMs);
    try {
      const mark = await readMark(path);
      const forgottenAt = mark?.at ?? Number.NEGATIVE_INFINITY;
      const held = { path, unlock, forgottenAt, pool: null, lastUsed: performance.now(), isWanted: false };
      if (mark?.isPending === true) await this.#finishRemoval(held);
      this.#held.set(path, held);
      this.#poll ??= setInterval(() => void this.#look(), POLL_MS);
      return held;
    } catch (error) {
      unlock();
      throw error;
    }
  }

  #letGoSurplus(): void {
    const idle = [...this.#held.values()].filter(({ path }) => !this.#calls.has(path));
    const oldestFirst = idle.sort((a, b) => a.lastUsed - b.lastUsed);
    for (const held of oldestFirst.slice(0, Math.max(0, this.#held.size - MAX_HELD))) this.#letGo(held);
  }

  /** Sees who waits and what is idle. A thread with calls under way is let go after the present one. */
  async #look(): Promise<void> {
    const { pending = [] } = await navigator.locks.query();
    const wanted = new Set(pending.map((lock) => lock.name));
    for (const held of [...this.#held.values()]) {
      held.isWanted = wanted.has(held.path);
      const isIdle = performance.now() - held.lastUsed > this.#options.idleMs;
      if ((held.isWanted || isIdle) && !this.#calls.has(held.path)) this.#letGo(held);
    }
  }

  #letGo(held: HeldThread): void {
    this.#held.delete(held.path);
    if (this.#held.size === 0) {
      clearInterval(this.#poll);
      this.#poll = undefined;
    }
    try {
      held.pool?.pause();
    } finally {
      held.unlock();
    }
  }
}

/** Resolves to what lets the lock go. Throws `locked` when another tab keeps it beyond the deadline. */
function takeLock(path: string, deadlineMs: number): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const request = navigator.locks.request(path, { signal }, () => {
      return new Promise<void>((unlock) => resolve(unlock));
    });
    request.catch((cause: unknown) => {
      const message = `Another tab held the thread's archive for ${deadlineMs} ms.`;
      reject(signal.aborted ? new ArchiveError('locked', message, { cause }) : cause);
    });
  });
}
