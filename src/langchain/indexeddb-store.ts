// One IndexedDB database with one store, opened when needed and never in another version's way.
import type { UseStore } from 'idb-keyval';

/** Raised with every change of what is stored; see `upgrade` for the steps. */
export const DATABASE_VERSION = 1;

const STORE = 'entries';

/**
 * A store in the form that idb-keyval takes: each call is one transaction.
 *
 * Opens the database with the first call. Lets another tab upgrade it at once, and opens it again, once, when the
 * browser has closed the connection. Fails at once, in words, where there is no IndexedDB, where a newer version of
 * this package made the database, and where an older tab keeps it from being upgraded.
 */
export function openStore(database: string): { readonly use: UseStore; close(): Promise<void> } {
  let opening: Promise<IDBDatabase> | null = null;

  async function connection(): Promise<IDBDatabase> {
    opening ??= open(database, () => {
      opening = null;
    });
    try {
      return await opening;
    } catch (error) {
      opening = null;
      throw error;
    }
  }

  const use: UseStore = async (mode, callback) => {
    let db = await connection();
    let transaction: IDBTransaction;
    try {
      transaction = db.transaction(STORE, mode, { durability: 'strict' });
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
      // The browser closed the connection, to free space or after a crash of its storage.
      opening = null;
      db = await connection();
      transaction = db.transaction(STORE, mode, { durability: 'strict' });
    }
    const done = settled(transaction);
    // What the callback throws is told; the transaction's own failure would only repeat it.
    done.catch(() => {});
    let result: Awaited<ReturnType<typeof callback>>;
    try {
      result = await callback(transaction.objectStore(STORE));
    } catch (error) {
      abort(transaction);
      throw error;
    }
    await done;
    return result;
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

function open(database: string, onClosed: () => void): Promise<IDBDatabase> {
  if (typeof indexedDB === 'undefined') {
    return Promise.reject(
      new Error(
        'IndexedDBSaver: this browser has no IndexedDB here (a private window?). Use MemorySaver, and tell the user.',
      ),
    );
  }
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, DATABASE_VERSION);
    let isRefused = false;
    request.onupgradeneeded = ({ oldVersion }) => upgrade(request.result, oldVersion);
    request.onblocked = () => {
      isRefused = true;
      reject(
        new Error(
          `IndexedDBSaver: another tab keeps an older version of "${database}" open. Close or reload it.`,
        ),
      );
    };
    request.onerror = () => reject(openError(database, request.error));
    request.onsuccess = () => {
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

/** Steps of the schema, by the version that they start from. A released step is never changed. */
function upgrade(db: IDBDatabase, from: number): void {
  if (from < 1) db.createObjectStore(STORE);
}

function openError(database: string, cause: DOMException | null): Error {
  if (cause?.name === 'VersionError') {
    return new Error(
      `IndexedDBSaver: a newer version of threadkeep made "${database}". Reload the page to get it.`,
      { cause },
    );
  }
  return new Error(`IndexedDBSaver: "${database}" cannot be opened (${cause?.name}: ${cause?.message}).`, {
    cause,
  });
}

function settled(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    // Listeners, for idb-keyval sets the handlers of the transactions it is given.
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(writeError(transaction.error)));
  });
}

function writeError(cause: DOMException | null): Error {
  if (cause?.name === 'QuotaExceededError') {
    return new Error(
      'IndexedDBSaver: the browser gives no more room. Nothing was written; what was there is readable.',
      { cause },
    );
  }
  return cause ?? new Error('IndexedDBSaver: the transaction was aborted; nothing was written.');
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has already ended.
  }
}

/** All keys that begin with these parts: arrays sort after everything else that a key may hold. */
export function startingWith(...parts: readonly IDBValidKey[]): IDBKeyRange {
  return IDBKeyRange.bound([...parts], [...parts, []]);
}
