// End-to-end tests run on the built page over the built package, in Chromium.
import { defineConfig } from '@playwright/test';
import { chromium } from './chromium.mjs';
import { PORT } from './demo.js';

export default defineConfig({
  testDir: '.',
  outputDir: '../build/e2e',
  workers: 1,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  timeout: 240_000,
  // A run of the agent takes some seconds, on a busy machine many.
  expect: { timeout: 60_000 },
  use: {
    baseURL: `http://localhost:${PORT}`,
    launchOptions: chromium,
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    // What a service worker answers no test can intercept; `offline.spec.ts` allows it.
    serviceWorkers: 'block',
  },
  webServer: {
    command: `npx vite preview --mode dist --port ${PORT} --strictPort`,
    cwd: '..',
    url: `http://localhost:${PORT}`,
    reuseExistingServer: false,
    // The host name of the insecure origin; the preview server answers only to names that it knows.
    env: { __VITE_ADDITIONAL_SERVER_ALLOWED_HOSTS: 'insecure.test' },
  },
});
