// Whole archives: listed, looked into, exported as a file of the reference's tables, imported again, and forgotten.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { batchIdOf, scopeDigest } from '../src/core/digest.js';
import { pythonJson } from '../src/core/json.js';
import type { Message } from '../src/core/message.js';
import type { Reply } from '../src/protocol.js';
import { captureOf, unwrap } from '../test/support/archives.js';
import {
  capture,
  human,
  message,
  query,
  recordOf,
  SCOPE,
  searchTexts,
} from '../test/support/memory-archives.js';
import { memoryArchive } from './memory.js';
import { type Database, loadSqlite, memoryDatabase } from './sqlite.js';

const OTHER = { user: 'ada', thread: 'other' };

async function aFile() {
  const archive = await memoryArchive();
  const first = await capture(archive, [human('ledger 🧵 of\u0000the crane', 'm1'), human('水が来る', 'm2')]);
  const second = await capture(archive, [human('valve VX-9', 'm3')]);
  // The first is the newest from now on.
  await capture(archive, [human('ledger 🧵 of\u0000the crane', 'm1'), human('水が来る', 'm2')]);
  const file = unwrap(await archive.exportFile(SCOPE));
  if (file === null) throw new Error('There is no file.');
  return { archive, file, batches: [...first.batches, ...second.batches] };
}

/** The file after a change by another program. */
async function changed(file: Uint8Array, change: (db: Database) => void): Promise<Uint8Array> {
  const sqlite = await loadSqlite();
  const db = memoryDatabase(sqlite);
  const { capi, wasm } = sqlite;
  const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE;
  const at = wasm.allocFromTypedArray(file);
  db.checkRc(capi.sqlite3_deserialize(db.pointer as number, 'main', at, file.length, file.length, flags));
  change(db);
  const bytes = capi.sqlite3_js_db_export(db);
  db.close();
  return bytes;
}

function detail(reply: Reply<unknown>): string {
  return reply.ok ? 'imported' : `${reply.failure}: ${reply.detail}`;
}

describe('a list of threads', () => {
  test('tells the user’s own and their sizes', async () => {
    const archive = await memoryArchive();
    await capture(archive, [human('x'.repeat(50_000))]);
    unwrap(await archive.capture(OTHER, captureOf('y')));
    unwrap(await archive.capture({ user: 'bob', thread: 'one' }, captureOf('z')));
    const { threads } = unwrap(await archive.threads('ada'));
    expect(threads.map(({ scope }) => scope)).toEqual([SCOPE, OTHER]);
    expect(threads[0]?.bytes).toBeGreaterThan(16_000 + (threads[1]?.bytes ?? Infinity) / 2);
    expect(threads[1]?.bytes).toBeGreaterThan(0);
    expect(unwrap(await archive.threads('nobody')).threads).toEqual([]);
  });

  test('details tell the batches, the next to go first, and the pages in use', async () => {
    const { archive, batches } = await aFile();
    const details = unwrap(await archive.details(SCOPE));
    expect(details?.batches.map(({ id }) => id)).toEqual(batches.toReversed());
    expect(details?.batches).toMatchObject([{ sources: 1, bytes: 10 }, { sources: 2 }]);
    expect(details?.pages).toBeGreaterThan(1);
    expect(details?.ceilingPages).toBe(32_768);
    expect(unwrap(await archive.details(OTHER))).toBeNull();
  });
});

