// Builds the page and its workers from the sources, serves them, and gives each test a browser of its own.
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { build, type InlineConfig, preview } from 'vite';
import { KillableBrowser } from './browser.js';

const PORT = Number(process.env['E2E_PORT'] ?? 4_394);
const here = import.meta.dirname;

export const test = base.extend<{ browserToKill: KillableBrowser }, { site: string }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters.
    async ({}, use) => {
      const config: InlineConfig = {
        configFile: false,
        root: here,
        logLevel: 'warn',
        resolve: { conditions: ['@threadkeep/source', 'module', 'browser', 'import', 'default'] },
        worker: { format: 'es' },
        build: { outDir: join(here, '../../build/survival'), emptyOutDir: true },
        preview: { port: PORT, strictPort: true },
      };
      await build(config);
      const server = await preview(config);
      await use(`http://localhost:${PORT}/`);
      await server.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  browserToKill: async ({ site }, use) => {
    const browser = new KillableBrowser(site);
    await browser.start();
    await use(browser);
    await browser.dispose();
  },
});
