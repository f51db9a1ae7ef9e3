// The user's promise: a conversation is carried away as one file and comes back whole, or nothing happens.
import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import {
  ask,
  complaints,
  composer,
  lastRead,
  messages,
  notebook,
  openSample,
  SAMPLE,
  transcript,
  windowMark,
} from './demo.js';

const list = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const alert = (page: Page) => page.getByRole('main').getByRole('alert');

async function menu(page: Page, item: string): Promise<void> {
  await list(page)
    .getByRole('button', { name: /^More for/u })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** The sample with a note, its old messages pruned, so that only its archive has them; and its file. */
async function exportSample(page: Page): Promise<Buffer> {
  await openSample(page);
  await ask(page, SAMPLE.question);
  await page.getByRole('button', { name: 'Context' }).click();
  await page.getByRole('button', { name: 'Compact and prune' }).click();
  await expect(page.getByText(/removed from the checkpoint; the archive still holds/u)).toBeVisible();
  const download = page.waitForEvent('download');
  await menu(page, 'Export');
  const file = await download;
  expect(file.suggestedFilename()).toBe('A pottery moves across the harbour.threadkeep');
  return readFile(await file.path());
}

async function importFile(page: Page, buffer: Buffer, name = 'talk.threadkeep'): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /Import a conversation|Open a recorded conversation/u }).click();
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer });
}

async function drop(page: Page, buffer: Buffer, name: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([bytes, file]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], file));
      return transfer;
    },
    [[...buffer], name] as const,
  );
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer: data });
}

test('an exported conversation comes back after its deletion: messages, notes, questions and archive', async ({
  page,
}) => {
  const heard = complaints(page);
  const file = await exportSample(page);
  const before = await messages(page).allTextContents();
  await menu(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(list(page).getByRole('link')).toHaveCount(0);

  await importFile(page, file);
  await expect(title(page)).toHaveText('A pottery moves across the harbour');
  await expect(page.getByText(/^Imported: \d+ checkpoints, \d+ archived sources\.$/u)).toBeVisible();
  await expect(messages(page)).toHaveCount(before.length);
  await expect(notebook(page)).toContainText(SAMPLE.answer);
  await expect(
    page.getByRole('list', { name: 'Suggested questions' }).getByRole('button').first(),
  ).toBeVisible();
  await ask(page, SAMPLE.question);
  await expect(lastRead(page)).toContainText('origin: archive');
  await expect(messages(page).last()).toContainText(SAMPLE.answer);
  expect(heard).toEqual([]);
});

test('a conversation that is here is kept beside the imported one, or replaced, or left alone', async ({
  page,
}) => {
  const file = await exportSample(page);
  await ask(page, 'Something said after the export');
  const count = await messages(page).count();
  const place = page.getByRole('dialog', { name: 'This conversation is here already' });

  await drop(page, file, 'talk.threadkeep');
  await expect(place).toContainText('talk.threadkeep');
  await page.keyboard.press('Escape');
  await expect(place).toHaveCount(0);
  await expect(messages(page)).toHaveCount(count);

  await importFile(page, file);
  await place.getByRole('button', { name: 'Keep both' }).click();
  await expect(list(page).getByRole('link')).toHaveCount(2);
  await expect(transcript(page)).not.toContainText('Something said after the export');
  await ask(page, SAMPLE.question);
  await expect(lastRead(page)).toContainText('origin: archive');
  await expect(messages(page).last()).toContainText(SAMPLE.answer);

  await list(page).getByRole('link').last().click();
  await expect(transcript(page)).toContainText('Something said after the export');
  await importFile(page, file);
  await place.getByRole('button', { name: 'Replace the one here' }).click();
  await expect(transcript(page)).not.toContainText('Something said after the export');
  await expect(list(page).getByRole('link')).toHaveCount(2);
  await expect(windowMark(page)).toBeVisible();
});

test('a damaged file is refused in words and changes nothing, not even what was typed', async ({ page }) => {
  const file = await exportSample(page);
  await composer(page).fill('half a sentence');
  const before = await messages(page).count();
  const turned = Buffer.from(file);
  turned.writeUInt8((turned.readUInt8(file.length >> 1) + 1) % 256, file.length >> 1);
  for (const [name, bytes, reason] of [
    ['turned.threadkeep', turned, 'It is damaged'],
    ['cut.threadkeep', file.subarray(0, file.length - 100), 'It is damaged'],
    ['cut-and-renamed.bin', file.subarray(0, 60), 'It is damaged'],
    ['other.threadkeep', Buffer.from('{"messages":[]}'), 'It is no conversation that was exported here'],
    ['empty.threadkeep', Buffer.alloc(0), 'It is no conversation that was exported here'],
  ] as const) {
    await drop(page, bytes, name);
    await expect(alert(page)).toContainText(`${name} was not opened. ${reason}`);
  }
  await expect(list(page).getByRole('link')).toHaveCount(1);
  await expect(messages(page)).toHaveCount(before);
  await expect(composer(page)).toHaveValue('half a sentence');
});
