// Kills of page, worker, renderer and browser at random moments of captures that evict; under load.
import { expect, type Page } from '@playwright/test';
import { type SeededRandom, seededRandom } from '../support/seeded.js';
import type { KillableBrowser, PageOptions } from './browser.js';
import { Ledger } from './ledger.js';
import type { Report } from './page.js';
import { test } from './site.js';

/** In turn of this order. */
const KINDS = ['page closed', 'worker terminated', 'renderer crashed', 'browser killed'] as const;
type Kind = (typeof KINDS)[number];

const KILLS = Number(process.env['KILLS'] ?? 100);
const SEED = Number(process.env['SEED']);
/** A kill falls within so many milliseconds of the begin of two captures; these take about as long. */
const KILL_WITHIN_MS = 120;
const THREAD: PageOptions = { thread: 'killed', maxBatches: 8, maxRecords: 120 };
const LOAD: PageOptions = { thread: 'load', maxBatches: 8, maxRecords: 60 };

test(`nothing confirmed is lost by ${KILLS} kills (SEED=${SEED})`, async ({ browserToKill: browser }) => {
  const random = seededRandom(SEED);
  const ledger = new Ledger(THREAD.maxBatches);
  const recoveries: Recovery[] = [];
  const struck = { inCapture: 0, openBatches: 0, openWritten: 0 };
  const lost: number[] = [];
  const faults: string[] = [];
  let next = 1;
  const load: Load = { tabs: 0, confirmed: 0 };
  loadOn(browser, load).catch(ignore);
  let captured = await openThread(browser, ledger);

  for (let kill = 0; kill < KILLS; kill += 1) {
    const kind = KINDS[kill % KINDS.length] ?? 'page closed';
    const batches = Array.from({ length: 400 }, (_, at) => next + at);
    next += batches.length;
    await strikingMoment(captured, batches, random);

    const began = performance.now();
    const before = captured.page;
    const old = await killBy(kind, before, browser, random);
    if (kind === 'browser killed') {
      await browser.start();
      loadOn(browser, load).catch(ignore);
    }
    const startMs = performance.now() - began;
    captured = await openThread(browser, ledger);
    const failures: string[] = [];
    captured.hear = (report) => {
      if (report.kind === 'failed') failures.push(`${report.failure}: ${report.detail}`);
    };
    const open = ledger.open;
    const first = next;
    next += 1;
    while (!(await captured.page.evaluate((batch) => window.survival.capture([batch], 1), first))) {
      if (failures.length > 20) break;
    }
    recoveries.push({ kind, ms: performance.now() - began, startMs });
    faults.push(...failures.map((failure) => `kill ${kill} (${kind}): first capture failed by ${failure}`));

    const candidates = ledger.candidates;
    const found = await captured.page.evaluate((all) => window.survival.inspect(all), candidates);
    const settled = ledger.settle(found.stored, first);
    lost.push(...settled.lost);
    faults.push(...found.faults.map((fault) => `kill ${kill} (${kind}): ${fault}`));
    faults.push(...ledger.faults.splice(0).map((fault) => `kill ${kill} (${kind}): ${fault}`));
    if (open.length > 0) struck.inCapture += 1;
    struck.openBatches += open.length;
    struck.openWritten += settled.survivedOpen;

    if (kind === 'worker terminated') {
      // The page that lost its worker goes on with another one.
      const goesOn = await before.evaluate((batch) => window.survival.capture([batch], 1), next);
      if (!goesOn) faults.push(`kill ${kill}: the page did not capture after it lost its worker`);
      next += 1;
      await before.close();
    }
    await Promise.all(old);
  }

  console.log(figures(recoveries, ledger.confirmed, lost, struck, load.confirmed));
  for (const fault of faults) console.log(`  fault: ${fault}`);
  expect({ lost, faults }).toEqual({ lost: [], faults: [] });
  expect(load.confirmed).toBeGreaterThan(0);
});

