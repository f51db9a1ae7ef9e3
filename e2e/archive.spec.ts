// The user's promise: what was archived can be looked into, searched, carried away, brought back and removed.
import { readFile } from 'node:fs/promises';
import { type Download, expect, type Page, test } from '@playwright/test';
import { ask, complaints, messages, openSample, SAMPLE, transcript, windowMark } from './demo.js';

const beside = (page: Page) => page.getByRole('complementary', { name: /Notebook|Timeline|Search|Archive/u });
const inspector = (page: Page) => page.getByRole('tabpanel', { name: 'Archive' });
const gauge = (page: Page, name: string) => inspector(page).getByRole('meter', { name });
const batches = (page: Page) => inspector(page).getByRole('list', { name: 'Batches' }).getByRole('listitem');
const told = (page: Page) => inspector(page).getByRole('status');

/** The sample with one compaction, and the inspector open beside it. */
async function inspectSample(page: Page): Promise<void> {
  await openSample(page);
  await ask(page, SAMPLE.question);
  await expect(windowMark(page)).toBeVisible();
  await page.getByRole('tab', { name: 'Archive' }).click();
  await expect(batches(page).first()).toBeVisible();
}

async function prune(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Context' }).click();
  await page.getByRole('button', { name: 'Compact and prune' }).click();
  await expect(page.getByText(/removed from the checkpoint; the archive still holds/u)).toBeVisible();
}

async function exported(page: Page): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await inspector(page).getByRole('button', { name: 'Export .sqlite' }).click();
  return readFile(await pathOf(await download));
}

async function pathOf(download: Download): Promise<string> {
  expect(download.suggestedFilename()).toMatch(/^[\p{L}\p{N} ,.’-]+\.sqlite$/u);
  return download.path();
}

async function give(page: Page, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await inspector(page).getByRole('button', { name: 'Import…' }).click();
  await (await chooser).setFiles({ name, mimeType: 'application/vnd.sqlite3', buffer });
}

test('the inspector tells what is archived, how full it is, and how much room there is', async ({ page }) => {
  const heard = complaints(page);
  await openSample(page);
  await page.getByRole('tab', { name: 'Notebook' }).focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('tab', { name: 'Archive' })).toBeFocused();
  await expect(inspector(page)).toContainText('Nothing is archived yet.');
  await expect(inspector(page).getByRole('button', { name: 'Export .sqlite' })).toBeDisabled();
  await ask(page, SAMPLE.question);

  await expect(batches(page).first()).toContainText(/now.*\d+ sources?, [\d.]+ kB/u);
  const count = await batches(page).count();
  await expect(gauge(page, 'Batches')).toHaveAttribute('aria-valuetext', `${count} of 32`);
  await expect(gauge(page, 'Pages')).toHaveAttribute('aria-valuetext', /^\d+ of 32,768$/u);
  await expect(gauge(page, 'Storage')).toHaveAttribute('aria-valuetext', /B of [\d.,]+ [MG]B$/u);
  await expect(inspector(page)).toContainText('1 conversation has an archive');
  expect(heard).toEqual([]);
});

test('a person finds what the agent finds: live and archived, with role and age, and the way to the words', async ({
  page,
}) => {
  await inspectSample(page);
  await prune(page);
  await page.getByRole('tab', { name: 'Search' }).click();
  await beside(page).getByRole('searchbox').fill('berth contract number QY11-0386');
  await page.keyboard.press('Enter');
  const hits = beside(page).getByRole('listitem');
  const archived = hits.filter({ hasText: 'origin: archive' }).filter({ hasText: SAMPLE.answer }).first();
  await expect(archived).toContainText(/archived (now|\d+ min\. ago)/u);
  await archived.getByRole('button', { name: 'Read the source' }).click();
  await expect(archived.locator('.page-text mark').filter({ hasText: SAMPLE.answer })).toBeInViewport();

  const live = hits.filter({ hasText: 'origin: active' }).filter({ hasText: SAMPLE.answer }).first();
  await expect(live).toContainText(/message \d+ of \d+/u);
  await live.getByRole('link').click();
  await expect(transcript(page).locator('mark').filter({ hasText: SAMPLE.answer }).first()).toBeInViewport();
});

