// The timeline has one moment for each end of a run, on every branch, and for what was done by hand.
import 'fake-indexeddb/auto';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { beforeEach, expect, test } from 'vitest';
import { aPageAgent } from '../test/support/page-agent.js';
import { momentsOf } from './moments.js';

let page: ReturnType<typeof aPageAgent>;

beforeEach(() => {
  page = aPageAgent();
});

const say: typeof page.say = (...words) => page.say(...words);

/** Each moment as `kind: said (messages)`, with a star where it is not on the newest branch. */
async function told(limit?: number): Promise<readonly string[]> {
  const { moments } = await momentsOf(page.saver, 't', limit);
  return moments.map(
    ({ kind, said, messages, isOnBranch }) => `${kind}: ${said} (${messages})${isOnBranch ? '' : '*'}`,
  );
}

/** Twelve turns, long enough to be compacted by hand. */
function aRecording() {
  return Array.from({ length: 12 }, (_, turn) => [
    new HumanMessage({
      id: `h${turn}`,
      content: `Question ${turn} about crate ${turn}-A, ${'at length '.repeat(20)}`,
    }),
    new AIMessage({
      id: `a${turn}`,
      content: `Crate ${turn}-A stands on quay ${turn}. ${'Really. '.repeat(20)}`,
    }),
  ]).flat();
}

test('an answer makes one moment, however many steps it took', async () => {
  await say('One');
  await say('Two');
  expect(await told()).toEqual(['answered: Two (4)', 'answered: One (2)']);
});

test('a branch leaves the moments of the other one in sight', async () => {
  await say('One');
  await say('Two');
  const { messages } = await page.agent.load();
  const second = messages.find(({ text }) => text === 'Two')?.id ?? '';
  await say('Zwei', await page.agent.goBefore(second));
  const first = messages[0]?.id ?? '';
  expect(await told()).toEqual(['answered: Zwei (4)', 'answered: Two (4)*', 'answered: One (2)']);
  await say('Eins', await page.agent.goBefore(first));
  expect(await told()).toEqual([
    'answered: Eins (2)',
    'answered: Zwei (4)*',
    'answered: Two (4)*',
    'answered: One (2)*',
  ]);
});

test('a recording, a compaction by hand and a stopped answer are moments too', async () => {
  await page.agent.write(aRecording());
  await page.agent.compact(false, new AbortController().signal);
  await page.agent.keepPartial('p', 'It is');
  const kinds = (await momentsOf(page.saver, 't')).moments.map(({ kind, messages }) => [kind, messages]);
  expect(kinds).toEqual([
    ['stopped', 25],
    ['compacted', 24],
    ['recorded', 24],
  ]);
});

test('an undo is a moment; a note that is removed makes none of its own', async () => {
  await page.agent.write(aRecording());
  await page.agent.compact(false, new AbortController().signal);
  const before = (await page.agent.load()).compaction;
  await page.agent.undo();
  expect([before === null, (await page.agent.load()).compaction]).toEqual([false, null]);
  const kinds = async () => (await momentsOf(page.saver, 't')).moments.map(({ kind }) => kind);
  expect(await kinds()).toEqual(['undone', 'compacted', 'recorded']);
  await say('Three');
  await page.agent.removeNote('none');
  expect((await kinds()).slice(0, 2)).toEqual(['answered', 'undone']);
});

test('only so much is looked at, and that there is more is said', async () => {
  await say('One');
  await say('Two');
  const { moments, hasMore } = await momentsOf(page.saver, 't', 4);
  expect([moments.length, hasMore]).toEqual([1, true]);
});
