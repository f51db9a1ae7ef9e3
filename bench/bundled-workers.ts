// The entry from which both workers are bundled, in the words that a bundler knows.

export const startPackaged = (): Worker =>
  new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module' });

export const startBare = (): Worker =>
  new Worker(new URL('./bare-pool-worker.ts', import.meta.url), { type: 'module' });
