// The user's promise: two tabs show the same conversation, both live and both right, whichever of them runs it.
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { type ChatServer, startChatServer } from '../test/support/chat-server.js';
import {
  answered,
  ask,
  complaints,
  composer,
  messages,
  openSample,
  SAMPLE,
  sendTyped,
  transcript,
} from './demo.js';

const list = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const waits = (page: Page) => transcript(page).getByText('your message is sent as soon as it is done');
const elsewhere = (page: Page) => transcript(page).getByText('Another tab is answering here.');

let server: ChatServer;
test.beforeEach(async () => {
  server = await startChatServer();
});
test.afterEach(() => server.close());

/** Two tabs on one conversation that a model at an address answers; it pauses in mid-answer where it is told to. */
async function twoTabs(context: BrowserContext): Promise<readonly [Page, Page]> {
  const first = await context.newPage();
  await openSample(first);
  await list(first).getByRole('button', { name: 'New conversation' }).click();
  await first.getByRole('button', { name: 'Choose a model…' }).click();
  await first.getByRole('radio', { name: /OpenAI-compatible/u }).check();
  await first.getByLabel('Address', { exact: true }).fill(server.baseUrl);
  await first.getByLabel('Model', { exact: true }).fill('stub-1');
  await first.getByRole('button', { name: 'Use this model' }).click();
  await expect(first.getByText('Answers come from stub-1')).toBeVisible();
  await ask(first, 'Good morning');
  const second = await context.newPage();
  await second.goto(first.url());
  await expect(messages(second).last()).toContainText('You wrote: Good morning');
  return [first, second];
}

/** Lets an answer go on, once so many have come to a pause. */
async function goOn(pauses: number): Promise<void> {
  await expect.poll(server.pauses).toBe(pauses);
  server.goOn();
}

async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await sendTyped(page);
}

test('what is said and answered in one tab stands in the other as it comes, word for word', async ({
  context,
}) => {
  const [first, second] = await twoTabs(context);
  const heard = [...complaints(first), ...complaints(second)];
  await say(first, 'PAUSE for the second tab');
  await expect(messages(second).getByText('PAUSE for the second tab', { exact: true })).toBeVisible();
  await expect(transcript(second)).toContainText('You wrote:');
  await expect(elsewhere(second)).toBeVisible();
  await expect(transcript(second)).not.toContainText('You wrote: PAUSE');

  // A tab that comes in the midst of it sees the same.
  const third = await context.newPage();
  await third.goto(first.url());
  await expect(messages(third).getByText('PAUSE for the second tab', { exact: true })).toBeVisible();
  await expect(elsewhere(third)).toBeVisible();

  await goOn(1);
  for (const page of [first, second, third]) {
    await expect(messages(page).last()).toContainText('You wrote: PAUSE for the second tab');
    await expect(elsewhere(page)).toHaveCount(0);
    await answered(page);
  }
  const texts = await messages(first).allTextContents();
  for (const page of [second, third]) expect(await messages(page).allTextContents()).toEqual(texts);
  await ask(second, 'And the other way');
  await expect(messages(first).last()).toContainText('You wrote: And the other way');
  expect(heard).toEqual([]);
});

test('a message of the second tab waits for the answer in the first, and none is lost', async ({
  context,
}) => {
  const [first, second] = await twoTabs(context);
  await say(first, 'PAUSE one');
  await expect(elsewhere(second)).toBeVisible();
  await say(second, 'Question two');
  await expect(waits(second)).toBeVisible();
  await expect(transcript(second)).toContainText('Question two');
  await goOn(1);
  for (const page of [first, second]) {
    await expect(messages(page).last()).toContainText('You wrote: Question two');
    await expect(transcript(page)).toContainText('You wrote: PAUSE one');
    await answered(page);
  }
  expect(await messages(second).allTextContents()).toEqual(await messages(first).allTextContents());
  await first.reload();
  await expect(messages(first).last()).toContainText('You wrote: Question two');
  await expect(messages(first)).toHaveCount(6);
});

test('who does not want to wait takes the message back, or stops the other tab', async ({ context }) => {
  const [first, second] = await twoTabs(context);
  await say(first, 'PAUSE one');
  await expect(elsewhere(second)).toBeVisible();
  await say(second, 'Question two');
  await transcript(second).getByRole('button', { name: 'Do not wait' }).click();
  await expect(composer(second)).toHaveValue('Question two');
  await expect(elsewhere(second)).toBeVisible();

  await sendTyped(second);
  await expect(waits(second)).toBeVisible();
  await transcript(second).getByRole('button', { name: 'Stop the other tab now' }).click();
  for (const page of [first, second]) {
    await expect(messages(page).last()).toContainText('You wrote: Question two');
    // What there was of the stopped answer is kept.
    await expect(transcript(page)).toContainText('Stopped here.');
    await answered(page);
  }
});

test('a tab that is closed in mid-run holds nobody up, and its run can be continued', async ({ context }) => {
  const [first, second] = await twoTabs(context);
  await say(first, 'PAUSE for ever');
  await expect(elsewhere(second)).toBeVisible();
  await first.close();
  await expect(elsewhere(second)).toHaveCount(0);
  await transcript(second).getByRole('button', { name: 'Continue' }).click();
  await goOn(2);
  await expect(messages(second).last()).toContainText('You wrote: PAUSE for ever');
});

test('a conversation that is named, begun or deleted in one tab is so in the other, and what was typed stays', async ({
  context,
}) => {
  const first = await context.newPage();
  await openSample(first);
  const second = await context.newPage();
  await second.goto(first.url());
  await expect(messages(second).first()).toBeVisible();
  await list(first)
    .getByRole('button', { name: /^More for/u })
    .click();
  await first.getByRole('menuitem', { name: 'Rename' }).click();
  await first.keyboard.type('Kilns');
  await first.keyboard.press('Enter');
  await expect(title(second)).toHaveText('Kilns');

  await composer(second).fill('not sent yet');
  await list(first)
    .getByRole('button', { name: /^More for/u })
    .click();
  await first.getByRole('menuitem', { name: 'Delete' }).click();
  await first.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(second.getByRole('main').getByRole('alert')).toContainText('was deleted in another tab');
  await expect(composer(second)).toHaveValue('not sent yet');
  await expect(list(second).getByRole('link')).toHaveCount(0);
});

test('two tabs that compact and ask at once come to the same conversation, and both find what left', async ({
  context,
}) => {
  const first = await context.newPage();
  await openSample(first);
  const second = await context.newPage();
  await second.goto(first.url());
  await expect(messages(second).first()).toBeVisible();
  await Promise.all([say(first, SAMPLE.question), say(second, 'On which day must a kiln never be loaded?')]);
  for (const page of [first, second]) {
    await expect(transcript(page)).toContainText('“berth-contract-number”');
    await expect(
      transcript(page)
        .getByText(/On which day must a kiln/u)
        .first(),
    ).toBeVisible();
  }
  await Promise.all([answered(first), answered(second)]);
  for (const page of [first, second]) await expect(page.getByText(/Friday/u).last()).toBeVisible();
  await expect
    .poll(async () => (await messages(first).count()) === (await messages(second).count()))
    .toBe(true);
});
