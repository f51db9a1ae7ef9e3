// Threads' files on real OPFS, held by one worker and wanted by another.
import { afterEach, describe, expect, test } from 'vitest';
import { openArchive } from '../src/client.js';
import { sha256Hex } from '../src/core/digest.js';
import type { Archive, Scope } from '../src/protocol.js';
import {
  aScope,
  capture,
  captureOf,
  queryFor,
  RETENTION,
  searchTexts,
  unwrap,
} from '../test/support/archives.js';

const disposals: (() => void)[] = [];
afterEach(() => {
  for (const dispose of disposals.splice(0)) dispose();
});

/** An archive with a worker of its own, as another tab would have. */
function aTab(worker?: () => Worker): Archive & { close(): void } {
  const client = openArchive(worker === undefined ? {} : { worker });
  disposals.push(() => client.dispose());
  return { ...client, close: () => client.dispose() };
}

function aSmallTab() {
  return aTab(
    () => new Worker(new URL('../test/support/small-archive-worker.ts', import.meta.url), { type: 'module' }),
  );
}

/** A thread's directory, and the name of its lock. */
function lockOf({ user, thread }: Scope): string {
  return `threadkeep/${sha256Hex(user).slice(0, 32)}/${sha256Hex(thread).slice(0, 32)}`;
}

async function heldLocks(scopes: readonly Scope[]): Promise<string[]> {
  const { held = [] } = await navigator.locks.query();
  const names = new Set(scopes.map(lockOf));
  return held.map((lock) => lock.name ?? '').filter((name) => names.has(name));
}

async function directoryOf(scope: Scope): Promise<FileSystemDirectoryHandle> {
  let directory = await navigator.storage.getDirectory();
  for (const name of lockOf(scope).split('/')) directory = await directory.getDirectoryHandle(name);
  return directory;
}

async function filesOf(scope: Scope, below: string): Promise<FileSystemFileHandle[]> {
  const directory = await (await directoryOf(scope)).getDirectoryHandle(below);
  const files: FileSystemFileHandle[] = [];
  for await (const entry of directory.values())
    if (entry.kind === 'file') files.push(entry as FileSystemFileHandle);
  return files;
}

/** Overwrites a part of the thread's largest file, its database, or of its smallest, a free slot. */
async function damage(
  scope: Scope,
  position: number,
  bytes: Uint8Array<ArrayBuffer>,
  which: 'database' | 'free slot' = 'database',
): Promise<void> {
  const files = await Promise.all(
    (await filesOf(scope, '.opaque')).map(async (handle) => ({
      handle,
      size: (await handle.getFile()).size,
    })),
  );
  const bySize = files.sort((a, b) => a.size - b.size);
  const file = bySize.at(which === 'database' ? -1 : 0);
  if (file === undefined) throw new Error('The thread has no file.');
  // The worker that held it may still be on its way out.
  await expect
    .poll(async () => {
      const writable = await file.handle.createWritable({ keepExistingData: true }).catch(() => null);
      if (writable === null) return 'held';
      await writable.write({ type: 'write', position, data: bytes });
      await writable.close();
      return 'damaged';
    })
    .toBe('damaged');
}

const noise = (length: number) => new Uint8Array(length).fill(0x5a);

