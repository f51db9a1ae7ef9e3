// The user's promise: after the first visit the page needs no network, and is never made of two versions.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { sealVersion } from '../scripts/offline.mjs';
import { ask, complaints, messages, openSample, SAMPLE, windowMark } from './demo.js';

test.use({ serviceWorkers: 'allow' });

const BUILT = fileURLToPath(new URL('../build/demo', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Resolves when the browser keeps the page. */
async function isKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active === null || active.state === 'activated') return;
    await new Promise((resolve) => {
      active.addEventListener('statechange', () => {
        if (active.state === 'activated') resolve(null);
      });
    });
  });
}

test('without a network the page opens again, answers, compacts, and searches its archive', async ({
  page,
  context,
}) => {
  const heard = complaints(page);
  await page.goto('/');
  await isKept(page);
  await context.setOffline(true);
  await page.reload();

  await openSample(page);
  await ask(page, SAMPLE.question);
  await expect(messages(page).last()).toContainText(SAMPLE.answer);
  await expect(windowMark(page)).toBeVisible();
  await expect(page.getByText('Archive: kept on this device')).toBeVisible();

  await page.reload();
  await page.getByRole('tab', { name: 'Search' }).click();
  await expect(page.getByText(/batch(es)? of its archive/u)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search the history' }).fill('berth contract');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tabpanel').getByText(SAMPLE.answer).first()).toBeVisible();
  expect(heard).toEqual([]);
});

test.describe('when a new version is put up', () => {
  let folder: string;
  let server: Server;
  let address: string;

  test.beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'threadkeep-versions-'));
    cpSync(BUILT, folder, { recursive: true });
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
      try {
        const body = readFileSync(join(folder, name));
        response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' });
        response.end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    const at = server.address();
    address = `http://localhost:${typeof at === 'object' ? at?.port : at}/`;
  });

  test.afterEach(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  /** Makes the page another version: its own text, and the list of the files that go with it. */
  function change({ isListed }: { readonly isListed: boolean }): void {
    const index = join(folder, 'index.html');
    writeFileSync(index, readFileSync(index, 'utf8').replace('<html lang', '<html data-version="2" lang'));
    if (isListed) sealVersion(folder);
  }
  const version = (page: Page) => page.locator('html').getAttribute('data-version');

  test('an open page stays the old one, says so, and the next one is the new', async ({ page, context }) => {
    await page.goto(address);
    await isKept(page);
    change({ isListed: true });
    await page.reload();
    expect(await version(page)).toBe(null);
    await expect(page.getByText(/There is a newer version of this page/u)).toBeVisible();
    await page.getByRole('button', { name: 'Open the sample conversation' }).click();
    await expect(messages(page).first()).toBeVisible();

    await page.close();
    const next = await context.newPage();
    // The browser may still be taking leave of the closed tab.
    await expect(async () => {
      await next.goto('about:blank');
      await next.goto(address);
      expect(await version(next)).toBe('2');
    }).toPass();
    await context.setOffline(true);
    await next.reload();
    expect(await version(next)).toBe('2');
    await expect(next.getByRole('navigation').getByRole('link')).toHaveCount(1);
  });

  test('one that is half put up is not taken at all', async ({ page, context }) => {
    await page.goto(address);
    await isKept(page);
    // The list is of a version whose page is not there yet.
    const index = join(folder, 'index.html');
    const old = readFileSync(index);
    change({ isListed: true });
    writeFileSync(index, old);
    const refused = page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const found = new Promise((resolve) => {
        registration.addEventListener('updatefound', () => {
          const worker = registration.installing;
          worker?.addEventListener('statechange', () => resolve(worker.state));
        });
      });
      await registration.update();
      return found;
    });
    expect(await refused).toBe('redundant');
    await context.setOffline(true);
    await page.reload();
    expect(await version(page)).toBe(null);
    await expect(page.getByRole('button', { name: 'Open the sample conversation' })).toBeVisible();
  });
});
