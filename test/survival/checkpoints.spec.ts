// Checkpoints after kills of page, renderer and browser in the middle of puts, and without room.
import { expect, type Page } from '@playwright/test';
import { seededRandom } from '../support/seeded.js';
import type { KillableBrowser } from './browser.js';
import { test } from './site.js';

const KILLS = Number(process.env['KILLS'] ?? 30);
const SEED = Number(process.env['SEED']);
/** Chromium's own figure of the room that an override leaves differs from the estimate by some database files. */
const ROOM = 4_000_000;

async function kill(way: number, browser: KillableBrowser, page: Page): Promise<void> {
  if (way === 0) await page.close();
  if (way === 1) {
    const session = await page.context().newCDPSession(page);
    // The renderer is gone before it can answer.
    session.send('Page.crash').catch(() => undefined);
    await page.waitForEvent('crash');
    await page.close();
  }
  if (way === 2) {
    await browser.kill('all');
    await browser.start();
  }
}

function open(browser: KillableBrowser, hear: (batch: number) => void): Promise<Page> {
  const options = { thread: 'none', maxBatches: 1, maxRecords: 1 };
  return browser.open(options, (report) => report.kind === 'confirmed' && hear(report.batch));
}

test(`no confirmed checkpoint is lost by ${KILLS} kills (SEED=${SEED})`, async ({
  browserToKill: browser,
}) => {
  const random = seededRandom(SEED);
  const total = { confirmed: 0, lost: 0, torn: 0 };
  for (let round = 0; round < KILLS; round += 1) {
    let confirmed = 0;
    let onEnough = () => {};
    const enough = new Promise<void>((resolve) => {
      onEnough = resolve;
    });
    const wanted = 2 + random.below(20);
    const page = await open(browser, (number) => {
      confirmed = number + 1;
      if (confirmed === wanted) onEnough();
    });
    page.evaluate((at) => window.checkpoints.putForEver(at), round).catch(() => undefined);
    await enough;
    await new Promise((resolve) => setTimeout(resolve, random.below(15)));
    await kill(round % 3, browser, page);
    const next = await open(browser, () => undefined);
    const texts = (await next.evaluate((at) => window.checkpoints.read(at), round)) ?? [];
    await next.close();
    total.confirmed += confirmed;
    total.lost += Math.max(0, confirmed - texts.length);
    total.torn += texts.filter((text, number) => !text.startsWith(`${number} word`)).length;
  }
  console.log(
    `${KILLS} kills in the middle of puts: ${total.confirmed} checkpoints confirmed, ${total.lost} lost, ${total.torn} torn`,
  );
  expect(total).toMatchObject({ lost: 0, torn: 0 });
});

test('without room a put says so, and the former state can be read', async ({
  browserToKill: browser,
  site,
}) => {
  const { origin } = new URL(site);
  let page = await open(browser, () => undefined);
  const session = await page.context().newCDPSession(page);
  const usage = await page.evaluate(() => window.survival.usage());
  // Before anything is stored: what room there is, the browser looks up once and believes for half a minute.
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + ROOM });
  const put = (bytes: number) => page.evaluate((size) => window.checkpoints.putNoise(0, size), bytes);
  const read = () => page.evaluate(() => window.checkpoints.read(0));
  expect(await put(1_000)).toBeNull();
  const before = await read();
  expect(before).toHaveLength(2);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(await put(4 * ROOM)).toContain('the browser gives no more room. Nothing was written');
    expect(await read()).toEqual(before);
  }
  await page.close();
  page = await open(browser, () => undefined);
  expect(await read()).toEqual(before);
  const later = await page.context().newCDPSession(page);
  await later.send('Storage.overrideQuotaForOrigin', { origin });
  await expect.poll(() => put(4 * ROOM), { timeout: 60_000 }).toBeNull();
  expect(await read()).toHaveLength(2);
});
