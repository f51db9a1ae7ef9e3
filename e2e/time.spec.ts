// The user's promise: one can go back in a conversation, see it as it was, and go on from there another way.
import { expect, type Page, test } from '@playwright/test';
import {
  answered,
  ask,
  complaints,
  composer,
  messages,
  notebook,
  openSample,
  SAMPLE,
  transcript,
  windowMark,
} from './demo.js';

const own = (page: Page) => transcript(page).getByRole('article', { name: 'You' });
const beside = (page: Page) => page.getByRole('complementary', { name: /Notebook|Timeline|Search/u });
const moments = (page: Page) => beside(page).getByRole('listitem').getByRole('button');
const meter = (page: Page) => page.getByRole('group', { name: 'Context window' });

test('the timeline shows messages, notes, window and archive as they were, and leads back', async ({
  page,
}) => {
  const heard = complaints(page);
  await openSample(page);
  await ask(page, SAMPLE.question);
  await expect(notebook(page)).toContainText(SAMPLE.answer);
  await expect(windowMark(page)).toBeVisible();
  await expect(meter(page)).toContainText(/of 3,000 tokens/u);
  const window = (await meter(page).textContent()) ?? '';
  const count = await messages(page).count();

  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(moments(page)).toHaveText([
    new RegExp(SAMPLE.question.replace('?', '\\?'), 'u'),
    /As it was opened/u,
  ]);
  await moments(page).last().click();
  await expect(page.getByText(/^This is the conversation as it was on/u)).toBeVisible();
  await expect(windowMark(page)).toHaveCount(0);
  expect(await messages(page).count()).toBeLessThan(count);
  await expect(meter(page)).not.toHaveText(window);
  await page.getByRole('tab', { name: 'Search' }).click();
  await expect(beside(page)).toContainText('Nothing of it is archived from here');
  await page.getByRole('tab', { name: 'Notebook' }).click();
  await expect(notebook(page)).not.toContainText(SAMPLE.answer);

  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect(notebook(page)).toContainText(SAMPLE.answer);
  await expect(messages(page)).toHaveCount(count);
  await page.getByRole('tab', { name: 'Search' }).click();
  await expect(beside(page)).toContainText('1 batch of its archive');
  expect(heard).toEqual([]);
});

test('a message sent in the past begins a branch, and the other one can be gone back to', async ({
  page,
}) => {
  await page.goto('/#/new');
  await ask(page, 'The gate code is 4711-B.');
  await ask(page, 'The dog is called Rufus.');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(moments(page)).toHaveCount(2);
  await moments(page).nth(1).click();
  await expect(own(page)).toHaveCount(1);
  await ask(page, 'The cat is called Minka.');
  await expect(own(page)).toHaveText([/4711-B/u, /Minka/u]);
  await expect(moments(page)).toHaveText([/Minka/u, /Rufus.*another branch/u, /4711-B/u]);

  await moments(page).nth(1).click();
  await expect(own(page)).toHaveText([/4711-B/u, /Rufus/u]);
  await page.getByRole('button', { name: 'Go on from here' }).click();
  await expect(page.getByText(/^This is the conversation as it was on/u)).toBeHidden();
  await page.reload();
  await expect(own(page)).toHaveText([/4711-B/u, /Rufus/u]);
});

test('an edit in the past is a branch of what is shown there', async ({ page }) => {
  await page.goto('/#/new');
  await ask(page, 'The gate code is 4711-B.');
  await ask(page, 'The dog is called Rufus.');
  await own(page).last().getByRole('button', { name: 'Edit this message' }).click();
  await expect(composer(page)).toHaveValue(/Rufus/u);
  await composer(page).fill('The cat is called Minka.');
  await composer(page).press('Enter');
  await answered(page);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await moments(page).filter({ hasText: 'Rufus' }).click();
  await own(page).last().getByRole('button', { name: 'Edit this message' }).click();
  await expect(composer(page)).toHaveValue(/Rufus/u);
  await composer(page).fill('The bird is called Pip.');
  await composer(page).press('Enter');
  await answered(page);
  await expect(own(page)).toHaveText([/4711-B/u, /Pip/u]);
  await expect(moments(page)).toHaveCount(4);
});

test('the history is searched as the agent searches it, and a hit leads to its source', async ({ page }) => {
  await openSample(page);
  await page.getByRole('tab', { name: 'Notebook' }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Search' })).toBeFocused();
  await beside(page).getByRole('searchbox', { name: 'Search the history' }).fill('berth contract number');
  await page.keyboard.press('Enter');
  const hit = beside(page).getByRole('listitem').filter({ hasText: SAMPLE.answer });
  await expect(hit.first()).toContainText('active');
  await beside(page).getByRole('combobox').selectOption('the agent');
  await expect(hit).toHaveCount(0);
  await beside(page).getByRole('combobox').selectOption('you');
  await hit.first().getByRole('link').click();
  await expect(transcript(page).locator('.excerpt mark').first()).toBeInViewport();
});

test('a source that was pruned is read from the archive, as the search found it', async ({ page }) => {
  await openSample(page);
  await ask(page, SAMPLE.question);
  await page.getByRole('button', { name: 'Context', exact: true }).click();
  await page.getByRole('button', { name: 'Compact and prune' }).click();
  await expect(page.getByText(/removed from the checkpoint; the archive still holds/u)).toBeVisible();
  await page.getByRole('tab', { name: 'Search' }).click();
  await beside(page).getByRole('searchbox', { name: 'Search the history' }).fill('Teodor Brandt berth');
  await page.keyboard.press('Enter');
  const hit = beside(page)
    .getByRole('listitem')
    .filter({ hasText: 'archive' })
    .filter({ hasText: SAMPLE.answer });
  await hit.first().getByRole('button', { name: 'Read the source' }).click();
  await expect(hit.first()).toContainText('eleven crates of glaze');
});
