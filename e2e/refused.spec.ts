// The user's promise: without an archive the agent goes on, and the page says what is missing.
import { expect, chromium as playwright, test } from '@playwright/test';
import { chromium } from './chromium.mjs';
import { ask, lastSearch, messages, openSample, PORT, SAMPLE } from './demo.js';

for (const [what, path] of [
  ['worker', /\/assets\/main-[^/]*\.js$|worker[^/]*\.js$/u],
  ['SQLite program', /\.wasm$/u],
] as const) {
  test(`when the archive’s ${what} cannot be loaded, the page says so and the agent still answers`, async ({
    page,
  }) => {
    await page.route(path, (route) => route.abort());
    await openSample(page);
    await expect(page.getByText('Archive: unavailable')).toBeVisible();
    await expect(page.getByText(/The archive cannot be used now/u)).toBeVisible();

    await ask(page, SAMPLE.question);
    await expect(messages(page).last()).toContainText(SAMPLE.answer);
    await expect(lastSearch(page).getByText('origin: active').first()).toBeVisible();
  });
}

test('on an insecure origin the archive lives in memory, the page says so, and the agent finds what left', async () => {
  const browser = await playwright.launch({
    ...chromium,
    args: [...chromium.args, '--host-resolver-rules=MAP insecure.test 127.0.0.1'],
  });
  try {
    const page = await browser.newPage({ baseURL: `http://insecure.test:${PORT}` });
    await openSample(page);
    await expect(page.getByText('Archive: in memory only')).toBeVisible();
    await expect(page.getByText(/The archive lives in memory and ends with this page/u)).toBeVisible();

    await ask(page, SAMPLE.question);
    await expect(messages(page).last()).toContainText(SAMPLE.answer);

    await page.reload();
    await expect(messages(page).last()).toContainText(SAMPLE.answer);
  } finally {
    await browser.close();
  }
});
