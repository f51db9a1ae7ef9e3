// Survival tests kill real browsers in the middle of writing, and print what was lost: nothing.
import { defineConfig } from '@playwright/test';

// Tests run in another process, which gets the environment of this one.
process.env['SEED'] ??= String(Date.now() % 1_000_000);

export default defineConfig({
  testDir: '.',
  outputDir: '../../build/survival-results',
  workers: 1,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  timeout: 1_800_000,
});
