import { describe, expect, test } from 'vitest';
import { noteAnswer, readAnswer, searchAnswer } from './answers.js';

const HIT = {
  role: 'human',
  message_id: 'm1',
  name: null,
  id: 'r1',
  excerpt: 'text',
  excerpt_start: 7,
  origin: 'archive',
};

describe('an answer of a history tool', () => {
  test('of the expected shape is taken', () => {
    expect(searchAnswer(JSON.stringify({ results: [HIT], status: 'available' }))).toEqual({
      ok: true,
      status: 'available',
      value: [
        {
          id: 'r1',
          role: 'human',
          messageId: 'm1',
          name: null,
          excerpt: 'text',
          start: 7,
          origin: 'archive',
        },
      ],
    });
    expect(
      readAnswer('{"id": "r1", "text": "t", "role": "tool", "name": "look", "status": "available"}'),
    ).toEqual({
      ok: true,
      status: 'available',
      value: { id: 'r1', role: 'tool', name: 'look', text: 't', origin: null },
    });
    expect(noteAnswer('{"key": "k", "status": "saved", "cited": true}')).toEqual({
      ok: true,
      status: 'saved',
      value: 'k',
    });
  });

  test('that names an error is that error', () => {
    expect(searchAnswer('{"error": "scope_unavailable"}')).toEqual({
      ok: false,
      error: 'scope_unavailable',
      status: '',
    });
    expect(readAnswer('{"error": "source_unavailable", "status": "unavailable"}')).toEqual({
      ok: false,
      error: 'source_unavailable',
      status: 'unavailable',
    });
  });

  test.each(['', 'Error: boom', '[]', 'null', '{"results": 1}', '{"results": {"length": 1}}'])(
    'of any other shape is unreadable: %s',
    (text) => {
      expect(searchAnswer(text)).toMatchObject({ ok: false, error: 'unreadable' });
      expect(readAnswer(text)).toMatchObject({ ok: false, error: 'unreadable' });
      expect(noteAnswer(text)).toMatchObject({ ok: false, error: 'unreadable' });
    },
  );

  test('hits of a wrong shape are passed over, and a wrong offset is the beginning', () => {
    const results = [null, 4, { ...HIT, id: 5 }, { ...HIT, excerpt_start: -3 }];
    expect(searchAnswer(JSON.stringify({ results }))).toMatchObject({
      ok: true,
      value: [{ id: 'r1', start: 0 }],
    });
  });
});
