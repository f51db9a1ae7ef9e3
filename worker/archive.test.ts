// Reading, holding and forgetting, on `:memory:` databases.
import { describe, expect, test } from 'vitest';
import { charLength, sliceChars } from '../src/core/text.js';
import { PROTOCOL_VERSION, type StoredPage } from '../src/protocol.js';
import { RETENTION, unwrap } from '../test/support/archives.js';
import {
  batchesFound,
  capture,
  human,
  message,
  query,
  recordOf,
  SCOPE,
  searchTexts,
} from '../test/support/memory-archives.js';
import { memoryArchive } from './memory.js';

describe('read', () => {
  test('gives pages of 4,000 characters that make up the source', async () => {
    const archive = await memoryArchive();
    const text = '漢🙂'.repeat(4_500);
    const { batches } = await capture(archive, [message('tool', text, 'm1')]);
    const { id } = recordOf(message('tool', text, 'm1'));
    let read = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const page: StoredPage = unwrap(await archive.read(SCOPE, batches, { id, offset }));
      expect(page.record).toMatchObject({ role: 'tool', message_id: 'm1', name: null, id, truncated: false });
      expect(page.record?.text).toBe(sliceChars(text, offset, offset + 4_000));
      read += page.record?.text;
      offset = page.nextOffset;
    }
    expect(charLength(read)).toBe(9_000);
    expect(read).toBe(text);
  });

  test('gives an empty page at the end and beyond', async () => {
    const archive = await memoryArchive();
    const source = human('x'.repeat(4_000));
    const { batches } = await capture(archive, [source]);
    for (const offset of [4_000, 9_999]) {
      const page = unwrap(await archive.read(SCOPE, batches, { id: recordOf(source).id, offset }));
      expect(page).toMatchObject({ record: { text: '' }, nextOffset: null });
    }
    const first = unwrap(await archive.read(SCOPE, batches, { id: recordOf(source).id, offset: 0 }));
    expect(first.nextOffset).toBeNull();
  });

  test('gives nothing from batches it was not asked for', async () => {
    const archive = await memoryArchive();
    const first = await capture(archive, [human('one')]);
    const second = await capture(archive, [human('two')]);
    const page = unwrap(
      await archive.read(SCOPE, second.batches, { id: recordOf(human('one')).id, offset: 0 }),
    );
    expect(page).toEqual({ record: null, nextOffset: null, archivedAt: null, batchesFound: 1 });
    expect(first.batches).toHaveLength(1);
  });

  test('tells when the source was archived', async () => {
    const archive = await memoryArchive();
    const before = Date.now();
    const { batches } = await capture(archive, [human('now')]);
    const page = unwrap(await archive.read(SCOPE, batches, { id: recordOf(human('now')).id, offset: 0 }));
    expect(page.archivedAt).toBeGreaterThanOrEqual(before);
    expect(page.archivedAt).toBeLessThanOrEqual(Date.now());
  });
});

describe('sources', () => {
  test('are those of the asked messages, in their order, each as it was first stored', async () => {
    const archive = await memoryArchive();
    const said = ['c', 'a', 'b'].map((id) => human(`words of ${id} 😀😀`, id));
    const first = await capture(archive, said);
    const second = await capture(archive, [human('changed words of a', 'a'), human('no id')]);
    const batches = [...second.batches, ...first.batches];
    const ask = async (messageIds: readonly string[], maxChars = 64_000, of = batches) =>
      unwrap(await archive.sources(SCOPE, of, { messageIds, maxChars }));
    expect((await ask(['a', 'c', 'nobody'])).map(({ text }) => text)).toEqual([
      'words of c 😀😀',
      'words of a 😀😀',
      'changed words of a',
    ]);
    expect(await ask(['b'], 12)).toMatchObject([{ text: 'words of b 😀', message_id: 'b', truncated: true }]);
    expect(await ask(['a'], 64_000, second.batches)).toMatchObject([{ text: 'changed words of a' }]);
    expect(await ask(['a'], 64_000, [])).toEqual([]);
    expect(
      unwrap(await archive.sources({ user: 'x', thread: 'y' }, batches, { messageIds: ['a'], maxChars: 1 })),
    ).toEqual([]);
  });
});

describe('holds', () => {
  test('names the sources of reachable batches and whether they are whole', async () => {
    const archive = await memoryArchive();
    const [short, long, absent] = [human('short'), human('x'.repeat(1_001)), human('absent')];
    const { batches } = await capture(archive, [short, long], { maxRecordChars: 1_000 });
    const ids = [short, long, absent].map((source) => recordOf(source).id);
    const held = unwrap(await archive.holds(SCOPE, batches, ids));
    expect(held.batchesFound).toBe(1);
    expect([...held.sources].sort((a, b) => Number(a.truncated) - Number(b.truncated))).toEqual([
      { id: ids[0], truncated: false },
      { id: ids[1], truncated: true },
    ]);
    expect(unwrap(await archive.holds(SCOPE, [], ids))).toEqual({ sources: [], batchesFound: 0 });
  });

  test('calls a source cut that would be read cut, although a later batch has it whole', async () => {
    const archive = await memoryArchive();
    const source = human('x'.repeat(1_001));
    const cut = await capture(archive, [source], { maxRecordChars: 1_000 });
    const whole = await capture(archive, [source]);
    const { id } = recordOf(source);
    const both = unwrap(await archive.holds(SCOPE, [...whole.batches, ...cut.batches], [id]));
    expect(both.sources).toEqual([{ id, truncated: true }]);
    expect(unwrap(await archive.holds(SCOPE, whole.batches, [id])).sources).toEqual([
      { id, truncated: false },
    ]);
  });
});

describe('forget', () => {
  test('removes a thread for good, and no other', async () => {
    const archive = await memoryArchive();
    const { batches } = await capture(archive, [human('mine')]);
    const other = { user: 'ada', thread: 'two' };
    const request = { sources: { messages: [human('other')] }, retention: RETENTION, known: [] };
    const kept = unwrap(await archive.capture(other, request));
    expect(await archive.forget(SCOPE)).toEqual({ ok: true, value: null });
    expect(await archive.forget(SCOPE)).toEqual({ ok: true, value: null });
    expect(await batchesFound(archive, batches)).toBeNull();
    const ids = kept.batch === null ? [] : [kept.batch];
    expect(unwrap(await archive.holds(other, ids, [])).batchesFound).toBe(1);
  });

  test('lets the same capture come back under the same id', async () => {
    const archive = await memoryArchive();
    const before = await capture(archive, [human('again')]);
    await archive.forget(SCOPE);
    const after = await capture(archive, [human('again')]);
    expect(after.batch).toBe(before.batch);
    expect(await searchTexts(archive, after.batches, query('again'))).toEqual(['again']);
  });
});

test('info tells that memory does not last, and why', async () => {
  const archive = await memoryArchive({ reason: 'For a test.' });
  const info = unwrap(await archive.info());
  expect(info).toEqual({ persistent: false, reason: 'For a test.', protocolVersion: PROTOCOL_VERSION });
});
