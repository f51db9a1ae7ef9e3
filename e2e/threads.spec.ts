// The user's promise: conversations are easy to begin, name, find and delete, and deleting leaves nothing behind.
import { expect, type Page, test } from '@playwright/test';
import { ask, complaints, composer, messages, openSample, SAMPLE, transcript } from './demo.js';

const list = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });
const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('a new conversation begins with the first message, is named after it, and is there after a reload', async ({
  page,
}) => {
  const heard = complaints(page);
  await openSample(page);
  await list(page).getByRole('button', { name: 'New conversation' }).click();
  await expect(title(page)).toHaveText('New conversation');
  await expect(composer(page)).toBeFocused();
  await expect(list(page).getByRole('link')).toHaveCount(1);
  await composer(page).fill('The gate code is 4711-B.');
  await page.reload();
  await expect(composer(page)).toHaveValue('The gate code is 4711-B.');

  await ask(page, 'The gate code is 4711-B.');
  await expect(title(page)).toHaveText('The gate code is 4711-B.');
  await expect(list(page).getByRole('link').first()).toContainText('The gate code is 4711-B.');
  await expect(list(page).getByRole('link').first()).toContainText(/now · \d messages/u);
  await page.reload();
  await expect(messages(page).first()).toContainText('4711-B');
  await list(page).getByRole('button', { name: 'New conversation' }).click();
  await expect(composer(page)).toHaveValue('');
  await expect(messages(page)).toHaveCount(0);
  expect(heard).toEqual([]);
});

test('a conversation is renamed by keyboard alone, and keeps its name', async ({ page }) => {
  await openSample(page);
  await list(page)
    .getByRole('button', { name: /^More for/u })
    .focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Export' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Rename the conversation' })).toBeVisible();
  await page.keyboard.type('Kilns <b>& crates</b>');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Kilns <b>& crates</b>');
  await page.reload();
  await expect(title(page)).toHaveText('Kilns <b>& crates</b>');

  await list(page)
    .getByRole('button', { name: /^More for/u })
    .focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(list(page).getByRole('button', { name: /^More for/u })).toBeFocused();
});

test('conversations are found by words of their titles, which are marked', async ({ page }) => {
  await openSample(page);
  await list(page).getByRole('button', { name: 'New conversation' }).click();
  await ask(page, 'Another matter altogether');
  const search = list(page).getByRole('searchbox');
  await search.fill('harbour POTTERY');
  await expect(list(page).getByRole('link')).toHaveCount(1);
  await expect(list(page).locator('mark')).toHaveText(['pottery', 'harbour']);
  await search.fill('zebra');
  await expect(list(page)).toContainText('No conversation is called “zebra”.');
  await search.press('Escape');
  await expect(list(page).getByRole('link')).toHaveCount(2);
});

test('deleting says what goes, can be thought better of, and leaves nothing behind', async ({ page }) => {
  await openSample(page);
  await ask(page, SAMPLE.question);
  const address = page.url();
  await list(page)
    .getByRole('button', { name: /^More for/u })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: /^Delete “/u });
  await expect(dialog).toContainText(/\d+ messages and \d+ checkpoints, about [\d.]+ [kM]B/u);
  await expect(dialog).toContainText(/its archive: \d+ sources in \d+ batch(es)?, [\d.]+ kB/u);
  await page.keyboard.press('Escape');
  await expect(messages(page).first()).toBeVisible();
  expect(await storedText(page)).toContain(SAMPLE.answer);

  await list(page)
    .getByRole('button', { name: /^More for/u })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(list(page).getByRole('link')).toHaveCount(0);
  await expect(transcript(page)).toBeHidden();

  await page.goto(address);
  await page.reload();
  await expect(page.getByText('There is no such conversation in this browser.')).toBeVisible();
  expect(await storedText(page)).not.toContain(SAMPLE.answer);
});

/** All that the page's databases and its origin's files hold, as one text. */
function storedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const decoder = new TextDecoder('latin1');
    const pieces: string[] = [];
    const take = (value: unknown): void => {
      if (value instanceof Uint8Array) pieces.push(decoder.decode(value));
      else if (value instanceof ArrayBuffer) pieces.push(decoder.decode(value));
      else if (typeof value === 'string') pieces.push(value);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(take);
    };
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).getAll();
        take(
          await new Promise((resolve) =>
            Object.assign(request, { onsuccess: () => resolve(request.result) }),
          ),
        );
      }
      database.close();
    }
    const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const entry of Reflect.get(folder, 'values').call(
        folder,
      ) as AsyncIterable<FileSystemHandle>) {
        if (entry instanceof FileSystemDirectoryHandle) await walk(entry);
        else if (entry instanceof FileSystemFileHandle) take(await (await entry.getFile()).arrayBuffer());
      }
    };
    await walk(await navigator.storage.getDirectory());
    return pieces.join('\n');
  });
}
