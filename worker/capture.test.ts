// What is captured, what is kept of it and what has to go, on `:memory:` databases.
import { describe, expect, test } from 'vitest';
import { batchIdOf, scopeDigest } from '../src/core/digest.js';
import { type BatchId, extractRecords } from '../src/core/message.js';
import type { CaptureReceipt } from '../src/protocol.js';
import { RETENTION, unwrap } from '../test/support/archives.js';
import {
  batchesFound,
  capture,
  human,
  message,
  noise,
  query,
  recordOf,
  SCOPE,
  searchTexts,
  tryCapture,
} from '../test/support/memory-archives.js';
import { memoryArchive } from './memory.js';

describe('capture', () => {
  test('makes one batch, named by scope and complete records', async () => {
    const messages = [
      human('The code is ZX-731.', 'm1'),
      message('ai', 'Noted.'),
      message('system', 'Obey.'),
    ];
    const receipt = await capture(await memoryArchive(), messages);
    const records = extractRecords(messages, RETENTION.maxRecordChars);
    expect(receipt).toMatchObject({ stored: 2, omitted: 0, evicted: [] });
    expect(receipt.batch).toBe(batchIdOf(scopeDigest('ada', 'one'), records));
  });

  test('takes records that were extracted before', async () => {
    const archive = await memoryArchive();
    const record = { ...recordOf(human('secret 4711')), text: 'secret [redacted]' };
    const request = { sources: { records: [record] }, retention: RETENTION, known: [] };
    const { batch } = unwrap(await archive.capture(SCOPE, request));
    const batches = batch === null ? [] : [batch];
    expect(await searchTexts(archive, batches, query('redacted'))).toEqual(['secret [redacted]']);
    expect(await searchTexts(archive, batches, query('4711'))).toEqual([]);
  });

  test('makes no batch without records', async () => {
    const archive = await memoryArchive();
    const kept = await capture(archive, [human('first')], { maxBatches: 1 });
    const empty = await capture(archive, [message('system', 'Obey.'), human('')], { maxBatches: 1 });
    expect(empty).toMatchObject({ batch: null, stored: 0, omitted: 0, evicted: [] });
    expect(await batchesFound(archive, kept.batches)).toBe(1);
  });

  test('keeps the last records of a capture that has too many, and counts the others', async () => {
    const archive = await memoryArchive();
    const messages = ['one', 'two', 'three'].map((text) => human(text));
    const receipt = await capture(archive, messages, { maxRecordsPerBatch: 2 });
    expect(receipt).toMatchObject({ stored: 2, omitted: 1 });
    expect(await searchTexts(archive, receipt.batches, query('one two three'))).toEqual(
      expect.arrayContaining(['two', 'three']),
    );
    expect(await searchTexts(archive, receipt.batches, query('one'))).toEqual([]);
  });

  test('cuts long records by characters, and says so', async () => {
    const archive = await memoryArchive();
    const source = human('🙂'.repeat(1_500));
    const { batches } = await capture(archive, [source], { maxRecordChars: 1_000 });
    const { id } = recordOf(source);
    const page = unwrap(await archive.read(SCOPE, batches, { id, offset: 0 }));
    expect(page.record).toMatchObject({ id, truncated: true, text: '🙂'.repeat(1_000) });
  });

  test('leaves out what stands whole in a known batch, and takes what was cut there', async () => {
    const archive = await memoryArchive();
    const [short, long] = [human('short'), human('x'.repeat(2_000))];
    const first = await capture(archive, [short, long], { maxRecordChars: 1_000 });
    const second = await capture(archive, [short, long, human('new')], { known: first.batches });
    expect(second).toMatchObject({ stored: 2, omitted: 0 });
    const third = await capture(archive, [short, long], { known: [...first.batches, ...second.batches] });
    expect(third.batch).toBeNull();
  });

  test('puts U+FFFD in the place of a lone surrogate and keeps U+0000 and a byte order mark', async () => {
    const archive = await memoryArchive();
    const source = human('\ufeffa\ud800b\u0000c', 'i\udc00d');
    const { batches } = await capture(archive, [source]);
    const page = unwrap(await archive.read(SCOPE, batches, { id: recordOf(source).id, offset: 0 }));
    expect(page.record).toMatchObject({ text: '\ufeffa\ufffdb\u0000c', message_id: 'i\ufffdd' });
  });
});

