import { describe, expect, test } from 'vitest';
import { assistant, user } from '../../test/support/plain-messages.js';
import type { Message } from './message.js';
import {
  type CompactionRecord,
  coveredCount,
  coveredOf,
  fitRecord,
  isStanding,
  messageDigest,
  parseRecord,
  prunedRemainder,
} from './record.js';

const said = (id: string, text = `text of ${id}`): Message => user(text, { id });
const [a, b, c, d] = [said('a'), said('b'), said('c'), said('d')];

function recordOf(covered: readonly Message[], more: Partial<CompactionRecord> = {}): CompactionRecord {
  return {
    summary: 'S',
    covered: coveredOf(covered),
    lifted: [],
    pruned: [],
    folds: 1,
    tokens: null,
    former: null,
    onDemand: false,
    ...more,
  };
}

describe('a compaction record', () => {
  test('holds while what it covers stands first, unchanged and in order', () => {
    expect(fitRecord(recordOf([a, b]), [a, b, c])).toEqual({ end: 2, lifted: [] });
    expect(fitRecord(recordOf([a, b]), [a, b])).toEqual({ end: 2, lifted: [] });
  });

  test.each([
    ['is missing', [b, c]],
    ['is the last that is missing', [a]],
    ['has other words', [said('a', 'changed'), b, c]],
    ['has another id', [said('x', 'text of a'), b, c]],
    ['stands in another order', [b, a, c]],
    ['has a stranger before it', [c, a, b]],
    ['has a stranger between', [a, c, b]],
  ])('does not hold when a covered message %s', (_, messages) => {
    expect(fitRecord(recordOf([a, b]), messages)).toBeNull();
  });

  test('lets lifted messages stand among the covered ones, and finds them', () => {
    const record = recordOf([a, c], { lifted: ['b'] });
    expect(fitRecord(record, [a, b, c, d])).toEqual({ end: 3, lifted: [1] });
    expect(fitRecord(record, [b, a, c, d])).toEqual({ end: 3, lifted: [0] });
  });

  test('counts pruned messages without expecting them', () => {
    const record = recordOf([b], { pruned: ['a'] });
    expect(fitRecord(record, [b, c])).toEqual({ end: 1, lifted: [] });
    expect(fitRecord(record, [a, b, c])).toBeNull();
    expect(coveredCount(record)).toBe(2);
    expect(fitRecord(recordOf([], { pruned: ['a', 'b'] }), [c])).toEqual({ end: 0, lifted: [] });
  });

  test('tells ids and contents apart wherever they end', () => {
    const lists = [[said('a b', 'c')], [said('a', 'b c')], [said('a'), said('b')], [said('b'), said('a')]];
    expect(new Set(lists.map((list) => coveredOf(list).digest)).size).toBe(4);
  });

  test('takes as many bytes for a thousand messages as for one', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => said(`message-${at}`));
    expect(JSON.stringify(recordOf(many)).length).toBeLessThan(170);
  });

  test('begins after what every request keeps', () => {
    expect(fitRecord(recordOf([b]), [a, b, c], 1)).toEqual({ end: 2, lifted: [] });
  });

  test('serves under the triggers when it was asked for, or messages of it are gone', () => {
    expect(isStanding(recordOf([a]))).toBe(false);
    expect(isStanding(recordOf([a], { onDemand: true }))).toBe(true);
    expect(isStanding(recordOf([a], { pruned: ['a'] }))).toBe(true);
  });

  test('keeps what it knows of pruned messages when it is not valid', () => {
    expect(prunedRemainder(recordOf([a, b]))).toBeNull();
    const remainder = prunedRemainder(recordOf([a, b], { pruned: ['a'], lifted: ['c'] }));
    expect(remainder).toMatchObject({ summary: 'S', covered: { count: 0 }, lifted: [] });
  });

  test('says of another content another digest, and of another id the same', () => {
    expect(messageDigest(a)).toBe(messageDigest(said('z', 'text of a')));
    const call = { name: 'x', args: { k: 1 }, id: 'c' };
    const digests = [a, b, assistant('text of a'), user('text of a', { tool_calls: [call] })].map(
      messageDigest,
    );
    expect(new Set(digests).size).toBe(4);
  });

  test('gives content that contains itself a digest too', () => {
    const args: Record<string, unknown> = {};
    args['self'] = args;
    const message = assistant('hello', { tool_calls: [{ name: 'x', args, id: null }] });
    expect(messageDigest(message)).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('reading a record', () => {
  test('gives one that was written back, and the same object each time', () => {
    const written: unknown = JSON.parse(JSON.stringify(recordOf([a, b], { onDemand: true })));
    const read = parseRecord(written);
    expect(read).toEqual(written);
    expect(parseRecord(written)).toBe(read);
    expect(parseRecord(read)).toBe(read);
  });

  test.each([
    null,
    undefined,
    'text',
    {},
    { ...recordOf([a]), summary: ' ' },
    { ...recordOf([a]), covered: [['a', 'digest']] },
    { ...recordOf([a]), covered: { count: -1, digest: '' } },
    { ...recordOf([a]), covered: { count: 1 } },
    recordOf([]),
    { ...recordOf([a]), lifted: [1] },
    { ...recordOf([a]), pruned: 'a' },
  ])('refuses what is none: %j', (value) => {
    expect(parseRecord(value)).toBeNull();
  });

  test('takes one without the newer fields', () => {
    const { summary, covered, lifted, pruned } = recordOf([a]);
    expect(parseRecord({ summary, covered, lifted, pruned })).toMatchObject({ folds: 1, onDemand: false });
  });
});
