import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import type { BaseMessage } from '@langchain/core/messages';
import { forceCloseDatabase } from 'fake-indexeddb';
import { get, promisifyRequest, set } from 'idb-keyval';
import { describe, expect, test } from 'vitest';
import { IndexedDBSaver } from './checkpoint.js';
import { type OpenStore, openStore } from './indexeddb-store.js';

let databases = 0;
const aName = () => `store-${++databases}`;

/** Opens a database of another version, as an older or newer tab has it open. */
function openAs(
  database: string,
  version: number,
  options: { readonly onUpgrade?: (db: IDBDatabase) => void; readonly letsGo?: boolean } = {},
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, version);
    request.onupgradeneeded = () => options.onUpgrade?.(request.result);
    request.onsuccess = () => {
      if (options.letsGo === true) request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onblocked = () => reject(new Error('The other tab did not let go.'));
    request.onerror = () => reject(request.error);
  });
}

/** The connection that a store uses. */
function connectionOf(store: OpenStore): Promise<IDBDatabase> {
  return store.use('readonly', async (entries) => {
    await promisifyRequest(entries.count());
    return entries.transaction.db;
  });
}

/** A browser that closes a connection aborts what runs on it; the fake leaves that to the test. */
function loseConnection(transaction: IDBTransaction): void {
  transaction.abort();
  forceCloseDatabase(transaction.db as never);
}

describe('a connection', () => {
  test('that the browser closed is opened again, and the call goes through', async () => {
    const store = openStore(aName());
    await set('key', 'before', store.use);
    forceCloseDatabase((await connectionOf(store)) as never);
    await set('key', 'after', store.use);
    expect(await get('key', store.use)).toBe('after');
  });

  test('that the browser closes under a call is opened again, and the call runs once more', async () => {
    const store = openStore(aName());
    let runs = 0;
    await store.use('readwrite', async (entries) => {
      runs += 1;
      entries.put('value', 'key');
      if (runs === 1) loseConnection(entries.transaction);
      await promisifyRequest(entries.get('key'));
    });
    expect(runs).toBe(2);
    expect(await get('key', store.use)).toBe('value');
  });

  test('that closes under every call fails at the second time, and does not try for ever', async () => {
    const store = openStore(aName());
    let runs = 0;
    const call = store.use('readwrite', async (entries) => {
      runs += 1;
      loseConnection(entries.transaction);
      await promisifyRequest(entries.get('key'));
    });
    await expect(call).rejects.toThrow();
    expect(runs).toBe(2);
  });
});

describe('a transaction', () => {
  test('leaves nothing behind when its callback throws', async () => {
    const store = openStore(aName());
    const call = store.use('readwrite', async (entries) => {
      await promisifyRequest(entries.put('value', 'key'));
      throw new Error('no');
    });
    await expect(call).rejects.toThrow('no');
    expect(await get('key', store.use)).toBeUndefined();
  });

  test('says that there is no room, and what that means', async () => {
    const store = openStore(aName());
    await set('key', 'before', store.use);
    const call = store.use('readwrite', async (entries) => {
      await promisifyRequest(entries.put('after', 'key'));
      Object.defineProperty(entries.transaction, 'error', {
        value: new DOMException('Full.', 'QuotaExceededError'),
      });
      throw new Error('The request failed.');
    });
    await expect(call).rejects.toThrow('the browser gives no more room. Nothing was written');
    expect(await get('key', store.use)).toBe('before');
  });
});