describe('an identical capture', () => {
  test('adds nothing and has the same id', async () => {
    const archive = await memoryArchive();
    const first = await capture(archive, [human('once')]);
    const second = await capture(archive, [human('once')]);
    expect(second).toMatchObject({ batch: first.batch, stored: 1, evicted: [] });
    expect(unwrap(await archive.search(SCOPE, first.batches, query('once'))).statistics.documents).toBe(1);
  });

  test('counts as the newest from then on', async () => {
    const archive = await memoryArchive();
    const a = await capture(archive, [human('a')]);
    const b = await capture(archive, [human('b')]);
    await capture(archive, [human('a')]);
    const c = await capture(archive, [human('c')], { maxBatches: 2 });
    expect(c.evicted).toEqual(b.batches);
    expect(await batchesFound(archive, [...a.batches, ...c.batches])).toBe(2);
  });

  test('is never its own victim when fewer batches are kept', async () => {
    const archive = await memoryArchive();
    const a = await capture(archive, [human('a')]);
    const b = await capture(archive, [human('b')]);
    const again = await capture(archive, [human('a')], { maxBatches: 1 });
    expect(again.evicted).toEqual(b.batches);
    expect(await batchesFound(archive, a.batches)).toBe(1);
  });
});

describe('retention', () => {
  test('lets the oldest captures go, reachable or not', async () => {
    const archive = await memoryArchive();
    const receipts: CaptureReceipt[] = [];
    for (const text of ['a', 'b', 'c', 'd']) {
      receipts.push(await capture(archive, [human(text)], { maxBatches: 3 }));
    }
    const ids = receipts.map(({ batch }) => batch).filter((id) => id !== null);
    expect(receipts.map(({ evicted }) => evicted)).toEqual([[], [], [], [ids[0]]]);
    expect(await batchesFound(archive, ids)).toBe(3);
  });

  test('forgets the words of a batch that has gone', async () => {
    const archive = await memoryArchive();
    const old = await capture(archive, [human('quondam')], { maxBatches: 1 });
    const next = await capture(archive, [human('future')], { maxBatches: 1 });
    const matches = unwrap(await archive.search(SCOPE, [...old.batches, ...next.batches], query('quondam')));
    expect(matches).toMatchObject({ hits: [], batchesFound: 1, statistics: { documentFrequency: [0] } });
  });
});

describe('at the page ceiling', () => {
  // 200 pages of 4,096 bytes.
  const CEILING = { ceilingPages: 200 };
  const batchOf = (pages: number, seed: number) => [human(noise(pages * 4_096, seed))];
  const whole = { maxRecordChars: 1_000_000 };

  test('the oldest batches go, one after another, until the new one fits', async () => {
    const archive = await memoryArchive(CEILING);
    const ids: BatchId[] = [];
    for (let seed = 0; seed < 4; seed += 1) {
      const { batches, evicted } = await capture(archive, batchOf(18, seed), whole);
      expect(evicted).toEqual([]);
      ids.push(...batches);
    }
    const large = await capture(archive, batchOf(40, 4), whole);
    expect(large.evicted).toEqual(ids.slice(0, large.evicted.length));
    expect(large.evicted.length).toBeGreaterThan(0);
    expect(large.evicted.length).toBeLessThan(4);
    expect(await batchesFound(archive, [...ids, ...large.batches])).toBe(5 - large.evicted.length);
  });

  test('a batch that does not fit into an empty archive is refused, and everything is as before', async () => {
    const archive = await memoryArchive(CEILING);
    const kept = await capture(archive, [human('kept')]);
    for (const pages of [92, 150, 300]) {
      const refused = await tryCapture(archive, batchOf(pages, 9), { ...whole, maxBatches: 1 });
      expect(refused).toMatchObject({ ok: false, failure: 'ceiling' });
      expect(await searchTexts(archive, kept.batches, query('kept'))).toEqual(['kept']);
    }
  });

  test('captures go on for ever', async () => {
    const archive = await memoryArchive(CEILING);
    for (let round = 0; round < 60; round += 1) {
      const { batches } = await capture(archive, batchOf(1 + (round % 30), round), whole);
      expect(await batchesFound(archive, batches)).toBe(1);
    }
  });
});
