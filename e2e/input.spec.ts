// The user's promise: a bad file is named, and nothing that is already on the page is lost.
import { expect, type Page, test } from '@playwright/test';
import {
  answered,
  ask,
  composer,
  lastSearch,
  messages,
  openSample,
  pickFile,
  SAMPLE,
  transcript,
} from './demo.js';

const BAD_FILES: readonly { readonly what: string; readonly text: string; readonly says: RegExp }[] = [
  { what: 'is empty', text: '', says: /empty/iu },
  { what: 'is no JSON', text: 'Dear diary, today…', says: /not (valid )?JSON/iu },
  { what: 'holds no conversation', text: '{"colour": "green"}', says: /no conversation|messages/iu },
  {
    what: 'has an unknown role',
    text: JSON.stringify([
      { role: 'user', content: 'Hi' },
      { role: 'wizard', content: 'Abracadabra' },
    ]),
    says: /wizard/u,
  },
  { what: 'is too large', text: ' '.repeat(26 * 1_024 * 1_024), says: /files up to 25 MB/u },
];

for (const { what, text, says } of BAD_FILES) {
  test(`a file that ${what} is refused by name, and what was typed survives`, async ({ page }) => {
    await openSample(page);
    await composer(page).fill('Half a thought');
    const before = await messages(page).count();
    const address = page.url();

    await pickFile(page, { name: 'recording.json', text });
    await expect(page.getByRole('alert').filter({ hasText: says })).toContainText('recording.json');

    expect(page.url()).toBe(address);
    expect(await messages(page).count()).toBe(before);
    await expect(composer(page)).toHaveValue('Half a thought');
    await expect(page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')).toHaveCount(1);
  });
}

test('a dropped recording opens, its markup shown as text', async ({ page }) => {
  await page.goto('/');
  const text = JSON.stringify([
    { role: 'user', content: 'My seat is 12A <img src=x onerror=alert(1)>' },
    { role: 'assistant', content: 'Noted: seat **12A**.' },
  ]);
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], 'seat.json', { type: 'application/json' }));
    return data;
  }, text);
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer: transfer });
  await expect(messages(page)).toHaveCount(2);
  await expect(messages(page).first()).toContainText('12A <img src=x onerror=alert(1)>');
  await expect(transcript(page).getByRole('img')).toHaveCount(0);
});

test('a run can be stopped, and the conversation goes on', async ({ page }) => {
  await openSample(page);
  await composer(page).fill(SAMPLE.question);
  await stopAtFirstSearch(page);
  await composer(page).press('Enter');
  await answered(page);
  await expect(page.getByText('The last run ended before its answer.')).toBeVisible();

  await ask(page, SAMPLE.question);
  await expect(messages(page).last()).toContainText(SAMPLE.answer);
});

test('after a reload in the middle of a run, what was typed is there and the run can go on', async ({
  page,
}) => {
  await openSample(page);
  await composer(page).fill(SAMPLE.question);
  await composer(page).press('Enter');
  await composer(page).fill('And another thing');
  await expect(lastSearch(page)).toBeVisible();
  await page.reload();
  await answered(page);
  await expect(transcript(page).getByRole('article', { name: 'You' }).last()).toContainText(SAMPLE.question);
  await expect(composer(page)).toHaveValue('And another thing');

  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(messages(page).last()).toContainText(SAMPLE.answer);
});

test('a message that a reload overtakes is in the conversation or back in the composer', async ({ page }) => {
  await openSample(page);
  await composer(page).fill(SAMPLE.question);
  await composer(page).press('Enter');
  await page.reload();
  await answered(page);
  const written = async () =>
    `${await transcript(page).textContent()}\n${await composer(page).inputValue()}`.includes(SAMPLE.question);
  await expect.poll(written).toBe(true);
});

/** Presses Stop in the moment a search stands in the conversation, however busy the machine: a run takes a second. */
async function stopAtFirstSearch(page: Page): Promise<void> {
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      if (!document.body.textContent.includes('Searched the history')) return;
      document.querySelector<HTMLElement>('button[aria-label="Stop"]')?.click();
      observer.disconnect();
    }).observe(document.body, { subtree: true, childList: true });
  });
}
