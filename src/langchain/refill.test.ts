// What an archive has lost, or never got, is archived again while the checkpoint still holds it (SPEC D13).
import { HumanMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { unwrap } from '../../test/support/archives.js';
import { anAgent, pairs } from '../../test/support/compacting-agent.js';
import { memoryArchive } from '../../worker/memory.js';
import { createContinuity } from '../continuity.js';
import type { Archive } from '../protocol.js';
import { toMessages } from './messages.js';

const ask = (id: string) => new HumanMessage({ id, content: 'And then?' });

/** An agent over this archive, compacted once; `held` tells which of its messages the archive has whole. */
async function compactedOnce(archive: Archive, thread: string) {
  const continuity = createContinuity({ archive });
  const { say, state, events } = await anAgent({ thread, options: { continuity } });
  await say([...pairs(8), ask('q1')]);
  const held = async (): Promise<string[]> => {
    const { messages, taskHistory } = await state();
    const neutral = toMessages(messages as never);
    const scope = { user: 'local', thread };
    const whole = await continuity.wholeSources(scope, taskHistory, neutral);
    return [...whole].map(({ id }) => id ?? '');
  };
  const captures = () =>
    events.flatMap((event) => (event.type === 'context_compacted' ? [event.archived] : []));
  return { say, state, held, captures };
}

describe('the next capture brings along what is missing', () => {
  test('of an archive whose file is gone', async () => {
    const archive = await memoryArchive();
    const { say, held, captures } = await compactedOnce(archive, 'gone');
    const before = await held();
    expect(before.length).toBeGreaterThan(8);
    unwrap(await archive.forget({ user: 'local', thread: 'gone' }));
    expect(await held()).toEqual([]);
    await say([...pairs(8, 100), ask('q2')]);
    expect(await held()).toEqual(expect.arrayContaining(before));
    expect((await held()).length).toBeGreaterThan(before.length);
    expect(captures()[1]?.failure).toBeNull();
  });

  test('of captures that failed', async () => {
    const real = await memoryArchive();
    let isFull = true;
    const archive: Archive = {
      ...real,
      capture: async (scope, request) =>
        isFull ? { ok: false, failure: 'quota', detail: 'No room.' } : real.capture(scope, request),
    };
    const { say, state, held, captures } = await compactedOnce(archive, 'failed');
    expect(await held()).toEqual([]);
    expect((await state())['taskHistory']).toMatchObject({ status: 'unavailable', reason: 'quota' });
    isFull = false;
    await say([...pairs(8, 100), ask('q2')]);
    const after = await held();
    expect(after).toEqual(expect.arrayContaining(['m0', 'm7']));
    expect(captures().map((capture) => capture?.failure)).toEqual(['quota', null]);
    expect((await state())['taskHistory']).toMatchObject({ status: 'available' });
  });

  test('and leaves alone what is there', async () => {
    const { say, captures, held } = await compactedOnce(await memoryArchive(), 'whole');
    const before = await held();
    await say([...pairs(8, 100), ask('q2')]);
    const [first, second] = captures();
    expect(first?.stored).toBe(before.length);
    expect(second?.stored).toBe((await held()).length - before.length);
  });
});
