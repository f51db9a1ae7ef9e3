// The user's promise: whatever state the browser is in, the page says so, and no text that was typed is lost.
import { expect, type Page, test } from '@playwright/test';
import { ask, composer, messages, openSample, PORT, SAMPLE, sendTyped, transcript } from './demo.js';

const DETAIL = { question: 'How much was the deposit for the barge?', answer: '370' };

/** Drops a file on the page as a hand would. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ name, text }) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name, { type: 'application/json' }));
      return data;
    },
    { name, text },
  );
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer: transfer });
}

test('with the storage full a message comes back to the composer, and goes out once there is room', async ({
  page,
}) => {
  // A browser's own quota lets some small writes through, and which differs from run to run.
  await page.addInitScript(() => {
    for (const name of ['put', 'add'] as const) {
      const write = IDBObjectStore.prototype[name];
      IDBObjectStore.prototype[name] = function (this: IDBObjectStore, ...args: [unknown, IDBValidKey?]) {
        if ('isFull' in globalThis) throw new DOMException('Quota exceeded.', 'QuotaExceededError');
        return write.apply(this, args);
      };
    }
  });
  await openSample(page);
  await ask(page, SAMPLE.question);
  const before = await messages(page).count();
  await page.evaluate(() => Object.assign(globalThis, { isFull: true }));

  const text = `Please remember this list. ${'One more thing to bring along. '.repeat(20)}`.trim();
  await composer(page).fill(text);
  await sendTyped(page);
  await expect(
    page.getByRole('alert').getByText(/The browser has no more room for this page/u),
  ).toBeVisible();
  await expect(composer(page)).toHaveValue(text);
  await expect(messages(page)).toHaveCount(before);

  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'isFull'));
  await sendTyped(page);
  await expect(messages(page).last()).toContainText('Noted: “Please remember this list.”');
  await expect(composer(page)).toHaveValue('');
});

test('a damaged archive is set aside: the page goes on, and finds what the checkpoint holds', async ({
  page,
  context,
}) => {
  await openSample(page);
  await ask(page, SAMPLE.question);
  const address = page.url();
  await page.close();

  const other = await context.newPage();
  await other.goto('/service-worker.js');
  const damaged = await other.evaluate(async () => {
    let count = 0;
    const damage = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const entry of folder.values()) {
        if (entry instanceof FileSystemDirectoryHandle) await damage(entry);
        else if (entry instanceof FileSystemFileHandle) {
          const { size } = await entry.getFile();
          // The pool's own header stands before the database's.
          if (size < 8_192) continue;
          const file = await entry.createWritable({ keepExistingData: true });
          await file.write({ type: 'write', position: 4_096, data: 'x'.repeat(size - 4_096) });
          await file.close();
          count += 1;
        }
      }
    };
    await damage(await navigator.storage.getDirectory());
    return count;
  });
  expect(damaged).toBeGreaterThan(0);

  await other.goto(address);
  await expect(messages(other).last()).toContainText(SAMPLE.answer);
  await ask(other, DETAIL.question);
  // The search that met the damage says so; the next one finds a fresh file.
  await expect(
    other.getByText('The archive is unavailable; only the checkpoint was searched.'),
  ).toBeVisible();
  await expect(messages(other).last()).toContainText(DETAIL.answer);
});

test('where the browser keeps no files, as in a private window, the archive is in memory and the page says so', async ({
  page,
}) => {
  // The refusal as Firefox and Safari word it in a private window.
  const refusal = `navigator.storage.getDirectory = () => Promise.reject(new DOMException('Not here.', 'SecurityError'));`;
  await page.route(/\/assets\/main-[^/]*\.js$/u, async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    await route.fulfill({ response, body: `${refusal}${body}` });
  });
  await openSample(page);
  await expect(page.getByText('Archive: in memory only')).toBeVisible();
  await expect(page.getByText(/kept, except in a private window/u)).toBeVisible();
  await composer(page).fill('Half a thought');
  await page.reload();
  await expect(composer(page)).toHaveValue('Half a thought');
  await expect(page.getByText('Archive: in memory only')).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
});

test.describe('a browser that cannot run the page', () => {
  const told = (page: Page) => page.getByText(/This page could not start/u);

  test('is told so where the program cannot be read', async ({ page }) => {
    await page.route(/\/assets\/index-[^/]*\.js$/u, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'const a = #no;' }),
    );
    await page.goto('/');
    await expect(told(page)).toBeVisible();
    await expect(page.getByText('本页无法启动。')).toBeVisible();
  });

  test('is told so where there is no database', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }));
    await page.goto('/');
    await expect(told(page)).toBeVisible();
  });

  test('is told so without JavaScript', async ({ browser }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      baseURL: `http://localhost:${PORT}`,
    });
    const page = await context.newPage();
    await page.goto('/');
    await expect(told(page)).toBeVisible();
    await context.close();
  });

  test('any other never sees that', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Open the sample conversation' })).toBeVisible();
    await expect(told(page)).toHaveCount(0);
  });
});

test('a draft that the browser cannot keep is asked about before a reload loses it, and can be sent', async ({
  page,
}) => {
  await openSample(page);
  // The storage for drafts holds five million characters or so; here something else has taken them.
  await page.evaluate(() => {
    for (let size = 4_000_000; size >= 1_000; size = Math.floor(size / 2)) {
      try {
        for (let at = 0; ; at += 1) sessionStorage.setItem(`other-${size}-${at}`, 'x'.repeat(size));
      } catch {
        // Full for this size; a smaller one may still fit.
      }
    }
  });
  const text = `Please remember this list. ${'One more thing to bring along. '.repeat(100)}`.trim();
  await composer(page).fill(text);
  const asked = page.waitForEvent('dialog');
  const leaving = page.evaluate(() => location.reload());
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await leaving;
  await expect(composer(page)).toHaveValue(text);
  await sendTyped(page);
  await expect(messages(page).last()).toContainText('Noted: “Please remember this list.”');
});

test('a message of 200,000 characters is answered and stands in the page by its beginning', async ({
  page,
}) => {
  await openSample(page);
  await composer(page).fill(`The code word is xylophone. ${'All work and no play. '.repeat(9_000)}`);
  await sendTyped(page);
  await expect(page.getByRole('button', { name: /^Show all 19\d,\d{3} characters$/u })).toBeVisible();
  await expect(messages(page).last()).toContainText('Noted: “The code word is xylophone.”');
  await expect(composer(page)).toHaveValue('');
});

test('a dropped file of 20 MB opens whole, says that it is being read, and what was typed stays', async ({
  page,
}) => {
  await openSample(page);
  await composer(page).fill('Half a thought');
  const address = page.url();
  const list = Array.from({ length: 2_000 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index}. ${'All work and no play. '.repeat(476)}`,
  }));
  const text = JSON.stringify(list);
  expect(text.length).toBeGreaterThan(20e6);
  await drop(page, 'large.json', text);
  await expect(page.getByText('Opening large.json…')).toBeVisible();
  await expect(messages(page).last()).toContainText('Message 1999.');
  await expect(page.getByText('Opening large.json…')).toHaveCount(0);
  await page.goto(address);
  await expect(composer(page)).toHaveValue('Half a thought');
});

test('a lost network is told; the answer that it cost can be asked for again', async ({ page, context }) => {
  await openSample(page);
  await composer(page).fill('Half a thought');
  await context.setOffline(true);
  await expect(
    page.getByText('There is no network. None is needed: all of this page goes on.'),
  ).toBeVisible();
  await expect(composer(page)).toHaveValue('Half a thought');
  await ask(page, SAMPLE.question);
  await expect(transcript(page).getByText(SAMPLE.answer).last()).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('The network is back.')).toBeVisible();
});
