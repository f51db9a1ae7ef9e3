// The user's promise: what fills the model's window is in sight, and what it was sent can be read as it left.
import { expect, type Page, test } from '@playwright/test';
import { ask, complaints, openSample, SAMPLE, transcript } from './demo.js';

const context = (page: Page) => page.getByRole('button', { name: 'Context', exact: true });
const popover = (page: Page) => page.getByRole('dialog', { name: 'Context window' });
const requests = (page: Page) => page.getByRole('dialog', { name: 'What the model was sent' });

const numberIn = (text: string | null) => Number(/[\d,]+/u.exec(text ?? '')?.[0].replaceAll(',', ''));

test('the window is told by its parts, which add up, beside the trigger; on a narrow page too', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSample(page);
  await ask(page, SAMPLE.question);
  await context(page).click();
  const figure = async (name: string) =>
    numberIn(await popover(page).locator('dl > div').filter({ hasText: name }).locator('dd').textContent());
  const parts = ['Instructions', 'Tools', 'Notes', 'Summary', 'Messages'];
  let sum = 0;
  for (const part of parts) {
    const tokens = await figure(part);
    expect(tokens, part).toBeGreaterThan(0);
    sum += tokens;
  }
  expect(await figure('All, estimated')).toBe(sum);
  expect(await figure('Compacts at')).toBe(3_000);
  await page.getByLabel('Compact at (tokens)').fill('9000');
  await page.getByLabel('Compact at (tokens)').press('Tab');
  await expect(popover(page).locator('dl > div').last()).toContainText('9,000');
});

test('each call of the model can be read as it was sent, part by part, by key alone', async ({ page }) => {
  const heard = complaints(page);
  await openSample(page);
  await context(page).press('Enter');
  await page.getByRole('button', { name: 'Requests as sent' }).press('Enter');
  await expect(requests(page)).toContainText('The model has not been called');
  await page.keyboard.press('Escape');
  await expect(requests(page)).toHaveCount(0);
  await expect(context(page)).toBeFocused();

  await ask(page, `${SAMPLE.question} <b>bold</b>`);
  await context(page).press('Enter');
  await page.getByRole('button', { name: 'Requests as sent' }).press('Enter');
  const calls = requests(page).getByRole('combobox', { name: 'Model call' });
  await expect(calls.getByRole('option').first()).toHaveText(/tokens: after/u);
  await expect(calls.getByRole('option').last()).toContainText('<b>bold</b>');
  await calls.focus();
  await page.keyboard.press('End');

  const part = async (name: RegExp) => {
    const fold = requests(page).getByRole('group').filter({ hasText: name });
    await fold.locator('summary').press('Enter');
    return fold;
  };
  await expect(await part(/^Instructions/u)).toContainText('history_search');
  await expect(await part(/^Tools/u)).toContainText('"parameters"');
  const summary = await part(/^Summary/u);
  await expect(summary).toContainText('QY11-0386');
  // What the model alone reads stands here, and nowhere in the conversation.
  await expect(await part(/^Notes/u)).toContainText('<durable_context_data>');
  await expect(transcript(page)).not.toContainText('durable_context_data');
  const messages = await part(/^Messages/u);
  await expect(messages.locator('pre').last()).toHaveText(`${SAMPLE.question} <b>bold</b>`);
  await expect(messages.locator('b')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(requests(page)).toHaveCount(0);
  expect(heard).toEqual([]);
});

test('only the last calls are kept, and they end with the page', async ({ page }) => {
  await page.goto('/#/new');
  for (const turn of [1, 2, 3, 4, 5, 6]) await ask(page, `What is said about crate ${turn}?`);
  await context(page).click();
  await page.getByRole('button', { name: 'Requests as sent' }).click();
  await expect(requests(page).getByRole('option')).toHaveCount(8);
  await page.reload();
  await context(page).click();
  await page.getByRole('button', { name: 'Requests as sent' }).click();
  await expect(requests(page)).toContainText('The model has not been called');
});
