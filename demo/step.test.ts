import { describe, expect, test } from 'vitest';
import { stepFrom, stepped } from './step.js';
import type { ShownMessage, Snapshot } from './store.js';

const message = (id: string, text = id): ShownMessage => ({
  id,
  text,
  speaker: 'human',
  otherParts: 0,
  calls: [],
  callId: null,
  stopped: false,
  failed: false,
});

const snapshot = (messages: readonly ShownMessage[]): Snapshot => ({
  messages,
  compaction: null,
  notes: [],
  batches: ['a'],
  unfinished: true,
});

describe('a step between tabs', () => {
  test('carries only what is new, and leads to the same messages', () => {
    const before = [message('1'), message('2')];
    const step = stepFrom(before, snapshot([message('1'), message('2'), message('3')]));
    expect(step).toMatchObject({ keep: 2, lastKept: '2', batches: ['a'] });
    expect(step.tail.map(({ id }) => id)).toEqual(['3']);
    expect(stepped(before, step)?.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  test('begins where a message says something else, or has gone', () => {
    expect(stepFrom([message('1'), message('2')], snapshot([message('1'), message('2', 'other')])).keep).toBe(
      1,
    );
    const shorter = stepFrom([message('1'), message('2')], snapshot([message('1')]));
    expect(stepped([message('1'), message('2')], shorter)?.map(({ id }) => id)).toEqual(['1']);
  });

  test('tells who knows other messages to read them anew', () => {
    const step = stepFrom([message('1'), message('2')], snapshot([message('1'), message('2'), message('3')]));
    expect(stepped([message('1')], step)).toBeNull();
    expect(stepped([message('1'), message('x')], step)).toBeNull();
  });
});