test('an archive is exported, deleted, and found again once it is imported', async ({ page }) => {
  await inspectSample(page);
  await prune(page);
  const file = await exported(page);
  expect(file.subarray(0, 15).toString()).toBe('SQLite format 3');
  const before = await batches(page).count();

  await inspector(page).getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the archive?' });
  await expect(dialog).toContainText(/\d+ batch(es)? with \d+ sources, [\d.]+ kB/u);
  await expect(dialog).toContainText(/the only words left of \d+ messages/u);
  await page.keyboard.press('Escape');
  await expect(batches(page)).toHaveCount(before);
  await inspector(page).getByRole('button', { name: 'Delete…' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(told(page)).toContainText('The archive was deleted.');
  await expect(inspector(page)).toContainText('Nothing is archived yet.');

  await give(page, 'archive.sqlite', file);
  await expect(told(page)).toContainText(/Imported: \d+ batch(es)?, \d+ sources\./u);
  await expect(batches(page)).toHaveCount(before);
  await expect(batches(page).filter({ hasText: 'not reachable' })).toHaveCount(0);
  await ask(page, SAMPLE.question);
  await expect(messages(page).last()).toContainText(SAMPLE.answer);
});

test('a damaged file, and another thread’s, are refused in words and change nothing', async ({ page }) => {
  await inspectSample(page);
  const file = await exported(page);
  const before = await batches(page).allTextContents();
  const replacing = page.getByRole('dialog', { name: 'Replace the archive?' });
  const refuses = async (name: string, buffer: Buffer) => {
    await give(page, name, buffer);
    await replacing.getByRole('button', { name: 'Replace' }).click();
    await expect(told(page)).toContainText(`${name} was not imported, and nothing was changed.`);
    await expect(told(page)).toContainText('The file is damaged, or is no archive of this conversation.');
    await expect(batches(page)).toHaveCount(before.length);
  };
  await refuses('cut.sqlite', file.subarray(0, file.length - 4_096));
  await refuses('text.sqlite', Buffer.from('no database at all'));
  const turned = Buffer.from(file);
  turned.fill(0x55, file.length - 4_096, file.length - 2_048);
  await refuses('turned.sqlite', turned);

  await give(page, 'good.sqlite', file);
  await expect(replacing).toContainText('good.sqlite');
  await page.keyboard.press('Escape');
  await expect(replacing).toHaveCount(0);

  await page.getByRole('navigation').getByRole('button', { name: 'New conversation' }).click();
  await ask(page, 'Another matter');
  await expect(inspector(page)).toContainText('Nothing is archived yet.');
  await give(page, 'of-another.sqlite', file);
  await expect(told(page)).toContainText('of-another.sqlite was not imported');
  await expect(inspector(page)).toContainText('Nothing is archived yet.');
});

test('on a narrow page a question over the inspector is answered by Escape, and the inspector stays', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openSample(page);
  await ask(page, SAMPLE.question);
  await page.getByRole('button', { name: 'Notebook, timeline, search and archive' }).click();
  await page.getByRole('tab', { name: 'Archive' }).click();
  await inspector(page).getByRole('button', { name: 'Delete…' }).click();
  await expect(page.getByRole('dialog', { name: 'Delete the archive?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(batches(page).first()).toBeVisible();
  const panel = await beside(page).evaluate((element) => [element.scrollWidth, element.clientWidth]);
  expect(panel[0]).toBe(panel[1]);
  await page.keyboard.press('Escape');
  await expect(inspector(page)).toBeHidden();
});

test('the browser is asked to keep the storage, and its answer stands on the page', async ({
  page,
  context,
}) => {
  await inspectSample(page);
  const keep = inspector(page).getByRole('button', { name: 'Ask the browser to keep it' });
  await expect(inspector(page)).toContainText('may clear all of it by itself');
  await keep.click();
  await expect(told(page)).toContainText('The browser did not agree.');
  const browser = await context.newCDPSession(page);
  const { targetInfo } = await browser.send('Target.getTargetInfo');
  await browser.send('Browser.grantPermissions', {
    ...(targetInfo.browserContextId === undefined ? {} : { browserContextId: targetInfo.browserContextId }),
    origin: new URL(page.url()).origin,
    permissions: ['durableStorage'],
  });
  await keep.click();
  await expect(inspector(page)).toContainText('The browser keeps it until you delete it.');
  await expect(keep).toBeHidden();
});
