// The user's promise: a detail that has left the model's window is found again, word for word.
import { expect, type Page, test } from '@playwright/test';
import {
  AIRLINE,
  AIRLINE_RUNS,
  answered,
  ask,
  hasAirlineRuns,
  lastNote,
  lastRead,
  lastSearch,
  messages,
  notebook,
  openSample,
  pickFile,
  type Question,
  SAMPLE,
  transcript,
  windowMark,
} from './demo.js';

/** Asks and follows the agent's way: search, read, note with its source, right answer. */
async function asksAndFinds(page: Page, { question, answer }: Question): Promise<void> {
  await ask(page, question);
  await expect(lastSearch(page).getByRole('listitem').first()).toBeVisible();
  await expect(lastRead(page)).toContainText(answer);
  await expect(messages(page).last()).toContainText(answer);
}

async function keepsItsPromise(page: Page, question: Question): Promise<void> {
  await asksAndFinds(page, question);
  await expect(windowMark(page)).toBeVisible();
  await expect(lastSearch(page).getByText('origin: active').first()).toBeVisible();
  await expect(lastNote(page).getByRole('link')).toBeVisible();
  await expect(notebook(page)).toContainText(question.answer);

  // From the hit to its source: the words that were found are marked there.
  await lastSearch(page).getByRole('link').filter({ hasText: question.answer }).first().click();
  const source = transcript(page).locator('.excerpt mark').first();
  await expect(source).toBeInViewport();

  await page.reload();
  await answered(page);
  await expect(source).toBeInViewport();
  await expect(windowMark(page)).toBeVisible();
  await expect(notebook(page)).toContainText(question.answer);
  await asksAndFinds(page, question);

  await page.getByRole('button', { name: 'Context' }).click();
  await page.getByRole('button', { name: 'Compact and prune' }).click();
  await expect(page.getByText(/removed from the checkpoint; the archive still holds/u)).toBeVisible();
  await asksAndFinds(page, question);
  const archived = lastSearch(page).getByRole('listitem').filter({ hasText: 'origin: archive' });
  await expect(archived.filter({ hasText: question.answer }).first()).toBeVisible();
  await expect(lastRead(page)).toContainText('origin: archive');
}

test('a detail of the sample is found again, after a reload and after pruning', async ({ page }) => {
  await openSample(page);
  await keepsItsPromise(page, SAMPLE);
});

test('a reservation number of a recorded run is found again, after a reload and after pruning', async ({
  page,
}) => {
  test.skip(!hasAirlineRuns, `The recorded runs are not on this machine: ${AIRLINE_RUNS} is missing.`);
  await page.goto('/');
  await pickFile(page, AIRLINE_RUNS);
  await page.getByRole('dialog').getByRole('button').filter({ hasText: AIRLINE.run }).first().click();
  await expect(messages(page).first()).toBeVisible();
  await keepsItsPromise(page, AIRLINE);
});
