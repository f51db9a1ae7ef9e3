// Finding again is what the archive is for: no conversation may be served worse than by the reference's rule.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  active,
  archived,
  figuresOf,
  placesOf,
  type RecallFigures,
  readConversations,
  reference,
} from './recall.js';

/** `RECALL=<file>` measures another set of the same format. */
const FILE = process.env['RECALL'] ?? join(import.meta.dirname, '../../../shared/data/recall/memory.json');
const isThere = existsSync(FILE);
if (!isThere) console.log(`Recall is not measured: ${FILE} is missing (RECALL=<file> names another).`);

const ROUTES = { reference, archived, active };
const NAMES = ['reference', 'archived', 'active'] as const;
type PerRoute<T> = Record<(typeof NAMES)[number], T>;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(8);
const line = (name: string, route: string, { questions, hitAt, meanReciprocalRank }: RecallFigures): string =>
  `${name.padEnd(12)} ${route.padEnd(10)} ${String(questions).padStart(5)} ${percent(hitAt[1])} ${percent(hitAt[3])} ${percent(hitAt[8])}   ${meanReciprocalRank.toFixed(3)}`;

describe.skipIf(!isThere)('recall through the archive and in the live conversation', () => {
  const conversations = isThere ? readConversations(FILE) : [];
  const names = conversations.map(({ name }) => name);
  /** What is tuned on the first three conversations must hold on the others. */
  const membersOf = new Map<string, readonly string[]>([
    ...names.map((name) => [name, [name]] as const),
    ['first three', names.slice(0, 3)],
    ['the others', names.slice(3)],
    ['all', names],
  ]);
  const groups = [...membersOf.keys()].filter((group) => (membersOf.get(group) ?? []).length > 0);
  const figures = new Map<string, PerRoute<RecallFigures>>();
  const of = (group: string) => {
    const found = figures.get(group);
    if (found === undefined) throw new Error(`${group} was not measured.`);
    return found;
  };

  beforeAll(async () => {
    const placesByName = new Map<string, PerRoute<readonly number[]>>();
    for (const conversation of conversations) {
      const places: PerRoute<readonly number[]> = { reference: [], archived: [], active: [] };
      for (const name of NAMES) places[name] = await placesOf(conversation, ROUTES[name]);
      placesByName.set(conversation.name, places);
    }
    for (const group of groups) {
      const members = membersOf.get(group) ?? [];
      const together = (route: (typeof NAMES)[number]) =>
        figuresOf(members.flatMap((name) => placesByName.get(name)?.[route] ?? []));
      figures.set(group, {
        reference: together('reference'),
        archived: together('archived'),
        active: together('active'),
      });
    }
    const rows = groups.flatMap((group) =>
      NAMES.map((name, at) => line(at === 0 ? group : '', name, of(group)[name])),
    );
    console.log(['conversation route          n    hit@1    hit@3    hit@8     MRR', ...rows].join('\n'));
  }, 600_000);

  test.each(groups)(
    '%s: evidence stands no lower than with the reference, and at most one question is lost',
    (group) => {
      const { reference: rule, ...ours } = of(group);
      for (const route of Object.values(ours)) {
        expect(route.meanReciprocalRank).toBeGreaterThanOrEqual(rule.meanReciprocalRank);
        expect(route.hitAt[8]).toBeGreaterThanOrEqual(rule.hitAt[8] - 1 / rule.questions);
      }
    },
  );

  test('more questions find their evidence than with the reference, and clearly higher', () => {
    const { reference: rule, ...ours } = of('all');
    for (const route of Object.values(ours)) {
      for (const limit of [1, 3, 8] as const) {
        expect(route.hitAt[limit]).toBeGreaterThanOrEqual(rule.hitAt[limit]);
      }
      expect(route.meanReciprocalRank - rule.meanReciprocalRank).toBeGreaterThanOrEqual(0.03);
    }
  });

  test('what has left the conversation is found as well as what has not', () => {
    const { archived: gone, active: live } = of('all');
    expect(Math.abs(gone.meanReciprocalRank - live.meanReciprocalRank)).toBeLessThan(0.02);
  });
});
