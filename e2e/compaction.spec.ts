// The user's promise: a conversation that grows too long goes on, and nothing of it disappears from the page.
import { expect, test } from '@playwright/test';
import { ask, complaints, composer, messages, openSample, SAMPLE, transcript, windowMark } from './demo.js';

test('a compaction is announced, and the whole conversation stays on the page', async ({ page }) => {
  const heard = complaints(page);
  await openSample(page);
  await expect(page.getByRole('button', { name: 'Continue' })).toBeHidden();
  const opening = messages(page).first();
  const before = await messages(page).count();
  const words = (await opening.textContent()) ?? '';

  await composer(page).fill(SAMPLE.question);
  await composer(page).press('Enter');
  const toasts = page.getByRole('region', { name: 'Notifications' });
  await expect(toasts.getByText('Compacting the context…')).toBeVisible();
  await expect(
    toasts.getByText(/^Context compacted: \d+ messages became one summary, [\d,]+ → [\d,]+ tokens/u),
  ).toBeVisible();
  await expect(messages(page).last()).toContainText(SAMPLE.answer);

  expect(await messages(page).count()).toBeGreaterThan(before);
  await expect(opening).toHaveText(words);
  await expect(windowMark(page)).toBeVisible();
  await expect(toasts.getByText('Context compacted')).toHaveCount(0);
  expect(heard).toEqual([]);
});

test('the mark in the conversation opens to the summary that the model sees instead', async ({ page }) => {
  await openSample(page);
  await ask(page, SAMPLE.question);
  const mark = transcript(page).getByRole('complementary', { name: 'Context window' });
  const summary = mark.getByText('The summary that the model sees in their place');
  await expect(summary).toBeHidden();
  await windowMark(page).click();
  await expect(summary).toBeVisible();
});

test('compacting by hand works under the trigger, and says so', async ({ page }) => {
  await openSample(page);
  await page.getByRole('button', { name: 'Context' }).click();
  await page.getByLabel('Compact at (tokens)').fill('50000');
  await page.getByRole('button', { name: 'Compact now' }).click();
  await expect(page.getByText(/^Context compacted:/u)).toBeVisible();
  await expect(windowMark(page)).toBeVisible();
});
