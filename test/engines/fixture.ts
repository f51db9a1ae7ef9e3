// A fresh browser for each promise, and the reasons why one cannot be tested in an engine.
import { test as base, expect } from '@playwright/test';
import type { Browser, BrowserOptions, StartBrowser } from './engine.js';
import { startFirefox } from './firefox.js';
import { installed } from './installed.mjs';
import { startWebKit } from './webkitgtk.js';

export { expect };

interface Engine {
  readonly start: StartBrowser;
  readonly missing: string | null;
  /** Why the archive of an ordinary window ends with its page; null where it is kept. */
  readonly forgets: string | null;
}

const ENGINES: Readonly<Record<string, Engine>> = {
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
  readonly engine: Browser;
  /** Ordinary windows, where they keep the archive. */
  readonly keepingEngine: Browser;
  /** Windows without a private file system: private ones, where ordinary ones have it. */
  readonly forgettingEngine: Browser;
}

const engineOf = (name: string): Engine => {
  const engine = ENGINES[name];
  if (engine === undefined) throw new Error(`There is no engine ${name}.`);
  return engine;
};

async function withBrowser(
  name: string,
  options: BrowserOptions,
  use: (browser: Browser) => Promise<void>,
): Promise<void> {
  const { start, missing } = engineOf(name);
  test.skip(missing !== null, missing ?? '');
  const browser = await start(options);
  test.info().annotations.push({ type: 'version', description: browser.version });
  try {
    await use(browser);
    expect(browser.complaints ?? []).toEqual([]);
  } finally {
    await browser.close();
  }
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters.
  engine: async ({}, use, { project }) => withBrowser(project.name, { isPrivate: false }, use),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters.
  keepingEngine: async ({}, use, { project }) => {
    const { missing, forgets } = engineOf(project.name);
    test.skip(missing === null && forgets !== null, forgets ?? '');
    await withBrowser(project.name, { isPrivate: false }, use);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters.
  forgettingEngine: async ({}, use, { project }) => withBrowser(project.name, { isPrivate: true }, use),
});
