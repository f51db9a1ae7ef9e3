// The reference's own answers for captures, searches, reads and cited notes (d, g), over an archive in memory.
import { afterAll, describe, test } from 'vitest';
import { memoryArchive } from '../../worker/memory.js';
import { aTally, expectScenario, shown } from './lookup-departures.js';
import type { LookupScenario } from './lookup-vectors.js';
import { readVectors } from './text-vectors.js';

const tallies: string[] = [];
afterAll(() => console.log(tallies.join('\n')));

describe.each(['d_lookups', 'g_databases'])('%s: look-ups answer like the reference', (file) => {
  const { cases } = readVectors(file) as unknown as { readonly cases: readonly LookupScenario[] };
  const tally = aTally();
  test.each(cases.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    await expectScenario({ archive: await memoryArchive() }, scenario, tally);
  });
  afterAll(() => tallies.push(shown(file, cases.length, tally)));
});
