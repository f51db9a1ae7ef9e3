// One thread's directory as a pool of access handles, and the database in it.
import { ArchiveError } from './failures.js';
import { isNotFound } from './opfs-directory.js';
import type { SAHPoolUtil, Sqlite3Static } from './sqlite.js';
import { ThreadFile } from './thread-file.js';

/** Names within the pool. A damaged database keeps its number, the next one begins afresh. */
const FILE_NAME = /^\/history-(\d+)\.sqlite$/;
/** A database and its journal. */
const SLOTS = 2;

const fileName = (number: number): string => `/history-${number}.sqlite`;

/** Names under which pools were installed: SQLite wants another one each time. */
let installed = 0;

/** Owns a thread's access handles while it is not paused. Only to be used under the thread's lock. */
export class ThreadPool {
  readonly #sqlite: Sqlite3Static;
  readonly #path: string;
  readonly #ceilingPages: number | undefined;
  #pool: SAHPoolUtil | null = null;
  #file: ThreadFile | null = null;

  constructor(sqlite: Sqlite3Static, path: string, ceilingPages?: number) {
    this.#sqlite = sqlite;
    this.#path = path;
    this.#ceilingPages = ceilingPages;
  }

  /** Takes the access handles; throws a `NoModificationAllowedError` while another context has them. */
  async resume(): Promise<void> {
    this.#pool = await this.#resumed();
    await this.#pool.reserveMinimumCapacity(this.#pool.getFileCount() + SLOTS);
  }

  async #resumed(): Promise<SAHPoolUtil> {
    try {
      if (this.#pool !== null) return await this.#pool.unpauseVfs();
    } catch (error) {
      // Another tab has forgotten the thread since.
      if (!isNotFound(error)) throw error;
    }
    installed += 1;
    const options = {
      name: `threadkeep-${installed}`,
      directory: this.#path,
      initialCapacity: SLOTS,
      // Without it an installation that fails, because a tab is still closing, deletes all of the thread's data.
      preserveOnInitFailure: true,
      forceReinitIfPreviouslyFailed: true,
    };
    return this.#sqlite.installOpfsSAHPoolVfs(options);
  }

  /** The open database; made when there is none. Throws what opening throws. */
  file(): ThreadFile {
    this.#file ??= this.#open(this.#latest() ?? 1);
    return this.#file;
  }

  #open(number: number): ThreadFile {
    const db = new (this.#installed().OpfsSAHPoolDb)(fileName(number));
    try {
      return new ThreadFile(this.#sqlite, db, this.#ceilingPages);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Leaves the damaged database where it is and begins another. One damaged database is kept, the last. */
  async setAside(cause: unknown): Promise<ArchiveError> {
    this.close();
    const pool = this.#installed();
    const damaged = this.#latest() ?? 1;
    for (let number = damaged - 1; pool.unlink(fileName(number)); number -= 1) {
      pool.unlink(`${fileName(number)}-journal`);
    }
    await pool.reserveMinimumCapacity(pool.getFileCount() + SLOTS);
    this.#file = this.#open(damaged + 1);
    return new ArchiveError(
      'corrupt',
      `The thread's archive was damaged. It is kept as ${this.#path}${fileName(damaged)} and a fresh one was begun.`,
      { cause },
    );
  }

  #latest(): number | null {
    const numbers = this.#installed()
      .getFileNames()
      .map((name) => Number(FILE_NAME.exec(name)?.[1] ?? 0));
    const latest = Math.max(0, ...numbers);
    return latest === 0 ? null : latest;
  }

  #installed(): SAHPoolUtil {
    if (this.#pool === null) throw new Error(`The pool of ${this.#path} was used before it was resumed.`);
    return this.#pool;
  }

  /** Closes the database; the next `file()` opens it again. */
  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  /** Gives all access handles back. */
  pause(): void {
    this.close();
    this.#pool?.pauseVfs();
  }
}
