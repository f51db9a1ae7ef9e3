import { playwright } from '@vitest/browser-playwright';
import { defaultClientConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { endTrace, startTrace } from './bench/trace-commands.js';
import {
  bundledWorkers,
  captureNative,
  finishNative,
  openNative,
  serveBundledWorkers,
} from './bench/yardstick-commands.js';
import { chromium } from './e2e/chromium.mjs';
import { offline } from './scripts/offline.mjs';

const inNode = {
  ssr: { resolve: { conditions: ['@threadkeep/source', 'node', 'import', 'default'] } },
};

const inChromium = {
  // Found only once a worker runs, they would make Vite reload the page in the middle of a test.
  optimizeDeps: {
    include: [
      '@noble/hashes/sha2.js',
      '@noble/hashes/utils.js',
      'cborg',
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
};

const browser = {
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions: chromium }),
  instances: [{ browser: 'chromium' as const }],
};

/** A benchmark takes as long as it takes, and has the machine for itself. */
const unhurried = { fileParallelism: false, testTimeout: 1_200_000, hookTimeout: 1_200_000 };

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
    // Not for the tests, which build nothing.
    plugins: mode === 'dist' ? [offline()] : [],
    build: {
      outDir: '../build/demo',
      emptyOutDir: true,
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        input: {
          index: 'demo/index.html',
          'service-worker': 'demo/offline/service-worker.ts',
        },
        output: {
          // The service worker's name is its identity: it must not change with what is in it.
          entryFileNames: ({ name }) =>
            name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
        },
      },
    },
    test: {
      root: import.meta.dirname,
      projects: [
        {
          extends: true,
          ...inNode,
          test: {
            name: 'unit',
            environment: 'node',
            globals: true,
            include: ['{src,worker,demo,test}/**/*.test.ts'],
            exclude: ['**/*.browser.test.ts'],
          },
        },
        {
          extends: true,
          ...inChromium,
          test: {
            name: 'browser',
            globals: true,
            include: ['{src,worker,demo,test}/**/*.browser.test.ts'],
            fileParallelism: false,
            testTimeout: 30_000,
            browser,
          },
        },
        {
          extends: true,
          ...inNode,
          test: {
            name: 'bench',
            environment: 'node',
            globals: true,
            include: ['bench/**/*.bench.ts'],
            exclude: ['**/*.browser.bench.ts'],
            ...unhurried,
          },
        },
        {
          extends: true,
          ...inChromium,
          plugins: [serveBundledWorkers],
          test: {
            name: 'bench-browser',
            globals: true,
            include: ['bench/**/*.browser.bench.ts'],
            globalSetup: 'bench/fresh-profile.ts',
            ...unhurried,
            browser: {
              ...browser,
              // A profile on disk, as users have it: in a private window OPFS is in another process's memory.
              provider: playwright({
                launchOptions: chromium,
                persistentContext: 'build/bench-profile',
              }),
              commands: { bundledWorkers, captureNative, endTrace, finishNative, openNative, startTrace },
            },
          },
        },
      ],
    },
  };
});
