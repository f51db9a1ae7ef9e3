// Room that the browser takes away in the middle of captures, and gives back.
import { expect } from '@playwright/test';
import { seededRandom } from '../support/seeded.js';
import type { Report } from './page.js';
import { test } from './site.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SEED = Number(process.env['SEED']);
/** Far above what a round captures: nothing is evicted, so each batch asks for new room. */
const MAX_BATCHES = 64;

test(`room withdrawn in ${ROUNDS} rounds of captures costs nothing confirmed (SEED=${SEED})`, async ({
  browserToKill: browser,
  site,
}) => {
  const random = seededRandom(SEED);
  const { origin } = new URL(site);
  const total = { confirmed: 0, refused: 0, lost: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const confirmed: number[] = [];
    const failures: string[] = [];
    let onBegin = () => {};
    const hear = (report: Report) => {
      if (report.kind === 'begin') onBegin();
      if (report.kind === 'confirmed') confirmed.push(report.batch);
      if (report.kind === 'failed') failures.push(report.failure);
    };
    const page = await browser.open(
      { thread: `quota ${round}`, maxBatches: MAX_BATCHES, maxRecords: 200 },
      hear,
    );
    const session = await page.context().newCDPSession(page);
    const batches = Array.from({ length: MAX_BATCHES - 1 }, (_, at) => 1 + at);

    // Withdrawn at a random moment of a capture.
    const begins = 3 + random.below(4);
    const delayMs = random.below(60);
    const spare = random.below(400_000);
    let seen = 0;
    let withdrawn: Promise<unknown> = Promise.resolve();
    onBegin = () => {
      seen += 1;
      if (seen !== begins) return;
      withdrawn = (async () => {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        const usage = await page.evaluate(() => window.survival.usage());
        await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + spare });
      })();
    };
    const whole = await page.evaluate((all) => window.survival.capture(all, 1), batches);
    await withdrawn;
    const refused = batches[confirmed.length] ?? 0;
    const again = await page.evaluate((batch) => window.survival.capture([batch], 1), refused);
    const without = await page.evaluate((all) => window.survival.inspect(all), batches);
    const kept = [...confirmed];

    await session.send('Storage.overrideQuotaForOrigin', { origin });
    const after = await page.evaluate((batch) => window.survival.capture([batch], 1), refused);
    const found = await page.evaluate((all) => window.survival.inspect(all), batches);
    await page.close();

    total.confirmed += confirmed.length;
    total.refused += failures.length;
    total.lost += confirmed.filter((batch) => !found.stored.includes(batch)).length;
    expect({ whole, again, after, failures }).toEqual({
      whole: false,
      again: false,
      after: true,
      failures: ['quota', 'quota'],
    });
    expect(without).toEqual({ stored: kept, faults: [] });
    expect(found).toEqual({ stored: [...kept, refused], faults: [] });
  }
  console.log(
    `room withdrawn ${ROUNDS} times: ${total.refused} captures refused for the quota, ` +
      `${total.confirmed} batches confirmed, ${total.lost} lost`,
  );
});
