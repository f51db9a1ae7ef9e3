import { playwright } from '@vitest/browser-playwright';
import { defaultClientConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { chromium } from './e2e/chromium.mjs';

/**
 * Two ways to run the demo: `vite` serves it over the package's sources, `vite build --mode dist`
 * builds it over `dist`, which is what would be published. Both import the package by its name.
 */
export default defineConfig(({ mode }) => {
  const conditions = mode === 'dist' ? [] : ['@threadkeep/source'];
  return {
    root: 'demo',
    base: './',
    resolve: { conditions: [...conditions, ...defaultClientConditions] },
    optimizeDeps: { exclude: ['threadkeep', '@sqlite.org/sqlite-wasm'] },
    worker: { format: 'es' },
    build: { outDir: '../build/demo', emptyOutDir: true, chunkSizeWarningLimit: 2_000 },
    test: {
      root: import.meta.dirname,
      projects: [
        {
          extends: true,
          test: {
            name: 'unit',
            environment: 'node',
            globals: true,
            include: ['{src,worker,demo,test}/**/*.test.ts'],
            exclude: ['**/*.browser.test.ts'],
          },
          ssr: { resolve: { conditions: ['@threadkeep/source', 'node', 'import', 'default'] } },
        },
        {
          extends: true,
          // Found only once a worker runs, they would make Vite reload the page in the middle of a test.
          optimizeDeps: {
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
            ],
          },
          test: {
            name: 'browser',
            globals: true,
            include: ['{src,worker,demo}/**/*.browser.test.ts'],
            fileParallelism: false,
            testTimeout: 30_000,
            browser: {
              enabled: true,
              headless: true,
              screenshotFailures: false,
              provider: playwright({ launchOptions: chromium }),
              instances: [{ browser: 'chromium' }],
            },
          },
        },
      ],
    },
  };
});