describe('two tabs on one thread', () => {
  test('each capture lands once', async () => {
    const scope = aScope();
    const [one, two] = [aTab(), aTab()];
    const batches = await Promise.all(
      Array.from({ length: 10 }, (_, index) => capture(index % 2 === 0 ? one : two, scope, `apple ${index}`)),
    );
    const matches = unwrap(await two.search(scope, batches, queryFor('apple')));
    expect(matches).toMatchObject({ batchesFound: 10, statistics: { documents: 10 } });
    expect(unwrap(await one.search(scope, batches, queryFor('apple'))).batchesFound).toBe(10);
  });

  test('the same capture in both is one batch', async () => {
    const scope = aScope();
    const [one, two] = [aTab(), aTab()];
    const [a, b] = await Promise.all([capture(one, scope, 'same'), capture(two, scope, 'same')]);
    expect(a).toBe(b);
    expect(unwrap(await one.search(scope, [a], queryFor('same'))).statistics.documents).toBe(1);
  });

  test('neither waits for ever while the other goes on', async () => {
    const scope = aScope();
    const [one, two] = [aTab(), aTab()];
    const batch = await capture(one, scope, 'shared');
    const goOn = async (tab: Archive) => {
      for (let round = 0; round < 40; round += 1) {
        expect(await searchTexts(tab, scope, [batch], 'shared')).toEqual(['shared']);
      }
    };
    await Promise.all([goOn(one), goOn(two)]);
  });

  test('a tab that closes loses nothing of what it had confirmed', async () => {
    const scope = aScope();
    const batches = [];
    for (let round = 0; round < 6; round += 1) {
      const tab = aTab();
      batches.push(await capture(tab, scope, `apple ${round}`));
      tab.close();
    }
    expect(unwrap(await aTab().search(scope, batches, queryFor('apple'))).batchesFound).toBe(6);
  });

  test('what one forgets is gone for the other', async () => {
    const scope = aScope();
    const [one, two] = [aTab(), aTab()];
    const batch = await capture(one, scope, 'secret');
    expect(await searchTexts(two, scope, [batch], 'secret')).toEqual(['secret']);
    expect(await one.forget(scope)).toEqual({ ok: true, value: null });
    expect(unwrap(await two.search(scope, [batch], queryFor('secret')))).toMatchObject({
      hits: [],
      batchesFound: null,
    });
    await capture(two, scope, 'new');
    expect(unwrap(await one.search(scope, [batch], queryFor('secret')))).toMatchObject({
      hits: [],
      batchesFound: 0,
    });
  });
});

describe('a thread that another tab keeps', () => {
  test('is locked after a while, and can be used when it is let go', async () => {
    const scope = aScope();
    const tab = aSmallTab();
    let letGo = () => {};
    const kept = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const request = navigator.locks.request(lockOf(scope), () => kept);
    expect(await tab.capture(scope, captureOf('late'))).toMatchObject({ ok: false, failure: 'locked' });
    // Other threads do not wait for it.
    await capture(tab, aScope(), 'elsewhere');
    letGo();
    await request;
    const batch = await capture(tab, scope, 'late');
    expect(await searchTexts(tab, scope, [batch], 'late')).toEqual(['late']);
  });
});

describe('one tab', () => {
  test('lets a thread go when it has nothing to do with it', async () => {
    const scope = aScope();
    await capture(aSmallTab(), scope, 'something');
    expect(await heldLocks([scope])).toHaveLength(1);
    await expect.poll(() => heldLocks([scope])).toHaveLength(0);
  });

  test('works on more threads than it holds at once', async () => {
    const tab = aTab();
    const scopes = Array.from({ length: 9 }, aScope);
    const batches = await Promise.all(scopes.map((scope, index) => capture(tab, scope, `apple ${index}`)));
    for (const [index, scope] of scopes.entries()) {
      expect(await searchTexts(tab, scope, batches, 'apple')).toEqual([`apple ${index}`]);
    }
    expect((await heldLocks(scopes)).length).toBeLessThanOrEqual(4);
  });

  test('makes no directory to look for what is not there', async () => {
    const scope = aScope();
    const tab = aTab();
    const batch = await capture(tab, aScope(), 'elsewhere');
    expect(unwrap(await tab.search(scope, [batch], queryFor('x'))).batchesFound).toBeNull();
    expect(unwrap(await tab.holds(scope, [batch], [])).batchesFound).toBeNull();
    await expect(directoryOf(scope)).rejects.toThrow(/could not be found/);
  });

  test('forgets the directory of a thread, held or not', async () => {
    const scope = aScope();
    const tab = aTab();
    await capture(tab, scope, 'secret');
    await directoryOf(scope);
    for (const forgetting of [tab, aTab()]) {
      expect(await forgetting.forget(scope)).toEqual({ ok: true, value: null });
      await expect(directoryOf(scope)).rejects.toThrow(/could not be found/);
    }
  });
});

