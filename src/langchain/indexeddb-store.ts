// One IndexedDB database with one store, opened when needed and never in another version's way.
import type { UseStore } from 'idb-keyval';
import { DATABASE_VERSION, STORE, upgrade } from './indexeddb-upgrade.js';

/** How long an older tab may take to let go of the database, in milliseconds, before the call fails. */
const BLOCKED_MS = 3_000;

export interface OpenStore {
  /** One transaction per call, in the form that idb-keyval takes. */
  readonly use: UseStore;
  close(): Promise<void>;
}

/**
 * Opens the database with the first call. A call is one transaction: what it wrote is on disk when it resolves, and
 * when it rejects nothing of it was written. What its callback awaits must be requests of that transaction; the
 * callback runs a second time when the browser closed the connection under the first.
 *
 * Lets another tab upgrade or delete the database at once. Rejects, in words and without hanging, where there is no
 * IndexedDB or no room, where a newer version of this package made the database, and where an older tab keeps it from
 * being upgraded.
 */
export function openStore(database: string, { blockedMs = BLOCKED_MS } = {}): OpenStore {
  let opening: Promise<IDBDatabase> | null = null;

  function connect(): Promise<IDBDatabase> {
    opening ??= openTwice().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  /** What closes connections also ends an opening that is under way. */
  async function openTwice(): Promise<IDBDatabase> {
    try {
      return await open(database, blockedMs, forget);
    } catch (error) {
      if (!isLost(Reflect.get(Object(error), 'cause'))) throw error;
      return open(database, blockedMs, forget);
    }
  }

  function forget(): void {
    opening = null;
  }

  const use: UseStore = async (mode, callback) => {
    const db = await connect();
    try {
      return await transact(db, mode, callback);
    } catch (error) {
      if (!isLost(error)) throw error;
      db.close();
      forget();
      return transact(await connect(), mode, callback);
    }
  };

  return {
    use,
    async close() {
      const open = opening;
      opening = null;
      (await open?.catch(() => null))?.close();
    },
  };
}

async function transact<T>(
  db: IDBDatabase,
  mode: IDBTransactionMode,
  callback: (store: IDBObjectStore) => T | PromiseLike<T>,
): Promise<T> {
  // Strict: the answer of a run is worth the flush, and a page may be closed, or its process killed, right after.
  const transaction = db.transaction(STORE, mode, { durability: 'strict' });
  const done = settled(transaction);
  // What the callback throws is told; the transaction's own failure would only repeat it.
  done.catch(() => {});
  let result: T;
  try {
    result = await callback(transaction.objectStore(STORE));
  } catch (error) {
    abort(transaction);
    // A request that fails for want of room says so less clearly than its transaction.
    throw isQuota(transaction.error) ? writeError(transaction.error) : error;
  }
  await done;
  return result;
}

/**
 * To free space, or after its storage failed, a browser closes connections and aborts what runs on them, before it
 * says that they are closed: that is no reason to fail.
 */
function isLost(error: unknown): boolean {
  const names = ['InvalidStateError', 'TransactionInactiveError', 'AbortError', 'UnknownError'];
  return error instanceof DOMException && names.includes(error.name);
}

function open(database: string, blockedMs: number, onClosed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = requestOf(database);
    let isRefused = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    request.onupgradeneeded = ({ oldVersion }) => {
      if (request.transaction !== null) upgrade(request.result, request.transaction, oldVersion);
    };
    request.onblocked = () => {
      timer = setTimeout(() => {
        isRefused = true;
        reject(
          new Error(
            `IndexedDBSaver: another tab keeps an older version of "${database}" open. Close or reload it.`,
          ),
        );
      }, blockedMs);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(openError(database, request.error));
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      const db = request.result;
      if (isRefused) {
        db.close();
        return;
      }
      db.onversionchange = () => {
        db.close();
        onClosed();
      };
      db.onclose = onClosed;
      resolve(db);
    };
  });
}

/** Where there is no storage, some browsers have no IndexedDB, and others one that throws. */
function requestOf(database: string): IDBOpenDBRequest {
  try {
    if (typeof indexedDB !== 'undefined') return indexedDB.open(database, DATABASE_VERSION);
  } catch (cause) {
    throw noStorage(cause);
  }
  throw noStorage();
}

function noStorage(cause?: unknown): Error {
  return new Error(
    'IndexedDBSaver: this browser has no IndexedDB here (a private window?). Use MemorySaver, and tell the user.',
    { cause },
  );
}

function openError(database: string, cause: DOMException | null): Error {
  if (cause?.name === 'VersionError') {
    return new Error(
      `IndexedDBSaver: a newer version of threadkeep made "${database}". Reload the page to get it.`,
      { cause },
    );
  }
  if (isQuota(cause)) return writeError(cause);
  return new Error(`IndexedDBSaver: "${database}" cannot be opened (${cause?.name}: ${cause?.message}).`, {
    cause,
  });
}

function settled(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    // Listeners, not handlers: idb-keyval sets the handlers of the transactions that it is given.
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(writeError(transaction.error)));
  });
}

function isQuota(error: DOMException | null): boolean {
  return error?.name === 'QuotaExceededError';
}

function writeError(cause: DOMException | null): Error | DOMException {
  if (isQuota(cause)) {
    return new Error(
      'IndexedDBSaver: the browser gives no more room. Nothing was written, and what was there can be read. ' +
        'Delete threads, thin old checkpoints, or ask for persistent storage.',
      { cause },
    );
  }
  return cause ?? new DOMException('The browser aborted the transaction; nothing was written.', 'AbortError');
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has already ended, by itself.
  }
}
