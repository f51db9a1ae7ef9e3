// What is found in archived batches, and in which order, on `:memory:` databases.
import { describe, expect, test } from 'vitest';
import type { Role } from '../src/core/message.js';
import { parseQuery } from '../src/core/query.js';
import { statisticsOf } from '../src/core/rank.js';
import { indexText } from '../src/core/tokenize.js';
import { unwrap } from '../test/support/archives.js';
import {
  capture,
  human,
  idBytes,
  message,
  query,
  recordOf,
  SCOPE,
  searchTexts,
} from '../test/support/memory-archives.js';
import { seededRandom, seededText } from '../test/support/seeded.js';
import { memoryArchive } from './memory.js';

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