test('at the ceiling the oldest batches go, and the file does not grow', async () => {
  const scope = aScope();
  const tab = aSmallTab();
  const batches = [];
  const text = (seed: number) =>
    Array.from({ length: 10_000 }, (_, index) =>
      ((index * 7_919 + seed * 104_729) % 100_003).toString(36),
    ).join(' ');
  for (let round = 0; round < 12; round += 1) {
    const request = captureOf(text(round).slice(0, 40_000));
    const retention = { ...RETENTION, maxRecordChars: 64_000 };
    const { batch } = unwrap(await tab.capture(scope, { ...request, retention }));
    if (batch !== null) batches.push(batch);
  }
  const { batchesFound } = unwrap(await tab.holds(scope, batches, []));
  expect(batchesFound).toBeGreaterThan(0);
  expect(batchesFound).toBeLessThan(12);
  expect(unwrap(await tab.holds(scope, batches.slice(-1), [])).batchesFound).toBe(1);
  tab.close();
  const sizes = await Promise.all(
    (await filesOf(scope, '.opaque')).map(async (file) => (await file.getFile()).size),
  );
  // The pool's own header is one page.
  expect(Math.max(...sizes)).toBeLessThanOrEqual(201 * 4_096);
});

describe('a damaged file', () => {
  // The pool's header takes the first page of the file; SQLite's begins after it.
  test.each([
    ['in the header of the database', 4_096, noise(100)],
    ['in the tables', 4_096 + 100, noise(40_000)],
    ['in the header of the file', 0, noise(512)],
    ['in the header of the file, by zeros', 0, new Uint8Array(512)],
    ['as a whole', 0, noise(200_000)],
  ])('%s is set aside, told of once, and the thread goes on', async (_, position, bytes) => {
    const scope = aScope();
    const before = aTab();
    const lost = await capture(
      before,
      scope,
      ...Array.from({ length: 64 }, (_, index) => `apple ${index} `.repeat(50)),
    );
    before.close();
    await damage(scope, position, bytes);

    const tab = aTab();
    expect(await tab.search(scope, [lost], queryFor('apple'))).toMatchObject({
      ok: false,
      failure: 'corrupt',
    });
    expect(unwrap(await tab.search(scope, [lost], queryFor('apple')))).toMatchObject({
      hits: [],
      batchesFound: 0,
    });
    const batch = await capture(tab, scope, 'apple again');
    expect(await searchTexts(tab, scope, [lost, batch], 'apple')).toEqual(['apple again']);
    expect(await filesOf(scope, 'damaged')).toHaveLength(1);
    tab.close();
    expect(await searchTexts(aTab(), scope, [lost, batch], 'apple')).toEqual(['apple again']);
  });

  test('is not what a tab leaves that dies while it frees the slot of a journal', async () => {
    const scope = aScope();
    const before = aTab();
    const kept = await capture(before, scope, 'apple');
    before.close();
    await damage(scope, 4_096, noise(9_000), 'free slot');
    const tab = aTab();
    expect(await searchTexts(tab, scope, [kept], 'apple')).toEqual(['apple']);
    const batch = await capture(tab, scope, 'apple again');
    expect(await searchTexts(tab, scope, [kept, batch], 'again')).toEqual(['apple again']);
    await expect(filesOf(scope, 'damaged')).rejects.toThrow(/could not be found/);
  });

  test('goes with its thread', async () => {
    const scope = aScope();
    const before = aTab();
    await capture(before, scope, 'apple');
    before.close();
    await damage(scope, 4_096, noise(100));
    const tab = aTab();
    expect(await tab.capture(scope, captureOf('pear'))).toMatchObject({ ok: false, failure: 'corrupt' });
    expect(await tab.forget(scope)).toMatchObject({ ok: true });
    await expect(directoryOf(scope)).rejects.toThrow(/could not be found/);
  });
});
