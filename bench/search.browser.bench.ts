// Search over a long live conversation, in Chromium.
import { test } from 'vitest';
import { recordMainThread } from './main-thread.js';
import { benchSearch } from './search.js';

test('search over 10,000 live messages', () =>
  benchSearch((name, rounds, run) =>
    recordMainThread(async (watch) => {
      for (let round = 0; round < rounds; round += 1) await watch(name, run);
    }),
  ));
