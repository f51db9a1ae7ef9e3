// The archive on `:memory:` databases, through its public interface.
import { describe, expect, test } from 'vitest';
import { batchIdOf, scopeDigest } from '../src/core/digest.js';
import type { BatchId, Message, Role, SourceId, SourceRecord } from '../src/core/message.js';
import { extractRecord, extractRecords } from '../src/core/message.js';
import { parseQuery } from '../src/core/query.js';
import { emptyStatistics, statisticsOf } from '../src/core/rank.js';
import { charLength, sliceChars } from '../src/core/text.js';
import { indexText } from '../src/core/tokenize.js';
import type { Archive, ArchiveQuery, CaptureReceipt, Reply, Retention, StoredPage } from '../src/protocol.js';
import { seededRandom, seededText } from '../test/support/seeded.js';
import { memoryArchive } from './memory.js';

const SCOPE = { user: 'ada', thread: 'one' };
const RETENTION: Retention = { maxBatches: 32, maxRecordsPerBatch: 256, maxRecordChars: 16_000 };

function message(type: string, content: string, id: string | null = null): Message {
  return { type, content, id, name: null, additional_kwargs: {}, tool_calls: [], tool_call_id: null };
}

const human = (content: string, id: string | null = null): Message => message('human', content, id);

function recordOf(given: Message): SourceRecord {
  const record = extractRecord(given, RETENTION.maxRecordChars);
  if (record === null) throw new Error('This message has no record.');
  return record;
}

function unwrap<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(`${reply.failure}: ${reply.detail}`);
  return reply.value;
}

interface CaptureOptions extends Partial<Retention> {
  readonly known?: readonly BatchId[];
}

function tryCapture(archive: Archive, messages: readonly Message[], options: CaptureOptions = {}) {
  const { known = [], ...retention } = options;
  return archive.capture(SCOPE, { sources: { messages }, retention: { ...RETENTION, ...retention }, known });
}

async function capture(archive: Archive, messages: readonly Message[], options: CaptureOptions = {}) {
  const receipt = unwrap(await tryCapture(archive, messages, options));
  return { ...receipt, batches: receipt.batch === null ? [] : [receipt.batch] };
}

function query(text: string, part: Partial<ArchiveQuery> = {}): ArchiveQuery {
  const terms = parseQuery(text).terms.length;
  return { text, role: null, activeIds: new Uint8Array(), activeStatistics: emptyStatistics(terms), ...part };
}

async function searchTexts(archive: Archive, batches: readonly BatchId[], asked: ArchiveQuery) {
  return unwrap(await archive.search(SCOPE, batches, asked)).hits.map((hit) => hit.excerpt);
}

async function batchesFound(archive: Archive, batches: readonly BatchId[]) {
  return unwrap(await archive.holds(SCOPE, batches, [])).batchesFound;
}

const idBytes = (id: SourceId): number[] =>
  (id.slice(1).match(/../g) ?? []).map((byte) => parseInt(byte, 16));

/** Text in which hardly a word repeats. */
function noise(characters: number, seed: number): string {
  const random = seededRandom(seed);
  const letter = () => String.fromCharCode(97 + random.below(26));
  const word = () => `${Array.from({ length: 31 }, letter).join('')} `;
  return Array.from({ length: characters / 32 }, word).join('');
}

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

