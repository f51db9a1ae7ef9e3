// A run that is aborted while its archive is being written: the write is finished, and nothing of it is lost.
import { HumanMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { unwrap } from '../../test/support/archives.js';
import { anAgent, coveredCountOf, pairs } from '../../test/support/compacting-agent.js';
import { memoryArchive } from '../../worker/memory.js';
import { createContinuity } from '../continuity.js';
import type { Archive } from '../protocol.js';

test('a write that was begun is finished, the run reports its abort, and the next one has the batch', async () => {
  const real = await memoryArchive();
  let begun = (): void => {};
  let goOn = (): void => {};
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const archive: Archive = {
    ...real,
    capture: async (scope, request) => {
      begun();
      await mayGoOn;
      return real.capture(scope, request);
    },
  };
  const continuity = createContinuity({ archive });
  const { say, state, model, summaryModel } = await anAgent({ thread: 'aborted', options: { continuity } });
  const abort = new AbortController();
  const run = say(pairs(10), { signal: abort.signal }).then(
    () => 'answered',
    (error: unknown) => (error instanceof Error ? error.name : 'no error'),
  );
  await isBegun;
  abort.abort();
  goOn();
  expect(await run).toBe('AbortError');
  await expect
    .poll(async () => unwrap(await real.threads('local')).threads.map(({ scope }) => scope.thread))
    .toEqual(['aborted']);
  expect(model.requests).toHaveLength(0);

  await say([new HumanMessage({ id: 'again', content: 'Again?' })]);
  expect(summaryModel.requests).toHaveLength(1);
  expect(coveredCountOf(await state())).toBe(16);
  expect((await state())['taskHistory']).toMatchObject({
    status: 'available',
    batches: [expect.any(String)],
  });
});
