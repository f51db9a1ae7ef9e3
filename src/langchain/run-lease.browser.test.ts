// Leases between real pages of Chromium: a page that goes away without a word leaves its thread to others.
import { expect, test } from 'vitest';
import { aPage } from '../../test/support/pages.js';
import { IndexedDBSaver } from './checkpoint.js';

test('a page that dies keeps its thread for some seconds, one that lives for as long as it likes', async () => {
  const database = `leases-${crypto.randomUUID()}`;
  const saver = new IndexedDBSaver({ database });
  const [dying, living] = [await aPage(database), await aPage(database)];
  expect(await dying.ask('lease', 'one', 'The dying page')).toBe('leased');
  expect(await living.ask('lease', 'two', 'The living page')).toBe('leased');
  expect(await saver.lease('one', { tab: 'Here' })).toMatchObject({ outcome: 'busy', tab: 'The dying page' });
  dying.close();
  const outcome = await saver.lease('one', { tab: 'Here', whenBusy: 'wait' });
  expect(outcome.outcome).toBe('leased');
  if (outcome.outcome === 'leased') await outcome.lease.release();
  expect(await saver.lease('two', { tab: 'Here' })).toMatchObject({
    outcome: 'busy',
    tab: 'The living page',
  });

  const taken = await saver.lease('two', { tab: 'Here', whenBusy: 'take-over' });
  await expect.poll(() => living.ask('loss'), { timeout: 5_000 }).toContain('is run by the tab "Here" now');
  if (taken.outcome === 'leased') await taken.lease.release();
  living.close();
  await saver.close();
});
