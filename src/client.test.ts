// The page's end of the archive where there is no browser.
import { expect, test } from 'vitest';
import { openArchive } from './client.js';

test('without workers an archive can be opened, and every call says that it is unsupported', async () => {
  const archive = openArchive();
  const scope = { user: 'ada', thread: 'one' };
  for (const reply of await Promise.all([archive.info(), archive.forget(scope)])) {
    expect(reply).toMatchObject({ ok: false, failure: 'unsupported' });
    expect(reply).toHaveProperty('detail', expect.stringContaining('There are no workers here.'));
  }
  archive.dispose();
});
