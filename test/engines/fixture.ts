// A browser without a past for each promise, and the reasons why one cannot be tested in an engine.
import { test as base, expect } from '@playwright/test';
import type { Browser, Engine, StartEngine } from './engine.js';
import { startFirefox } from './firefox.js';
import { installed } from './installed.mjs';
import { startWebKit } from './webkitgtk.js';

export { expect };

interface Choice {
  readonly start: StartEngine;
  readonly missing: string | null;
  /** Why the archive of an ordinary window ends with its page; null where it is kept. */
  readonly forgets: string | null;
}

const ENGINES: Readonly<Record<string, Choice>> = {
  firefox: {
    start: startFirefox,
    missing:
      typeof WebSocket === 'undefined'
        ? 'This Node has no WebSocket without --experimental-websocket, which `npm run test:engines` sets.'
        : installed.firefox.missing,
    forgets: null,
  },
  webkitgtk: {
    start: startWebKit,
    missing: installed.webkitgtk.missing,
    forgets: 'WebKitGTK has no private file system: the archive lives in memory, and nothing can be pruned.',
  },
};

interface Fixtures {
  /** Ordinary windows. */
  readonly ordinary: Browser;
  /** Ordinary windows, where they keep the archive. */
  readonly keeping: Browser;
  /** Windows without a private file system: private ones, where ordinary ones have it. */
  readonly forgetting: Browser;
}

interface WorkerFixtures {
  /** Started when the first promise needs it; null where it is missing. */
  readonly engine: Engine | null;
}

const choiceOf = (name: string): Choice => {
  const choice = ENGINES[name];
  if (choice === undefined) throw new Error(`There is no engine ${name}.`);
  return choice;
};

async function withBrowser(engine: Engine, use: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await engine.openBrowser();
  test.info().annotations.push({ type: 'version', description: browser.version });
  await use(browser);
  await browser.close();
  expect(browser.complaints ?? []).toEqual([]);
}

async function withEngine(
  { start, missing }: Choice,
  isPrivate: boolean,
  use: (engine: Engine | null) => Promise<void>,
): Promise<void> {
  const engine = missing === null ? await start({ isPrivate }) : null;
  await use(engine);
  await engine?.close();
}

function mustHave(engine: Engine | null, { missing }: Choice): asserts engine is Engine {
  test.skip(engine === null, missing ?? '');
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  engine: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters.
    async ({}, use, { project }) => withEngine(choiceOf(project.name), false, use),
    { scope: 'worker' },
  ],
  ordinary: async ({ engine }, use, { project }) => {
    mustHave(engine, choiceOf(project.name));
    await withBrowser(engine, use);
  },
  keeping: async ({ engine }, use, { project }) => {
    const choice = choiceOf(project.name);
    mustHave(engine, choice);
    test.skip(choice.forgets !== null, choice.forgets ?? '');
    await withBrowser(engine, use);
  },
  forgetting: async ({ engine }, use, { project }) => {
    const choice = choiceOf(project.name);
    mustHave(engine, choice);
    if (choice.forgets !== null) return withBrowser(engine, use);
    const other = await choice.start({ isPrivate: true });
    await withBrowser(other, use);
    await other.close();
  },
});
