// The core promises on the built page, in Firefox and WebKitGTK; Playwright runs the tests, its browsers none.
import { defineConfig } from '@playwright/test';
import { PORT } from '../../e2e/demo.js';

export default defineConfig({
  testDir: '.',
  outputDir: '../../build/engines',
  // One for each engine: what they do most is wait for the agent.
  workers: 2,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: './reporter.ts',
  timeout: 120_000,
  expect: { timeout: 30_000 },
  projects: [{ name: 'firefox' }, { name: 'webkitgtk' }],
  webServer: {
    command: `npx vite preview --mode dist --port ${PORT} --strictPort`,
    cwd: '../..',
    url: `http://localhost:${PORT}`,
    reuseExistingServer: false,
  },
});
