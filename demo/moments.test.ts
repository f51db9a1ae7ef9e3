// The timeline has one moment for each end of a run, on every branch, and for what was done by hand.
import 'fake-indexeddb/auto';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { type ArchiveClient, openArchive } from 'threadkeep';
import { IndexedDBSaver } from 'threadkeep/langchain';
import { OfflineChatModel } from 'threadkeep/offline-model';
import { beforeEach, expect, test } from 'vitest';
import { buildAgent, type PageAgent } from './agent.js';
import { momentsOf } from './moments.js';
import { newEntry } from './write.js';

const archive: ArchiveClient = openArchive();
let saver: IndexedDBSaver;
let agent: PageAgent;
let count = 0;

beforeEach(() => {
  count += 1;
  saver = new IndexedDBSaver({ database: `moments-${count}` });
  agent = buildAgent(
    newEntry('t'),
    { saver, archive, model: () => new OfflineChatModel() },
    { onEvent() {}, onRequest() {} },
  );
});

async function say(text: string, from: string | null = null): Promise<void> {
  for await (const _step of agent.run(text, new AbortController().signal, from));
}

/** Each moment as `kind: said (messages)`, with a star where it is not on the newest branch. */
async function told(limit?: number): Promise<readonly string[]> {
  const { moments } = await momentsOf(saver, 't', limit);
  return moments.map(
    ({ kind, said, messages, isOnBranch }) => `${kind}: ${said} (${messages})${isOnBranch ? '' : '*'}`,
  );
}

test('an answer makes one moment, however many steps it took', async () => {
  await say('One');
  await say('Two');
  expect(await told()).toEqual(['answered: Two (4)', 'answered: One (2)']);
});

test('a branch leaves the moments of the other one in sight', async () => {
  await say('One');
  await say('Two');
  const { messages } = await agent.load();
  const second = messages.find(({ text }) => text === 'Two')?.id ?? '';
  await say('Zwei', await agent.goBefore(second));
  const first = messages[0]?.id ?? '';
  expect(await told()).toEqual(['answered: Zwei (4)', 'answered: Two (4)*', 'answered: One (2)']);
  await say('Eins', await agent.goBefore(first));
  expect(await told()).toEqual([
    'answered: Eins (2)',
    'answered: Zwei (4)*',
    'answered: Two (4)*',
    'answered: One (2)*',
  ]);
});

test('a recording, a compaction by hand and a stopped answer are moments too', async () => {
  const turns = Array.from({ length: 12 }, (_, turn) => [
    new HumanMessage({
      id: `h${turn}`,
      content: `Question ${turn} about crate ${turn}-A, ${'at length '.repeat(20)}`,
    }),
    new AIMessage({
      id: `a${turn}`,
      content: `Crate ${turn}-A stands on quay ${turn}. ${'Really. '.repeat(20)}`,
    }),
  ]);
  await agent.write(turns.flat());
  await agent.compact(false, new AbortController().signal);
  await agent.keepPartial('p', 'It is');
  const kinds = (await momentsOf(saver, 't')).moments.map(({ kind, messages }) => [kind, messages]);
  expect(kinds).toEqual([
    ['stopped', 25],
    ['compacted', 24],
    ['recorded', 24],
  ]);
});

test('only so much is looked at, and that there is more is said', async () => {
  await say('One');
  await say('Two');
  const { moments, hasMore } = await momentsOf(saver, 't', 4);
  expect([moments.length, hasMore]).toEqual([1, true]);
});
