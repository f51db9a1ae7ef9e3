// The user's promise: what a compaction left out can be seen, kept as a note, and the compaction taken back.
import { expect, type Page, test } from '@playwright/test';
import { ask, complaints, messages, notebook, openSample, SAMPLE, transcript, windowMark } from './demo.js';

const mark = (page: Page) => transcript(page).getByRole('complementary', { name: 'Context window' });
const meter = (page: Page) => page.getByRole('group', { name: 'Context window' });
const pins = (page: Page) => mark(page).getByRole('button', { name: /^Pin “/u });

/** The sample after its first compaction, with the mark opened by key. */
async function openReceipt(page: Page): Promise<void> {
  await openSample(page);
  await ask(page, SAMPLE.question);
  await expect(windowMark(page)).toBeVisible();
  await mark(page).locator('summary').first().focus();
  await page.keyboard.press('Enter');
  await expect(mark(page).getByText('Named in those messages, not in the summary')).toBeVisible();
}

test('the receipt tells what was covered, the tokens, and what the summary does not name', async ({
  page,
}) => {
  const heard = complaints(page);
  await openReceipt(page);
  await expect(mark(page)).toContainText(
    /One summary stands for \d+ messages: [\d,]+ → [\d,]+ tokens, estimated\./u,
  );
  const summary = (await mark(page).locator('.summary').textContent()) ?? '';
  const numbers = mark(page).getByRole('region', { name: 'Numbers' });
  const shown = await numbers.getByRole('listitem').locator('strong').allTextContents();
  expect(shown.length).toBeGreaterThan(0);
  for (const text of shown) expect(summary).not.toContain(` ${text} `);

  const count = await numbers.getByRole('listitem').count();
  await numbers.getByRole('button', { name: /^Show \d+ more/u }).press('Enter');
  expect(await numbers.getByRole('listitem').count()).toBeGreaterThan(count);
  await expect(numbers.getByRole('listitem').nth(count).getByRole('link')).toBeFocused();

  await numbers.getByRole('link').first().click();
  await expect(transcript(page).locator('.excerpt').first()).toBeInViewport();
  // The conversation scrolls, never the page around it.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  expect(heard).toEqual([]);
});

test('what is pinned from a receipt is a note that leads to its message, until it is removed', async ({
  page,
}) => {
  await openReceipt(page);
  const pin = pins(page).first();
  const fact = /“(?<text>.*)”/u.exec((await pin.getAttribute('aria-label')) ?? '')?.groups?.['text'] ?? '?';
  await pin.press('Enter');
  const pinned = mark(page).getByRole('button', { name: `Pinned as a note: “${fact}”` });
  await expect(pinned).toBeVisible();
  await expect(pinned).toBeFocused();
  const note = notebook(page).getByRole('listitem').filter({ hasText: fact });
  await expect(note).toContainText('Source');

  await page.reload();
  await expect(note).toContainText('Source');
  await note.getByRole('button', { name: /^r[0-9a-f]/u }).click();
  await expect(transcript(page).locator('.excerpt').first()).toContainText(fact);

  await note.getByRole('button', { name: /^Remove the note/u }).click();
  await expect(note).toHaveCount(0);
  await page.reload();
  await expect(messages(page).first()).toBeVisible();
  await expect(note).toHaveCount(0);
  await mark(page).locator('summary').first().press('Enter');
  await expect(mark(page).getByRole('button', { name: `Pin “${fact}” as a note` })).toBeVisible();
});

test('taking the compaction back brings the messages into the window again, and the mark goes', async ({
  page,
}) => {
  await openReceipt(page);
  await expect(mark(page)).toContainText('The model sees those messages again as it did before');
  const before = (await meter(page).textContent()) ?? '';
  const count = await messages(page).count();
  await mark(page).getByRole('button', { name: 'Take this compaction back' }).press('Enter');
  await expect(page.getByText('The last compaction was taken back.')).toBeVisible();
  await expect(mark(page)).toHaveCount(0);
  await expect(transcript(page)).toBeFocused();
  await expect(meter(page)).not.toHaveText(before);
  await expect(messages(page)).toHaveCount(count);

  await page.reload();
  await expect(messages(page)).toHaveCount(count);
  await expect(mark(page)).toHaveCount(0);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(page.getByRole('button', { name: /Compaction taken back/u })).toBeVisible();
});
