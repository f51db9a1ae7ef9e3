// Runs a scenario and expects the reference's answers, or ours where they are others by decision.
import { expect } from 'vitest';
import { type LookupHost, runScenario } from './lookup-runner.js';
import type { LookupScenario } from './lookup-vectors.js';

export interface Departure {
  readonly reason: string;
  /** What our answer says instead. */
  readonly ours: object;
}

const HASHED = 'SPEC 6: only hashes of user and thread reach the file system, so no id is unsafe';
const NO_EMPTY_BATCH = 'D11: a capture without records makes no batch';
const WELL_FORMED = 'D7: a lone surrogate becomes U+FFFD, nothing fails because of one';
const REFRESHED = 'D11: an identical capture refreshes its age, so another batch went';

/** Where our answer is another one by decision: `scenario, step` → why, and what we answer. */
export const DEPARTURES: ReadonlyMap<string, Departure> = new Map([
  ['no thread id / unsafe ids, 3', { reason: HASHED, ours: { results: [], status: 'available' } }],
  ['no thread id / unsafe ids, 4', { reason: HASHED, ours: { status: 'available' } }],
  ['re-capture does not refresh physical age, 5', { reason: REFRESHED, ours: { status: 'available' } }],
  ['re-capture does not refresh physical age, 6', { reason: REFRESHED, ours: { status: 'available' } }],
  [
    're-capture does not refresh physical age, 7',
    {
      reason: REFRESHED,
      ours: [
        '38f5a7a6bc196320349fe485ee2475f6997b9a8682573f74ea36dc11e5c01b8b',
        '3f1ddd0fa5e1c17a172c4eecc8742b3c2e1ca9e8aa9761395e4d2179c2d8394a',
      ],
    },
  ],
  ['empty batch, 0', { reason: NO_EMPTY_BATCH, ours: { batches: [], status: 'available' } }],
  ['empty batch, 1', { reason: NO_EMPTY_BATCH, ours: [] }],
  ['empty batch, 3', { reason: NO_EMPTY_BATCH, ours: { batches: [], status: 'available' } }],
  ['empty batch, 4', { reason: NO_EMPTY_BATCH, ours: [] }],
  ['scripts_and_branch, 2', { reason: NO_EMPTY_BATCH, ours: { status: 'available' } }],
  [
    'scripts_and_branch, 15',
    {
      reason: NO_EMPTY_BATCH,
      ours: [
        '0adf33750db52987cd325c55c7f9993ebbfd2b1699a8ecfef2abc7e302e03b8d',
        '7d81e8aa2abe7a2c1b9b798442818ce8ffc013e3cf92cd50112a379c3cd05775',
      ],
    },
  ],
  [
    'empty queries and FTS syntax, 17',
    { reason: 'D9: emoji are searchable', ours: { results: [], status: 'available' } },
  ],
  [
    'file missing / garbage, 9',
    {
      reason: 'D13: a damaged file is set aside with the first call, and the next capture begins a fresh one',
      ours: { status: 'available' },
    },
  ],
  [
    'malformed task_history, 29',
    { reason: 'JavaScript does not tell 1.0 from 1', ours: { status: 'available' } },
  ],
  ['lone surrogate makes tools fail closed, 1', { reason: WELL_FORMED, ours: { status: 'available' } }],
  ['lone surrogate makes tools fail closed, 2', { reason: WELL_FORMED, ours: { status: 'available' } }],
  ['lone surrogate makes tools fail closed, 3', { reason: WELL_FORMED, ours: { status: 'available' } }],
]);

/** Steps by how they ended. */
export interface Tally {
  ran: number;
  held: number;
  departed: number;
  /** Steps that this host cannot run: they need a file to write over. */
  elsewhere: number;
}

export const aTally = (): Tally => ({ ran: 0, held: 0, departed: 0, elsewhere: 0 });

export async function expectScenario(
  host: LookupHost,
  scenario: LookupScenario,
  tally: Tally,
): Promise<void> {
  const reports = await runScenario(host, scenario);
  for (const [index, report] of reports.entries()) {
    if (report === null) {
      tally.elsewhere += 1;
      continue;
    }
    tally.ran += 1;
    const departure = DEPARTURES.get(`${scenario.name}, ${index}`);
    if (departure === undefined) {
      expect(report.differences, `step ${index}`).toEqual([]);
      tally.held += 1;
    } else {
      expect(report.differences, `step ${index}: departs no more (${departure.reason})`).not.toEqual([]);
      expect(report.answer).toMatchObject(departure.ours);
      tally.departed += 1;
    }
  }
}

export function shown(file: string, scenarios: number, { ran, held, departed, elsewhere }: Tally): string {
  const missing =
    elsewhere === 0
      ? ''
      : `; ${elsewhere} not here: captures of a file that is imported, or steps that write over a file`;
  return `${file}: ran ${ran} steps of ${scenarios} scenarios, held ${held}, departed ${departed}${missing}`;
}
