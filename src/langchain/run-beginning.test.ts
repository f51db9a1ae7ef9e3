// A run that is under way when its thread is deleted archives nothing; a later one does.
import { HumanMessage } from '@langchain/core/messages';
import { tool } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { unwrap } from '../../test/support/archives.js';
import { anAgent, pairs } from '../../test/support/compacting-agent.js';
import { memoryArchive } from '../../worker/memory.js';
import { createContinuity } from '../continuity.js';

test('a thread deleted in the middle of a run is not archived by it, and is by the next', async () => {
  const archive = await memoryArchive();
  const thread = 'deleted in mid-run';
  const scope = { user: 'local', thread };
  const look = tool(
    async () => {
      unwrap(await archive.forget(scope));
      return 'some words of it '.repeat(60);
    },
    { name: 'look', description: 'Looks.', schema: z.object({}) },
  );
  const { say, events } = await anAgent({
    thread,
    tools: [look],
    script: [{ calls: [{ name: 'look', args: {}, id: 'c1' }] }, 'Done.', 'Done again.'],
    options: { continuity: createContinuity({ archive }) },
  });
  const captures = () =>
    events.flatMap((event) => (event.type === 'context_compacted' ? [event.archived?.failure] : []));

  await say([...pairs(4), new HumanMessage({ id: 'q1', content: 'Look, please.' })]);
  expect(captures()).toEqual(['internal']);
  expect(unwrap(await archive.threads('local')).threads).toEqual([]);

  await say([...pairs(10, 100), new HumanMessage({ id: 'q2', content: 'And now?' })]);
  expect(captures()).toEqual(['internal', null]);
  expect(unwrap(await archive.threads('local')).threads).toHaveLength(1);
});