describe('another version of the database', () => {
  test('a tab that upgrades it is let through at once', async () => {
    const database = aName();
    const store = openStore(database);
    await set('key', 'value', store.use);
    (await openAs(database, 99)).close();
    await expect(get('key', store.use)).rejects.toThrow('a newer version of threadkeep made');
  });

  test('an older tab that lets go does not keep it from being upgraded', async () => {
    const database = aName();
    await openAs(database, 1, { onUpgrade: (db) => db.createObjectStore('entries'), letsGo: true });
    await set('key', 'value', openStore(database).use);
  });

  test('an older tab that does not let go is named, and the call does not hang', async () => {
    const database = aName();
    const old = await openAs(database, 1, { onUpgrade: (db) => db.createObjectStore('entries') });
    const store = openStore(database, { blockedMs: 1 });
    await expect(get('key', store.use)).rejects.toThrow('another tab keeps an older version of');
    old.close();
    // Let go of later, the upgrade goes through.
    await set('key', 'value', store.use);
  });

  test('deleting it is not held up', async () => {
    const database = aName();
    const store = openStore(database);
    await set('key', 'value', store.use);
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(database);
      request.onsuccess = () => resolve();
      request.onblocked = () => reject(new Error('The store did not let go.'));
    });
    expect(await get('key', store.use)).toBeUndefined();
  });

  test('a database of the first version is read as it was written', async () => {
    const database = aName();
    const old = await openAs(database, 1, { onUpgrade: (db) => db.createObjectStore('entries') });
    const entries = old.transaction('entries', 'readwrite').objectStore('entries');
    for (const [key, row] of firstVersion()) entries.put(row, key);
    await new Promise((resolve) => {
      entries.transaction.oncomplete = resolve;
    });
    old.close();
    const saver = new IndexedDBSaver({ database });
    const newest = await saver.getTuple({ configurable: { thread_id: 'harbour' } });
    expect(textsOf(newest?.checkpoint.channel_values['messages'])).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((turn) => [`Question ${turn}`, `Answer ${turn}`]),
      ...['Where is the crane?', '', 'Found crane.', 'The crane is found.'],
    ]);
    expect(newest?.pendingWrites).toMatchObject([
      ['task-1', 'messages', [{ id: 'pending', content: 'Pending' }]],
      ['task-1', 'note', { a: 1 }],
    ]);
    const lengths: number[] = [];
    for await (const { checkpoint } of saver.list({ configurable: { thread_id: 'harbour' } })) {
      lengths.push(textsOf(checkpoint.channel_values['messages'] ?? []).length);
    }
    expect(lengths).toHaveLength(32);
    expect(lengths.toSorted((a, b) => b - a)).toEqual(lengths);
    expect(await saver.threads()).toMatchObject([{ thread: 'harbour', checkpoints: 32 }]);
  });
});

describe('without IndexedDB', () => {
  test('a browser that has it and denies it is no other', async () => {
    const { indexedDB: real } = globalThis;
    const denied = () => {
      throw new DOMException('Access is denied in this context.', 'SecurityError');
    };
    try {
      globalThis.indexedDB = { open: denied } as unknown as IDBFactory;
      await expect(get('key', openStore(aName()).use)).rejects.toThrow('has no IndexedDB');
      Object.defineProperty(globalThis, 'indexedDB', { get: denied, configurable: true });
      await expect(get('key', openStore(aName()).use)).rejects.toThrow('has no IndexedDB');
    } finally {
      Object.defineProperty(globalThis, 'indexedDB', { value: real, configurable: true, writable: true });
    }
  });

  test('a call says so at once', async () => {
    const { indexedDB: real } = globalThis;
    try {
      Reflect.deleteProperty(globalThis, 'indexedDB');
      await expect(get('key', openStore(aName()).use)).rejects.toThrow('has no IndexedDB');
    } finally {
      globalThis.indexedDB = real;
    }
  });
});

function textsOf(messages: unknown): string[] {
  return (messages as BaseMessage[]).map(({ text }) => text);
}

/** A conversation of ten turns, a tool call among them, with two pending writes, stored by the first version. */
function firstVersion(): readonly [IDBValidKey, unknown][] {
  const file = new URL('../../test/fixtures/checkpoints-version-1.json', import.meta.url);
  const encoder = new TextEncoder();
  return JSON.parse(readFileSync(file, 'utf8'), (_, value) =>
    typeof value?.$text === 'string' ? encoder.encode(value.$text) : value,
  );
}
