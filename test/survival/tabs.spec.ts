// Four tabs that capture into one thread at once, closed and opened again meanwhile.
import { expect } from '@playwright/test';
import { type SeededRandom, seededRandom } from '../support/seeded.js';
import type { KillableBrowser } from './browser.js';
import type { Report } from './page.js';
import { test } from './site.js';

const TABS = 4;
/** So that all batches of a round stay: retention takes none of them away, and none can hide. */
const BATCHES_PER_TAB = 16;
const MAX_BATCHES = TABS * BATCHES_PER_TAB;
/** With three rounds a tab captures 48 batches. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const CLOSINGS_PER_TAB = 3;
const SEED = Number(process.env['SEED']);

interface Outcome {
  readonly confirmed: Set<number>;
  closings: number;
  repeats: number;
  readonly failures: string[];
}

test(`four tabs on one thread lose and double nothing in ${ROUNDS} rounds (SEED=${SEED})`, async ({
  browserToKill: browser,
}) => {
  const random = seededRandom(SEED);
  const total = { confirmed: 0, closings: 0, repeats: 0, lost: 0, doubled: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const options = { thread: `tabs ${round}`, maxBatches: MAX_BATCHES, maxRecords: 12 };
    const outcome: Outcome = { confirmed: new Set(), closings: 0, repeats: 0, failures: [] };
    const all = Array.from({ length: MAX_BATCHES }, (_, at) => 1 + at);
    const shares = Array.from({ length: TABS }, (_, tab) => all.filter((batch) => batch % TABS === tab));
    await Promise.all(shares.map((share) => captureInTabs(browser, options, share, random, outcome)));

    const page = await browser.open(options, () => {});
    const { stored, faults } = await page.evaluate((batches) => window.survival.inspect(batches), all);
    await page.close();
    total.confirmed += outcome.confirmed.size;
    total.closings += outcome.closings;
    total.repeats += outcome.repeats;
    total.lost += all.filter((batch) => !stored.includes(batch)).length;
    total.doubled += stored.length - new Set(stored).size;
    expect({ faults, failures: outcome.failures }).toEqual({ faults: [], failures: [] });
    expect([...outcome.confirmed].sort((a, b) => a - b)).toEqual(all);
    expect([...stored].sort((a, b) => a - b)).toEqual(all);
  }
  console.log(
    `${TABS} tabs, ${total.confirmed} batches confirmed, ${total.closings} times a tab was closed in a capture, ` +
      `${total.repeats} captures repeated: ${total.lost} lost, ${total.doubled} doubled`,
  );
});

/** Captures a share in one tab after another; each is closed in a capture, and the next repeats what is not confirmed. */
async function captureInTabs(
  browser: KillableBrowser,
  options: { readonly thread: string; readonly maxBatches: number; readonly maxRecords: number },
  share: readonly number[],
  random: SeededRandom,
  outcome: Outcome,
): Promise<void> {
  const begun = new Set<number>();
  for (let life = 0; ; life += 1) {
    const rest = share.filter((batch) => !outcome.confirmed.has(batch));
    const isLast = life === CLOSINGS_PER_TAB;
    const begins = 2 + random.below(3);
    const delayMs = random.below(60);
    let strike = () => {};
    const struck = new Promise<'struck'>((resolve) => {
      strike = () => resolve('struck');
    });
    let seen = 0;
    const page = await browser.open(options, (report: Report) => {
      if (report.kind === 'confirmed') outcome.confirmed.add(report.batch);
      if (report.kind === 'failed') outcome.failures.push(`${report.failure}: ${report.detail}`);
      if (report.kind !== 'begin') return;
      outcome.repeats += report.batches.filter((batch) => begun.has(batch)).length;
      for (const batch of report.batches) begun.add(batch);
      seen += 1;
      if (seen === begins && !isLast) setTimeout(strike, delayMs);
    });
    const captured = page.evaluate((batches) => window.survival.capture(batches, 1), rest);
    const end = await Promise.race([captured.then(() => 'done' as const), struck]);
    captured.catch(() => {});
    await page.close();
    if (end === 'done') return;
    outcome.closings += 1;
  }
}