describe('search', () => {
  test('finds at most eight sources, none twice', async () => {
    const archive = await memoryArchive();
    const many = Array.from({ length: 12 }, (_, index) => human(`apple number ${index}`));
    const first = await capture(archive, many);
    const second = await capture(archive, [...many.slice(6), human('apple pie')]);
    const { hits } = unwrap(
      await archive.search(SCOPE, [...first.batches, ...second.batches], query('apple')),
    );
    expect(hits).toHaveLength(8);
    expect(new Set(hits.map((hit) => hit.id)).size).toBe(8);
  });

  test('looks only into the batches it is given', async () => {
    const archive = await memoryArchive();
    const first = await capture(archive, [human('apple one')]);
    const second = await capture(archive, [human('apple two')]);
    expect(await searchTexts(archive, first.batches, query('apple'))).toEqual(['apple one']);
    expect(await searchTexts(archive, second.batches, query('apple'))).toEqual(['apple two']);
    expect(await searchTexts(archive, [], query('apple'))).toEqual([]);
  });

  test('looks only into the thread it is given', async () => {
    const archive = await memoryArchive();
    const { batches } = await capture(archive, [human('apple')]);
    const other = unwrap(await archive.search({ user: 'ada', thread: 'two' }, batches, query('apple')));
    expect(other).toMatchObject({ hits: [], batchesFound: null });
  });

  test('filters by role before it counts to eight', async () => {
    const archive = await memoryArchive();
    const messages = Array.from({ length: 20 }, (_, index) => message('ai', `apple apple ${index}`));
    const { batches } = await capture(archive, [...messages, human('an apple in a longer sentence')]);
    expect(await searchTexts(archive, batches, query('apple', { role: 'human' }))).toEqual([
      'an apple in a longer sentence',
    ]);
    expect(await searchTexts(archive, batches, query('apple', { role: 'tool' }))).toEqual([]);
  });

  test('leaves live sources out of hits and statistics', async () => {
    const archive = await memoryArchive();
    const [live, gone] = [human('apple live'), human('apple gone')];
    const { batches } = await capture(archive, [live, gone]);
    const activeIds = Uint8Array.from(idBytes(recordOf(live).id));
    const matches = unwrap(await archive.search(SCOPE, batches, query('apple', { activeIds })));
    expect(matches.hits.map((hit) => hit.excerpt)).toEqual(['apple gone']);
    expect(matches.statistics).toEqual({ documents: 1, words: 2, documentFrequency: [1] });
  });

  test('counts as the core counts', async () => {
    const archive = await memoryArchive();
    const texts = ['apple apple pie', 'pie', 'The API: 请调用API接口', 'nothing', 'user_id and apples'];
    const { batches } = await capture(
      archive,
      texts.map((text) => human(text)),
    );
    for (const asked of ['apple pie', 'API', 'user_id', '接口 apple']) {
      const { terms } = parseQuery(asked);
      const counted = texts.map(indexText).map(({ keys, words }) => {
        return { words, counts: terms.map((term) => keys.filter((key) => key === term).length) };
      });
      const { statistics } = unwrap(await archive.search(SCOPE, batches, query(asked)));
      expect(statistics).toEqual(statisticsOf(counted, terms.length));
    }
  });

  test('scores under the statistics of archive and live conversation together', async () => {
    const archive = await memoryArchive();
    const { batches } = await capture(archive, [human('apple'), human('pear')]);
    const rareHere = await searchTexts(archive, batches, query('apple pear'));
    expect(rareHere).toHaveLength(2);
    const terms = parseQuery('apple pear').terms;
    const documentFrequency = terms.map((term) => (term.startsWith('appl') ? 900 : 0));
    const activeStatistics = { documents: 1_000, words: 1_000, documentFrequency };
    const asked = query('apple pear', { activeStatistics });
    const { hits } = unwrap(await archive.search(SCOPE, batches, asked));
    expect(hits.map((hit) => hit.excerpt)).toEqual(['pear', 'apple']);
    expect((hits[0]?.score ?? 0) > (hits[1]?.score ?? 0)).toBe(true);
  });

  test('prefers a source whose neighbours match as well', async () => {
    const archive = await memoryArchive();
    const filler = Array.from({ length: 6 }, (_, index) => human(`filler ${index}`));
    const messages = [human('apple alone'), ...filler, human('apple again'), human('the pie'), human('end')];
    const { batches } = await capture(archive, messages);
    const texts = await searchTexts(archive, batches, query('apple pie'));
    expect(texts.indexOf('apple again')).toBeLessThan(texts.indexOf('apple alone'));
  });

  test('shows the first stored version, and says when the query is not in it', async () => {
    const archive = await memoryArchive();
    const source = human(`${'x '.repeat(600)}needle`);
    const cut = await capture(archive, [source], { maxRecordChars: 1_000 });
    const whole = await capture(archive, [source]);
    const { hits } = unwrap(await archive.search(SCOPE, [...whole.batches, ...cut.batches], query('needle')));
    expect(hits).toMatchObject([{ truncated: true, excerpt_match: false, excerpt_start: 0 }]);
    const { hits: later } = unwrap(await archive.search(SCOPE, whole.batches, query('needle')));
    expect(later).toMatchObject([{ truncated: false, excerpt_match: true }]);
  });

  test.each([
    'AND',
    'OR NOT',
    'NEAR(a b)',
    '"',
    '"unclosed',
    "'; DROP TABLE sources; --",
    'a*',
    '^a',
    'col:val',
    '(',
    '-a',
    '{a b}:c',
    '%',
    '_',
    '\u0000',
    '\ud800',
    '🙂',
    '?1',
    '$x',
    '',
  ])('answers the query %j like any other', async (text) => {
    const archive = await memoryArchive();
    const { batches } = await capture(archive, [human('a plain text')]);
    expect(await archive.search(SCOPE, batches, query(text))).toMatchObject({ ok: true });
    expect(await searchTexts(archive, batches, query('plain'))).toEqual(['a plain text']);
  });

  test('finds a text by any of its own parts, whatever they hold', async () => {
    const archive = await memoryArchive();
    const seed = 20_250_731;
    const random = seededRandom(seed);
    const syntax = [
      '"',
      "'",
      '*',
      '^',
      '(',
      ')',
      '-',
      ':',
      '{',
      '}',
      '+',
      ' NEAR ',
      ' AND ',
      ' OR ',
      ' NOT ',
      ';',
      '%',
    ];
    const part = () => seededText(random, 3) + random.pick(syntax);
    for (let round = 0; round < 60; round += 1) {
      const source = human(part() + part() + part(), `m${round}`);
      const { batches } = await capture(archive, [source, human('something else')]);
      const asked = query(typeof source.content === 'string' ? source.content : '');
      const found = unwrap(await archive.search(SCOPE, batches, asked)).hits.map((hit) => hit.id);
      const expected = parseQuery(asked.text).terms.length === 0 ? [] : [recordOf(source).id];
      expect(found, `seed ${seed}, round ${round}: ${JSON.stringify(source.content)}`).toEqual(
        expect.arrayContaining(expected),
      );
    }
  });
});

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
  expect(info).toEqual({ persistent: false, reason: 'For a test.', protocolVersion: 1 });
});

test('roles are those of the records', async () => {
  const archive = await memoryArchive();
  const roles: readonly Role[] = ['human', 'ai', 'tool'];
  const { batches } = await capture(
    archive,
    roles.map((role) => message(role, 'same words', role)),
  );
  const { hits } = unwrap(await archive.search(SCOPE, batches, query('words')));
  expect(new Set(hits.map((hit) => hit.role))).toEqual(new Set(roles));
});
