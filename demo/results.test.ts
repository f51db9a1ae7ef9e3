// What the history tools answered, read as data.
import { describe, expect, test } from 'vitest';
import { parseNote, parseRead, parseSearch } from './results.js';
import { placesBySource } from './sources.js';
import type { ShownMessage } from './store.js';

const SOURCE = 'r0123456789abcdef0123456789abcdef';
const hit = {
  role: 'ai',
  message_id: 'm1',
  name: null,
  id: SOURCE,
  truncated: false,
  excerpt: 'seat 12A',
  excerpt_start: 4,
  excerpt_end: 12,
  excerpt_match: true,
  origin: 'archive',
};

describe('tool answers', () => {
  test('a search has its hits with origin and offsets', () => {
    const answer = parseSearch(JSON.stringify({ results: [hit, { id: 7 }, null], status: 'available' }));
    expect(answer).toEqual({
      kind: 'hits',
      status: 'available',
      hits: [
        {
          id: SOURCE,
          messageId: 'm1',
          role: 'ai',
          origin: 'archive',
          excerpt: 'seat 12A',
          start: 4,
          end: 12,
          match: true,
          archivedAt: null,
          position: null,
          conversationLength: null,
        },
      ],
    });
  });

  test('an error is an error with its hint', () => {
    expect(parseNote('{"error": "note_capacity", "hint": "replace a key"}')).toEqual({
      kind: 'error',
      error: 'note_capacity',
      hint: 'replace a key',
    });
  });

  test.each(['', 'plain words', '[]', '7', '{"a": 1}'])('%j is no answer of a history tool', (text) => {
    expect([parseSearch(text), parseRead(text), parseNote(text)]).toEqual([null, null, null]);
  });
});

describe('places of sources', () => {
  const message = (id: string, more: Partial<ShownMessage>): ShownMessage => ({
    id,
    speaker: 'ai',
    text: '',
    otherParts: 0,
    calls: [],
    callId: null,
    stopped: false,
    failed: false,
    ...more,
  });
  const search = [
    message('a', { calls: [{ id: 'c', name: 'history_search', args: { query: 'seat' } }] }),
    message('t', {
      speaker: 'tool',
      callId: 'c',
      text: JSON.stringify({ results: [hit], status: 'available' }),
    }),
  ];

  test('lead to the message that a search found', () => {
    expect(placesBySource([message('m1', { text: 'The seat 12A' }), ...search]).get(SOURCE)).toEqual({
      message: 'm1',
      start: 4,
      end: 12,
      query: 'seat',
    });
  });

  test('lead nowhere once the message is gone from the checkpoint', () => {
    expect(placesBySource(search).has(SOURCE)).toBe(false);
  });

  test('come from the history tools alone', () => {
    const other = search.map((entry) => ({
      ...entry,
      calls: entry.calls.map((call) => ({ ...call, name: 'web_search' })),
    }));
    expect(placesBySource([message('m1', {}), ...other]).size).toBe(0);
  });
});
