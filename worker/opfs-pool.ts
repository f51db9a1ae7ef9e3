// One thread's directory as a pool of access handles, and the database in it.
import { ArchiveError } from './failures.js';
import { isNotFound, moveFiles } from './opfs-directory.js';
import type { SAHPoolUtil, Sqlite3Static } from './sqlite.js';
import { ThreadFile } from './thread-file.js';

/** The database's name within the pool. */
const FILE_NAME = '/history.sqlite';
/** A database and its journal: no other file is ever in a pool. */
const SLOTS = 2;
/** Where the pool keeps its files, and where those go that are damaged, below the thread's directory. */
const POOL_DIRECTORY = '.opaque';
const DAMAGED_DIRECTORY = 'damaged';
/** Each of the pool's files begins with a page of its own: the name, then flags and a checksum. */
const HEADER_BYTES = 4_096;

/** How every database begins, even one whose header in the pool was lost. */
const DATABASE = 'SQLite format 3';
/** Names under which pools were installed: SQLite wants another one each time. */
let installed = 0;

/** Owns a thread's access handles while it is not paused. Only to be used under the thread's lock. */
export class ThreadPool {
  readonly #sqlite: Sqlite3Static;
  readonly #path: string;
  readonly #ceilingPages: number;
  #pool: SAHPoolUtil | null = null;
  #file: ThreadFile | null = null;
  /** What was wrong with the files set aside, until it has been told. */
  #damage: unknown = null;

  constructor(sqlite: Sqlite3Static, path: string, ceilingPages: number) {
    this.#sqlite = sqlite;
    this.#path = path;
    this.#ceilingPages = ceilingPages;
  }

  /**
   * Takes the access handles; throws a `NoModificationAllowedError` while another context has them.
   *
   * Resolves to a `corrupt` error, once, when files had to be set aside: those that `setAside` was called for, and
   * any that is no file of the pool any more, because the pool would empty it and use it again.
   */
  async resume(): Promise<ArchiveError | null> {
    if (await this.#moveAside(isForeign)) this.#damage = new Error('A file has lost its header.');
    this.#pool = await this.#resumed();
    try {
      await this.#pool.reserveMinimumCapacity(SLOTS);
    } catch (error) {
      this.pause();
      throw error;
    }
    const cause = this.#damage;
    this.#damage = null;
    if (cause === null) return null;
    const kept = `${this.#path}/${DAMAGED_DIRECTORY}`;
    const message = `The thread's archive was damaged. It is kept in ${kept} and a fresh one is begun.`;
    return new ArchiveError('corrupt', message, { cause });
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
    this.#file ??= this.#open();
    return this.#file;
  }

  #open(): ThreadFile {
    if (this.#pool === null) throw new Error(`The pool of ${this.#path} was used before it was resumed.`);
    const db = new this.#pool.OpfsSAHPoolDb(FILE_NAME);
    try {
      return new ThreadFile(this.#sqlite, db, this.#ceilingPages);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Moves the damaged database away, with its journal, and pauses. Of damaged ones the last is kept. */
  async setAside(cause: unknown): Promise<void> {
    this.pause();
    await this.#moveAside((size) => size > HEADER_BYTES);
    this.#damage = cause;
  }

  async #moveAside(isDamaged: (size: number, head: Uint8Array) => boolean): Promise<boolean> {
    const from = `${this.#path}/${POOL_DIRECTORY}`;
    return (await moveFiles(from, `${this.#path}/${DAMAGED_DIRECTORY}`, isDamaged)) > 0;
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

/** True for a file that is neither one of ours nor a free slot. */
function isForeign(size: number, head: Uint8Array): boolean {
  // A tab may die between making a slot and writing its header, or between freeing a journal's slot and emptying it.
  if (size === 0 || (size >= HEADER_BYTES && head[0] === 0))
    return beginsWith(head.subarray(HEADER_BYTES), DATABASE);
  return size < HEADER_BYTES || !beginsWith(head, FILE_NAME);
}

function beginsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder().decode(bytes.subarray(0, text.length)) === text;
}
