// Going back to before a message: a checkpoint that has not heard it, on the branch that is the newest.
import 'fake-indexeddb/auto';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { beforeEach, expect, test } from 'vitest';
import { aPageAgent } from '../test/support/page-agent.js';

let page: ReturnType<typeof aPageAgent>;

beforeEach(() => {
  page = aPageAgent();
});

const say: typeof page.say = (...words) => page.say(...words);

async function said(): Promise<readonly string[]> {
  const { messages, unfinished } = await page.agent.load();
  expect(unfinished).toBe(false);
  return messages.filter(({ speaker }) => speaker === 'human').map(({ text }) => text);
}

async function idOf(text: string): Promise<string> {
  const { messages } = await page.agent.load();
  return messages.find((message) => message.text === text)?.id ?? '';
}

test('a later message is said in other words, and the way before it stays', async () => {
  await say('The code is A-1.');
  await say('The key is B-2.');
  await say('Thanks.');
  await say('The key is C-3.', await page.agent.goBefore(await idOf('The key is B-2.')));
  expect(await said()).toEqual(['The code is A-1.', 'The key is C-3.']);
  const ends: unknown[] = [];
  for await (const { checkpoint } of page.saver.list({ configurable: { thread_id: 't' } }))
    ends.push(JSON.stringify(checkpoint.channel_values['messages'] ?? ''));
  expect(ends.filter((end) => String(end).includes('Thanks.'))).not.toHaveLength(0);
});

test('the first message too is said in other words', async () => {
  await say('The code is A-1.');
  await say('Thanks.');
  await say('The code is Z-9.', await page.agent.goBefore(await idOf('The code is A-1.')));
  expect(await said()).toEqual(['The code is Z-9.']);
});

test('so is one in the midst of a recording, as the recording was before anything came after it', async () => {
  await page.agent.write([
    new HumanMessage({ id: 'r1', content: 'One' }),
    new AIMessage({ id: 'r2', content: 'Yes' }),
    new HumanMessage({ id: 'r3', content: 'Two' }),
    new AIMessage({ id: 'r4', content: 'Yes' }),
  ]);
  await say('Three');
  await say('Zwei', await page.agent.goBefore('r3'));
  expect(await said()).toEqual(['One', 'Zwei']);
});

test('a branch can be left as well: the newest one is gone along', async () => {
  await say('One');
  await say('Two', await page.agent.goBefore(await idOf('One')));
  await say('Three');
  await say('Drei', await page.agent.goBefore(await idOf('Three')));
  expect(await said()).toEqual(['Two', 'Drei']);
  await expect(page.agent.goBefore('elsewhere')).rejects.toThrow('not on this branch');
});

test('what there is of a stopped answer stays, and the conversation goes on', async () => {
  await say('One');
  await page.agent.keepPartial('p1', 'It was the');
  await say('Two');
  const { messages } = await page.agent.load();
  const partial = messages.find(({ id }) => id === 'p1');
  expect([partial?.text, partial?.stopped]).toEqual(['It was the', true]);
  expect(await said()).toEqual(['One', 'Two']);
});
