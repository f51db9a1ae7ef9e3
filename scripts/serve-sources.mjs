// Serves a page of the tests over the package's sources, and opens it in headless Chromium.
import { join } from 'node:path';
import { root } from './prepare.mjs';

/**
 * A folder's page, and a browser for it. `openPage` gives the page in a profile of its own once `waitFor` stands
 * among its globals; `close` ends everything.
 */
export async function serveSources(folder, waitFor, { include = [], proxy } = {}) {
  const { createServer, defaultClientConditions } = await import('vite');
  const { chromium: browsers } = await import('@playwright/test');
  const { chromium } = await import('../e2e/chromium.mjs');

  const server = await createServer({
    configFile: false,
    root: join(root, folder),
    cacheDir: join(root, 'node_modules', `.vite-${folder.replaceAll('/', '-')}`),
    logLevel: 'error',
    resolve: { conditions: ['@threadkeep/source', ...defaultClientConditions] },
    // Found only once the page runs, they would make Vite load it anew in the middle.
    optimizeDeps: {
      exclude: ['threadkeep', '@sqlite.org/sqlite-wasm'],
      include: [
        '@noble/hashes/sha2.js',
        '@noble/hashes/utils.js',
        'comlink',
        'langchain',
        'zod',
        '@langchain/langgraph',
        '@langchain/core/messages',
        '@langchain/core/outputs',
        '@langchain/core/language_models/chat_models',
        '@langchain/core/utils/function_calling',
        ...include,
      ],
    },
    worker: { format: 'es' },
    server: { port: 0, hmr: false, fs: { allow: [root] }, ...(proxy === undefined ? {} : { proxy }) },
  });
  await server.listen();
  const browser = await browsers.launch(chromium);
  return {
    async openPage(onError = console.error) {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.on('pageerror', (error) => onError(`  ${error.message}`));
      const load = async () => {
        await page.goto(server.resolvedUrls.local[0]);
        await page.waitForFunction((name) => name in globalThis, waitFor, { timeout: 120_000 });
      };
      await load();
      return { page, reload: load, close: () => context.close() };
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
