// What happens when the browser gives no more room, with a real quota.
import { afterEach, describe, expect, test } from 'vitest';
import { cdp } from 'vitest/browser';
import { type ArchiveClient, openArchive } from '../src/client.js';
import { aScope, capture, captureOf, searchTexts } from '../test/support/archives.js';

interface Protocol {
  send(
    method: 'Storage.overrideQuotaForOrigin',
    params: { origin: string; quotaSize?: number },
  ): Promise<void>;
}

const { origin } = location;
const setQuota = (quotaSize: number) =>
  (cdp() as unknown as Protocol).send('Storage.overrideQuotaForOrigin', { origin, quotaSize });
const resetQuota = () => (cdp() as unknown as Protocol).send('Storage.overrideQuotaForOrigin', { origin });

let client: ArchiveClient;
afterEach(async () => {
  client.dispose();
  await resetQuota();
});

/** About a megabyte. */
const large = (seed: string) => Array.from({ length: 100 }, (_, index) => `${seed}${index} `.repeat(1_500));

describe('without room', () => {
  test('a capture fails with the quota, loses nothing, and works again when there is room', async () => {
    client = openArchive();
    const scope = aScope();
    const kept = await capture(client, scope, 'kept');
    const { usage = 0 } = await navigator.storage.estimate();
    await setQuota(usage + 300_000);
    for (const seed of ['a', 'b']) {
      expect(await client.capture(scope, captureOf(...large(seed)))).toMatchObject({
        ok: false,
        failure: 'quota',
      });
      expect(await searchTexts(client, scope, [kept], 'kept')).toEqual(['kept']);
    }
    await resetQuota();
    const batch = await capture(client, scope, ...large('a'), 'afterwards');
    expect(await searchTexts(client, scope, [kept, batch], 'kept afterwards')).toEqual(
      expect.arrayContaining(['kept', 'afterwards']),
    );
  });

  test('a thread cannot begin, and can later', async () => {
    client = openArchive();
    const { usage = 0 } = await navigator.storage.estimate();
    const scope = aScope();
    await setQuota(usage + 1);
    expect(await client.capture(scope, captureOf('first'))).toMatchObject({ ok: false, failure: 'quota' });
    await resetQuota();
    const batch = await capture(client, scope, 'first');
    expect(await searchTexts(client, scope, [batch], 'first')).toEqual(['first']);
  });
});
