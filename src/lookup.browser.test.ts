// The reference's own look-ups over real files, damaged ones among them.
import { afterAll, describe, expect, test } from 'vitest';
import { aTally, expectScenario, shown } from '../test/conformance/lookup-departures.js';
import type { LookupHost } from '../test/conformance/lookup-runner.js';
import type { LookupScenario } from '../test/conformance/lookup-vectors.js';
import { captureOf, unwrap } from '../test/support/archives.js';
import { type ArchiveClient, openArchive } from './client.js';
import { sha256Hex } from './core/digest.js';
import type { Archive, Scope } from './protocol.js';

// Fetched, since the bundler's own reader refuses the lone surrogates in it.
const vectors = await fetch(new URL('../test/vectors/d_lookups.json', import.meta.url));
const { cases: scenarios }: { readonly cases: readonly LookupScenario[] } = await vectors.json();

/** An archive whose worker is a new one whenever its file was written over behind its back. */
function aFileHost(): LookupHost & { close(): void } {
  let client: ArchiveClient = openArchive();
  const archive: Archive = {
    info: () => client.info(),
    capture: (scope, request) => client.capture(scope, request),
    search: (scope, batches, query) => client.search(scope, batches, query),
    read: (scope, batches, request) => client.read(scope, batches, request),
    holds: (scope, batches, ids) => client.holds(scope, batches, ids),
    sources: (scope, batches, request) => client.sources(scope, batches, request),
    forget: (scope) => client.forget(scope),
  };
  return {
    archive,
    close: () => client.dispose(),
    async overwriteWithGarbage(scope) {
      // The reference writes a file where there is none, too.
      unwrap(await client.capture(scope, captureOf('to be written over')));
      client.dispose();
      await overwrite(scope);
      client = openArchive();
    },
  };
}

async function overwrite({ user, thread }: Scope): Promise<void> {
  let directory = await navigator.storage.getDirectory();
  for (const name of [
    'threadkeep',
    sha256Hex(user).slice(0, 32),
    sha256Hex(thread).slice(0, 32),
    '.opaque',
  ]) {
    directory = await directory.getDirectoryHandle(name);
  }
  for await (const entry of directory.values()) {
    const handle = await directory.getFileHandle(entry.name);
    const { size } = await handle.getFile();
    if (size <= 4_096) continue;
    // The worker that held it may still be on its way out.
    await expect.poll(() => fill(handle, size), { timeout: 5_000 }).toBe(true);
  }
}

async function fill(handle: FileSystemFileHandle, size: number): Promise<boolean> {
  const writable = await handle.createWritable({ keepExistingData: true }).catch(() => null);
  if (writable === null) return false;
  // The pool's own header takes the first page.
  await writable.write({ type: 'write', position: 4_096, data: new Uint8Array(size - 4_096).fill(0x5a) });
  await writable.close();
  return true;
}

function scopesOf({ steps }: LookupScenario): readonly Scope[] {
  const threads = new Map<string, Scope>();
  for (const { user, thread } of steps) {
    if (thread !== null && thread !== '') threads.set(`${user}\n${thread}`, { user, thread });
  }
  return [...threads.values()];
}

describe('over files, look-ups answer like the reference', () => {
  const host = aFileHost();
  const tally = aTally();
  afterAll(() => {
    host.close();
    console.log(shown('d_lookups', scenarios.length, tally));
    expect(tally.elsewhere).toBe(0);
  });
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      for (const scope of scopesOf(scenario)) unwrap(await host.archive.forget(scope));
      await expectScenario(host, scenario, tally);
    },
  );
});