describe('an exported file', () => {
  test('brings everything back: texts, order, age and times', async () => {
    const { archive, file, batches } = await aFile();
    const elsewhere = await memoryArchive();
    await capture(elsewhere, [human('goes')]);
    expect(unwrap(await elsewhere.importFile(SCOPE, file))).toEqual({
      batches,
      origins: batches,
      sources: 3,
    });
    const before = unwrap(await archive.details(SCOPE))?.batches;
    expect(unwrap(await elsewhere.details(SCOPE))?.batches).toEqual(before);
    const { id } = recordOf(human('ledger 🧵 of\u0000the crane', 'm1'));
    const asked = { id, offset: 0 };
    expect(await elsewhere.read(SCOPE, batches, asked)).toEqual(await archive.read(SCOPE, batches, asked));
    expect(await searchTexts(elsewhere, batches, query('valve'))).toEqual(['valve VX-9']);
    expect(await searchTexts(elsewhere, batches, query('goes'))).toEqual([]);
  });

  test('brings back a source whose text was redacted', async () => {
    const archive = await memoryArchive();
    const record = { ...recordOf(human('the code is 4711', 'm1')), text: 'the code is [redacted]' };
    const { retention, known } = captureOf();
    unwrap(await archive.capture(SCOPE, { sources: { records: [record] }, retention, known }));
    const elsewhere = await memoryArchive();
    const file = unwrap(await archive.exportFile(SCOPE)) ?? new Uint8Array();
    const { batches } = unwrap(await elsewhere.importFile(SCOPE, file));
    const page = unwrap(await elsewhere.read(SCOPE, batches, { id: record.id, offset: 0 }));
    expect(page.record).toEqual(record);
  });

  describe('with calls to tools of our names', () => {
    const asks: Message = {
      ...message('ai', 'Let me look.', 'm1'),
      tool_calls: [
        { name: 'history_search', args: { query: 'a "gantry" {' }, id: 'c1' },
        { name: 'look_up', args: { place: 'quay' }, id: 'c2' },
      ],
    };
    const imported = async (...messages: readonly Message[]) => {
      const archive = await memoryArchive();
      await capture(archive, messages);
      const elsewhere = await memoryArchive();
      const file = unwrap(await archive.exportFile(SCOPE)) ?? new Uint8Array();
      const { batches } = unwrap(await elsewhere.importFile(SCOPE, file));
      return (text: string) => searchTexts(elsewhere, batches, query(text));
    };

    test('does not let their arguments be searched, which repeat a question', async () => {
      const search = await imported(asks);
      expect(await search('gantry')).toEqual([]);
      expect(await search('quay')).toHaveLength(1);
    });

    test('does where their answers are sources: then the tools are somebody else’s', async () => {
      const answer = { ...message('tool', 'nothing', 'm2'), name: 'history_search', tool_call_id: 'c1' };
      const search = await imported(asks, answer);
      expect(await search('gantry')).toHaveLength(1);
    });
  });

  test('becomes another thread’s when it is told whose it was', async () => {
    const { archive, file, batches } = await aFile();
    const receipt = unwrap(await archive.importFile(OTHER, file, SCOPE));
    const records = [recordOf(human('valve VX-9', 'm3'))];
    expect(receipt.origins).toEqual(batches);
    expect(receipt.batches[1]).toBe(batchIdOf(scopeDigest(OTHER.user, OTHER.thread), records));
    expect(receipt.batches).not.toContain(batches[0]);
    const found = unwrap(await archive.search(OTHER, receipt.batches, query('valve')));
    expect(found.hits.map(({ excerpt }) => excerpt)).toEqual(['valve VX-9']);
    expect(unwrap(await archive.details(SCOPE))?.batches).toHaveLength(2);
  });

  test('opens in the sqlite3 program, with the words where the reference looks for them', async ({
    skip,
  }) => {
    const { file, batches } = await aFile();
    const folder = mkdtempSync(join(tmpdir(), 'threadkeep-'));
    try {
      const path = join(folder, 'history.sqlite');
      writeFileSync(path, file);
      const rows = (sql: string) => execFileSync('sqlite3', [path, sql], { encoding: 'utf8' }).trim();
      try {
        execFileSync('sqlite3', ['-version']);
      } catch {
        console.log('Skipped: the sqlite3 program is not installed here.');
        skip();
      }
      expect(rows('PRAGMA integrity_check')).toBe('ok');
      expect(rows('SELECT batch FROM sources WHERE words MATCH \'"vx"\'')).toBe(batches[1]);
      expect(rows('SELECT id FROM batches ORDER BY created').split('\n')).toEqual(batches.toReversed());
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is none where there is no archive', async () => {
    expect(unwrap(await (await memoryArchive()).exportFile(SCOPE))).toBeNull();
  });
});

describe('a file that is refused changes nothing', () => {
  const payload = pythonJson({ ...recordOf(human('forged', 'm9')) });
  const cases: readonly [string, (file: Uint8Array) => Promise<Uint8Array> | Uint8Array, RegExp][] = [
    ['empty', () => new Uint8Array(), /no SQLite database/],
    ['text', () => new TextEncoder().encode('{"a": 1}'), /no SQLite database/],
    ['only a head', (file) => file.slice(0, 60), /cut short/],
    ['truncated', (file) => file.slice(0, -4_096), /cut short/],
    ['longer', (file) => Uint8Array.from([...file, 0]), /something after its end/],
    ['overwritten', (file) => Uint8Array.from(file).fill(0x5a, 5_000, file.length - 5_000), /corrupt/],
    ['another program’s', (file) => changed(file, (db) => db.exec('DROP TABLE batches')), /no table batches/],
    [
      'a newer version’s',
      (file) => changed(file, (db) => db.exec('ALTER TABLE batches ADD COLUMN kind TEXT')),
      /columns id,created,kind/,
    ],
    [
      'with a source added',
      (file) =>
        changed(file, (db) =>
          db.exec('INSERT INTO sources SELECT batch, id, ?1, words FROM sources LIMIT 1', {
            bind: [payload],
          }),
        ),
      /changed after it was written/,
    ],
    [
      'with a source that is none',
      (file) => changed(file, (db) => db.exec("UPDATE sources SET payload = '[1]'")),
      /A source is none/,
    ],
    [
      'with no JSON',
      (file) => changed(file, (db) => db.exec("UPDATE sources SET payload = '{'")),
      /SQLite cannot|no JSON/,
    ],
    ['with unlisted batches', (file) => changed(file, (db) => db.exec('DELETE FROM batches')), /not listed/],
  ];
  test.each(cases)('%s', async (_name, spoil, told) => {
    const { archive, file, batches } = await aFile();
    const before = unwrap(await archive.details(SCOPE));
    const reply = await archive.importFile(SCOPE, await spoil(file));
    expect(detail(reply)).toMatch(/^corrupt: The file was not imported\./);
    expect(detail(reply)).toMatch(told);
    expect(unwrap(await archive.details(SCOPE))).toEqual(before);
    expect(await searchTexts(archive, batches, query('valve'))).toEqual(['valve VX-9']);
  });

  test('another thread’s', async () => {
    const { archive, file } = await aFile();
    expect(detail(await archive.importFile(OTHER, file))).toMatch(/belongs to another user or thread/);
    expect(unwrap(await archive.details(OTHER))).toBeNull();
  });

  test('more than an archive may hold', async () => {
    const { file } = await aFile();
    const small = await memoryArchive({ ceilingPages: 12 });
    const { batches } = await capture(small, [human('stays')]);
    const big = await memoryArchive();
    await capture(big, [human('z '.repeat(8_000)), human('w '.repeat(40_000))], { maxRecordChars: 64_000 });
    const bigFile = unwrap(await big.exportFile(SCOPE));
    expect(detail(await small.importFile(SCOPE, bigFile ?? file))).toMatch(/^ceiling: /);
    expect(await searchTexts(small, batches, query('stays'))).toEqual(['stays']);
  });
});

describe('a forgotten thread', () => {
  test('is not brought back by a run that began before, and is free for a later one', async () => {
    const archive = await memoryArchive();
    const runBeganAt = Date.now();
    await capture(archive, [human('one')]);
    unwrap(await archive.forget(SCOPE));
    expect(detail(await archive.capture(SCOPE, { ...captureOf('two'), runBeganAt }))).toMatch(
      /^internal: The thread was deleted/,
    );
    expect(unwrap(await archive.threads('ada')).threads).toEqual([]);
    unwrap(await archive.capture(SCOPE, { ...captureOf('three'), runBeganAt: Date.now() }));
    expect(unwrap(await archive.threads('ada')).threads).toHaveLength(1);
  });

  test('gives a batch of the same content the same id again', async () => {
    const archive = await memoryArchive();
    const { batches } = await capture(archive, [human('one', 'm1')]);
    unwrap(await archive.forget(SCOPE));
    expect((await capture(archive, [human('one', 'm1')])).batches).toEqual(batches);
    const scope = scopeDigest(SCOPE.user, SCOPE.thread);
    expect(batches).toEqual([batchIdOf(scope, [recordOf(human('one', 'm1'))])]);
  });
});
