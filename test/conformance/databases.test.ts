// The reference's own database files (g), imported, answer what the reference answered from them.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { memoryArchive } from '../../worker/memory.js';
import { unwrap } from '../support/archives.js';
import { aTally, expectScenario, shown } from './lookup-departures.js';
import type { DatabaseScenario } from './lookup-vectors.js';
import { readVectors, VECTORS } from './text-vectors.js';

describe('an imported database answers like the reference', () => {
  const { cases } = readVectors('g_databases') as unknown as { readonly cases: readonly DatabaseScenario[] };
  const tally = aTally();
  afterAll(() => console.log(shown('databases', cases.length, tally)));

  test.each(cases.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    const [user, thread] = scenario.scope_input;
    const archive = await memoryArchive();
    const file = readFileSync(join(VECTORS, 'databases', basename(scenario.file)));
    unwrap(await archive.importFile({ user, thread }, file));
    await expectScenario({ archive, isFilled: true }, scenario, tally);
    // What we export of it, another archive takes for the same.
    const again = await memoryArchive();
    const exported = unwrap(await archive.exportFile({ user, thread }));
    if (exported === null) throw new Error('Nothing was exported.');
    unwrap(await again.importFile({ user, thread }, exported));
    const details = unwrap(await archive.details({ user, thread }));
    expect(unwrap(await again.details({ user, thread }))).toEqual(details);
    await expectScenario({ archive: again, isFilled: true }, scenario, aTally());
  });
});