interface Recovery {
  readonly kind: Kind;
  /** From the kill to the first capture. */
  readonly ms: number;
  /** Until a page could be opened again; starting another browser is no work of ours. */
  readonly startMs: number;
}

interface ThreadPage {
  readonly page: Page;
  hear: (report: Report) => void;
}

async function openThread(browser: KillableBrowser, ledger: Ledger): Promise<ThreadPage> {
  const opened = { hear: (_report: Report) => {} };
  const page = await browser.open(THREAD, (report) => {
    ledger.note(report);
    opened.hear(report);
  });
  return Object.assign(opened, { page });
}

interface Load {
  tabs: number;
  confirmed: number;
}

/** Opens a tab that captures into another thread all the time. */
async function loadOn(browser: KillableBrowser, load: Load): Promise<void> {
  const from = 1 + load.tabs * 1_000_000;
  load.tabs += 1;
  const page = await browser.open(LOAD, (report) => {
    if (report.kind === 'confirmed') load.confirmed += 1;
  });
  const batches = Array.from({ length: 100_000 }, (_, at) => from + at);
  await page.evaluate((all) => window.survival.capture(all, 1), batches);
}

/** Lets the page capture; resolves at a random moment after some batches. */
async function strikingMoment(captured: ThreadPage, batches: readonly number[], random: SeededRandom) {
  const begins = 2 + random.below(4);
  const delayMs = random.below(KILL_WITHIN_MS);
  await new Promise<void>((resolve) => {
    let begun = 0;
    captured.hear = (report) => {
      if (report.kind === 'begin') begun += 1;
      if (begun === begins) setTimeout(resolve, delayMs);
    };
    captured.page.evaluate((all) => window.survival.capture(all, 2), batches).catch(ignore);
  });
}

/** Kills without waiting for the end of it, unless the browser must be gone before another one starts. */
async function killBy(kind: Kind, page: Page, browser: KillableBrowser, random: SeededRandom) {
  switch (kind) {
    case 'page closed':
      return [page.close()];
    case 'worker terminated':
      await page.evaluate(() => window.survival.terminateWorker());
      return [];
    case 'renderer crashed': {
      const session = await page.context().newCDPSession(page);
      const crashed = page.waitForEvent('crash');
      session.send('Page.crash').catch(ignore);
      await crashed;
      return [page.close()];
    }
    case 'browser killed':
      await browser.kill(random.pick(['browser', 'all'] as const));
      return [];
  }
}

function ignore(): void {}

function figures(
  recoveries: readonly Recovery[],
  confirmed: number,
  lost: readonly number[],
  struck: { readonly inCapture: number; readonly openBatches: number; readonly openWritten: number },
  loadBatches: number,
): string {
  const byKind = KINDS.map((kind) => {
    return timesOf(
      kind,
      recoveries.filter((one) => one.kind === kind).map((one) => one.ms),
    );
  });
  const ofBrowsers = recoveries.filter((one) => one.kind === 'browser killed');
  return [
    `${recoveries.length} kills, ${struck.inCapture} of them in a capture ` +
      `(of ${struck.openBatches} unconfirmed batches ${struck.openWritten} were written, the rest undone)`,
    `${confirmed} batches confirmed, ${lost.length} lost; the other tab captured ${loadBatches} batches meanwhile`,
    'from the kill to the first capture of a new page:',
    ...byKind,
    timesOf(
      'browser killed, without the start of the next one',
      ofBrowsers.map((one) => one.ms - one.startMs),
    ),
    timesOf(
      'all',
      recoveries.map((one) => one.ms),
    ),
    timesOf(
      'all, without the start of a browser',
      recoveries.map((one) => one.ms - one.startMs),
    ),
  ].join('\n  ');
}

function timesOf(name: string, times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    `${Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN)} ms`;
  return `  ${name}: ${sorted.length}, median ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)}`;
}
