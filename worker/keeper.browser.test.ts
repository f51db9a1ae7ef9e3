// Whole archives over real files: listed by their names, exported, imported, and removed for good.
import { afterEach, describe, expect, test } from 'vitest';
import { type ArchiveClient, openArchive } from '../src/client.js';
import type { Scope } from '../src/protocol.js';
import { aTally, expectScenario } from '../test/conformance/lookup-departures.js';
import type { DatabaseScenario } from '../test/conformance/lookup-vectors.js';
import { aScope, capture, captureOf, searchTexts, unwrap } from '../test/support/archives.js';
import { pathOf } from './opfs-names.js';

const clients: ArchiveClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
});

/** An archive with a worker of its own, as another tab would have. */
function aTab(): ArchiveClient {
  const client = openArchive();
  clients.push(client);
  return client;
}

const aUser = (): string => `user ${crypto.randomUUID()}`;

async function threadsOf(tab: ArchiveClient, user: string): Promise<string[]> {
  return unwrap(await tab.threads(user))
    .threads.map(({ scope }) => scope.thread)
    .sort();
}

async function userDirectory(scope: Scope): Promise<FileSystemDirectoryHandle> {
  let directory = await navigator.storage.getDirectory();
  for (const name of pathOf(scope).split('/').slice(0, -1)) {
    directory = await directory.getDirectoryHandle(name, { create: true });
  }
  return directory;
}

async function mark(scope: Scope, text: string): Promise<void> {
  const name = `${pathOf(scope).split('/').at(-1)}.forgotten`;
  const file = await (await userDirectory(scope)).getFileHandle(name, { create: true });
  const writable = await file.createWritable();
  await writable.write(text);
  await writable.close();
}

describe('a list of threads', () => {
  test('tells names of any kind, with their sizes, and the room that is left', async () => {
    const tab = aTab();
    const user = aUser();
    const names = ['../../etc/passwd', '漢字 🧵', 'a\u0000b', '\ud800', '\ufffd', ' ', 'x'.repeat(5_000)];
    for (const thread of names) await capture(tab, { user, thread }, `text of ${thread.length}`);
    const list = unwrap(await tab.threads(user));
    expect(list.threads.map(({ scope }) => scope.thread).sort()).toEqual(names.sort());
    expect(list.threads.every(({ bytes }) => bytes > 4_096)).toBe(true);
    expect(list.usage).toBeGreaterThan(0);
    expect(list.quota).toBeGreaterThan(list.usage ?? 0);
    // Also for a tab that has opened none of them.
    expect(await threadsOf(aTab(), user)).toEqual(names.sort());
  });
});

describe('files', () => {
  test('those of the reference are imported and answer as it did', async () => {
    const vectors = await fetch(new URL('../test/vectors/g_databases.json', import.meta.url));
    const { cases }: { readonly cases: readonly DatabaseScenario[] } = await vectors.json();
    const tab = aTab();
    const tally = aTally();
    for (const scenario of cases) {
      const [user, thread] = scenario.scope_input;
      const name = scenario.file.slice(scenario.file.lastIndexOf('/') + 1);
      const file = await fetch(new URL(`../test/vectors/databases/${name}`, import.meta.url));
      unwrap(await tab.importFile({ user, thread }, new Uint8Array(await file.arrayBuffer())));
      await expectScenario({ archive: tab, isFilled: true }, scenario, tally);
    }
    expect(tally.ran).toBeGreaterThan(20);
  });

  test('what is exported in one tab is imported in another; what is damaged changes nothing', async () => {
    const tab = aTab();
    const scope = aScope();
    const batch = await capture(tab, scope, 'the crane is orange');
    const file = unwrap(await tab.exportFile(scope));
    if (file === null) throw new Error('Nothing was exported.');
    unwrap(await tab.forget(scope));
    const other = aTab();
    const torn = await other.importFile(scope, file.slice(0, 9_000));
    expect(torn).toMatchObject({ ok: false, failure: 'corrupt' });
    expect(unwrap(await other.exportFile(scope))).toBeNull();
    expect(unwrap(await other.importFile(scope, file))).toEqual({
      batches: [batch],
      origins: [batch],
      sources: 1,
    });
    expect(await searchTexts(tab, scope, [batch], 'crane')).toEqual(['the crane is orange']);
    // A bad file is no damage of the thread's own.
    expect(await tab.importFile(scope, file.slice(0, 9_000))).toMatchObject({
      ok: false,
      failure: 'corrupt',
    });
    expect(await searchTexts(tab, scope, [batch], 'crane')).toEqual(['the crane is orange']);
  });
});

describe('a forgotten thread', () => {
  test('is not brought back by a run of another tab that began before', async () => {
    const tab = aTab();
    const other = aTab();
    const user = aUser();
    const scope = { user, thread: 'one' };
    const runBeganAt = Date.now();
    await capture(other, scope, 'kept');
    unwrap(await tab.forget(scope));
    const late = await other.capture(scope, { ...captureOf('late'), runBeganAt });
    expect(late).toMatchObject({ ok: false, failure: 'internal' });
    expect(await threadsOf(tab, user)).toEqual([]);
    unwrap(await other.capture(scope, { ...captureOf('new'), runBeganAt: Date.now() }));
    expect(await threadsOf(tab, user)).toEqual(['one']);
  });

  test('keeps what was archived after the moment that it was deleted at', async () => {
    const [tab, other] = [aTab(), aTab()];
    const scope = { user: aUser(), thread: 'one' };
    const old = await capture(tab, scope, 'old');
    const deletedAt = Date.now();
    await expect.poll(() => Date.now()).toBeGreaterThan(deletedAt);
    const young = await capture(other, scope, 'young');
    unwrap(await tab.forget(scope, deletedAt));
    expect(await searchTexts(other, scope, [old, young], 'old young')).toEqual(['young']);
    const late = await other.capture(scope, { ...captureOf('late'), runBeganAt: deletedAt });
    expect(late).toMatchObject({ ok: false, failure: 'internal' });
    // A later deletion takes all of it.
    unwrap(await tab.forget(scope, Date.now()));
    expect(await searchTexts(other, scope, [old, young], 'young')).toEqual([]);
  });

  test('whose removal was interrupted is removed when it is next asked for', async () => {
    const tab = aTab();
    const user = aUser();
    const scope = { user, thread: 'one' };
    const batch = await capture(tab, scope, 'half gone');
    tab.dispose();
    await mark(scope, `pending ${Date.now()}`);
    expect(await searchTexts(aTab(), scope, [batch], 'gone')).toEqual([]);
  });

  test('whose removal was interrupted is removed at the next start', async () => {
    const tab = aTab();
    const user = aUser();
    const scope = { user, thread: 'one' };
    await capture(tab, scope, 'half gone');
    tab.dispose();
    await mark(scope, `pending ${Date.now()}`);
    const next = aTab();
    await expect.poll(() => threadsOf(next, user)).toEqual([]);
  });
});
