// Finding again is what the archive is for: no conversation may be served worse than by the reference's rule.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  measureRecall,
  ourRanking,
  type RecallFigures,
  readConversations,
  referenceRanking,
} from './recall.js';

/** `RECALL=<file>` measures another set of the same format. */
const FILE = process.env['RECALL'] ?? join(import.meta.dirname, '../../../shared/data/recall/memory.json');
const isThere = existsSync(FILE);
if (!isThere) console.log(`Recall is not measured: ${FILE} is missing (RECALL=<file> names another).`);

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(8);
const line = (name: string, rule: string, { questions, hitAt, meanReciprocalRank }: RecallFigures): string =>
  `${name.padEnd(12)} ${rule.padEnd(10)} ${String(questions).padStart(4)} ${percent(hitAt[1])} ${percent(hitAt[3])} ${percent(hitAt[8])}   ${meanReciprocalRank.toFixed(3)}`;

describe.skipIf(!isThere)('recall of the ranking alone', () => {
  const conversations = isThere ? readConversations(FILE) : [];
  const groups = [
    ...conversations.map((one) => ({ name: one.name, members: [one] })),
    { name: 'all', members: conversations },
  ];
  const figures = groups.map(({ name, members }) => ({
    name,
    reference: measureRecall(members, referenceRanking),
    ours: measureRecall(members, ourRanking),
  }));
  if (isThere) {
    const rows = figures.flatMap(({ name, reference, ours }) => [
      line(name, 'reference', reference),
      line('', 'ours', ours),
    ]);
    console.log(['conversation rule            n    hit@1    hit@3    hit@8     MRR', ...rows].join('\n'));
  }

  test.each(figures.map((figure) => [figure.name, figure] as const))(
    '%s: the first evidence stands no lower than with the reference, and at most one question is lost',
    (_name, { reference, ours }) => {
      expect(ours.meanReciprocalRank).toBeGreaterThanOrEqual(reference.meanReciprocalRank);
      expect(ours.hitAt[8]).toBeGreaterThanOrEqual(reference.hitAt[8] - 1 / reference.questions);
    },
  );

  test('more questions find their evidence than with the reference', () => {
    const total = figures.at(-1);
    for (const limit of [1, 3, 8] as const) {
      expect(total?.ours.hitAt[limit]).toBeGreaterThanOrEqual(total?.reference.hitAt[limit] ?? 1);
    }
  });

  test('the first evidence stands clearly higher than with the reference', () => {
    const total = figures.at(-1);
    const gain = (total?.ours.meanReciprocalRank ?? 0) - (total?.reference.meanReciprocalRank ?? 0);
    expect(gain).toBeGreaterThanOrEqual(0.03);
  });
});
