// The proof of continuity: what left the context is found exactly, by the agent itself, through all that befalls a thread.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openArchive } from '../../src/client.js';
import { IndexedDBSaver } from '../../src/langchain/checkpoint.js';
import type { Archive } from '../../src/protocol.js';
import { conversationOf, type Detail } from './conversation.js';
import { type Finding, harbourAgent } from './harbour-agent.js';

const DATABASE = `continuity-${crypto.randomUUID()}`;
const disposals: (() => unknown)[] = [];

/** What a page has after a reload: another worker, another connection, another agent; the same storage. */
function aPage(archive?: Archive) {
  const saver = new IndexedDBSaver({ database: DATABASE });
  const opened = openArchive();
  const close = async () => {
    opened.dispose();
    await saver.close();
  };
  disposals.push(close);
  return { ...harbourAgent({ saver, archive: archive ?? opened }), close };
}

const refused = async () => ({ ok: false, failure: 'quota', detail: 'The disk is full.' }) as const;
const REFUSING: Archive = {
  info: refused,
  capture: refused,
  search: refused,
  read: refused,
  holds: refused,
  sources: refused,
  forget: refused,
};
const WORKERLESS = openArchive({
  worker: () => {
    throw new Error('Workers are forbidden here.');
  },
});

const KEPT = 'kept';
const PRUNED = 'pruned';
const kept = conversationOf(1, 90, 25);
const pruned = conversationOf(2, 90, 25);
const later = conversationOf(3, 15, 5);
const aside = conversationOf(4, 15, 5);

const lines: string[] = [];

/** Asks for each detail, notes the figures, and gives what was found. */
async function askAll(
  what: string,
  page: ReturnType<typeof aPage>,
  thread: string,
  checkpoint: string,
  details: readonly Detail[],
): Promise<readonly Finding[]> {
  const begun = performance.now();
  const findings: Finding[] = [];
  for (const detail of details) findings.push(await page.ask(thread, checkpoint, detail));
  const took = Math.round((performance.now() - begun) / details.length);
  const found = findings.filter(({ rank }) => rank !== null);
  const first = found.filter(({ rank }) => rank === 1);
  const origins = [...new Set(found.map(({ origin }) => origin))].join(', ');
  const states = [
    ...new Set(findings.map(({ status, reason }) => (reason === null ? status : `${status} (${reason})`))),
  ];
  lines.push(
    `${what.padEnd(46)} ${String(details.length).padStart(3)} ${String(found.length).padStart(6)} ${String(first.length).padStart(5)}  ${origins.padEnd(8)} ${states.join(', ').padEnd(25)} ${took}`,
  );
  return findings;
}

/** Every detail found in one of the eight hits and read whole, though no request held it. */
const everyOne = (
  details: readonly Detail[],
  origin: 'active' | 'archive',
  status: string,
  reason: string | null = null,
) => details.map(() => ({ ...NOTHING, rank: expect.any(Number), origin, status, reason }));
const NOTHING: Omit<Finding, 'status'> = { rank: null, origin: null, reason: null, wasInRequest: false };
const notOne = (details: readonly Detail[], status: string): readonly Finding[] =>
  details.map(() => ({ ...NOTHING, status }));

describe('three hundred messages, compacted again and again', () => {
  let page: ReturnType<typeof aPage>;
  /** Checkpoints, by what had happened. */
  const at = { keptEnd: '', beforePrune: '', afterPrune: '' };

  beforeAll(async () => {
    page = aPage();
    await Promise.all([page.converse(KEPT, kept.turns), page.converse(PRUNED, pruned.turns)]);
    at.keptEnd = (await page.compact(KEPT, false)).after;
    const compaction = await page.compact(PRUNED, true);
    at.beforePrune = compaction.before;
    at.afterPrune = compaction.after;
  }, 120_000);

  afterAll(async () => {
    for (const dispose of disposals) await dispose();
    console.log(
      [`${''.padEnd(46)} asked found first  origin   status                    ms each`, ...lines].join('\n'),
    );
  });

  test('compact several times on either thread', async () => {
    const compactions = page.events.filter(({ type }) => type === 'context_compacted').length;
    lines.push(`two conversations of 300 messages, ${compactions} compactions`);
    expect(compactions).toBeGreaterThanOrEqual(8);
    expect(await page.messagesAt(KEPT, at.keptEnd)).toHaveLength(300);
    expect((await page.messagesAt(PRUNED, at.afterPrune)).length).toBeLessThanOrEqual(20);
  });

  test('every detail that the checkpoint still holds is found there', async () => {
    const found = await askAll('evicted from the request', page, KEPT, at.keptEnd, kept.details);
    expect(found).toEqual(everyOne(kept.details, 'active', 'available'));
  });

  test('every detail that was pruned from the checkpoint is found in the archive', async () => {
    const texts = (await page.messagesAt(PRUNED, at.afterPrune)).map(({ text }) => text).join('\n');
    expect(pruned.details.filter(({ text }) => texts.includes(text))).toEqual([]);
    const found = await askAll('pruned from the checkpoint', page, PRUNED, at.afterPrune, pruned.details);
    expect(found).toEqual(everyOne(pruned.details, 'archive', 'available'));
  });

  test('after a reload another worker and another agent find the same', async () => {
    await page.close();
    page = aPage();
    const live = await askAll('kept, after a reload', page, KEPT, at.keptEnd, kept.details);
    expect(live).toEqual(everyOne(kept.details, 'active', 'available'));
    const gone = await askAll('pruned, after a reload', page, PRUNED, at.afterPrune, pruned.details);
    expect(gone).toEqual(everyOne(pruned.details, 'archive', 'available'));
  });

  test.each([
    ['an archive that refuses', REFUSING, 'quota', kept.details],
    ['no worker', WORKERLESS, 'unsupported', kept.details.slice(0, 5)],
  ])('with %s, what the checkpoint holds is found all the same', async (what, archive, reason, details) => {
    const without = aPage(archive);
    const found = await askAll(`kept, with ${what}`, without, KEPT, at.keptEnd, details);
    expect(found).toEqual(everyOne(details, 'active', 'unavailable', reason));
    const [gone] = pruned.details;
    expect(gone === undefined ? null : await without.ask(PRUNED, at.afterPrune, gone)).toEqual({
      ...NOTHING,
      status: 'unavailable',
      reason,
    });
  });

  describe('when it goes on, is rolled back and forks', () => {
    let laterEnd = '';
    let asideEnd = '';

    beforeAll(async () => {
      await page.converse(PRUNED, later.turns, at.afterPrune);
      laterEnd = (await page.compact(PRUNED, true)).after;
      await page.converse(PRUNED, aside.turns, at.afterPrune);
      asideEnd = (await page.compact(PRUNED, true)).after;
    }, 60_000);

    test('it finds old and new where it went on', async () => {
      const details = [...pruned.details, ...later.details];
      const found = await askAll('pruned again, later', page, PRUNED, laterEnd, details);
      expect(found).toEqual(everyOne(details, 'archive', 'available'));
    });

    test('rolled back to the first pruning, it finds the old and nothing that came later', async () => {
      const found = await askAll('rolled back', page, PRUNED, at.afterPrune, pruned.details);
      expect(found).toEqual(everyOne(pruned.details, 'archive', 'available'));
      const gone = await askAll('rolled back: what came later', page, PRUNED, at.afterPrune, later.details);
      expect(gone).toEqual(notOne(later.details, 'available'));
    });

    test('rolled back to before the pruning, it finds the old in the checkpoint', async () => {
      const [first] = pruned.details;
      const found = first === undefined ? null : await page.ask(PRUNED, at.beforePrune, first);
      expect(found).toMatchObject({ origin: 'active', status: 'available' });
    });

    test('the fork finds the old and its own, and nothing of the other branch', async () => {
      const details = [...pruned.details, ...aside.details];
      const found = await askAll('on a fork', page, PRUNED, asideEnd, details);
      expect(found).toEqual(everyOne(details, 'archive', 'available'));
      const other = await askAll('on a fork: the other branch', page, PRUNED, asideEnd, later.details);
      expect(other).toEqual(notOne(later.details, 'available'));
    });

    test('the first branch finds nothing of the fork', async () => {
      const other = await askAll('on the first branch: the fork', page, PRUNED, laterEnd, aside.details);
      expect(other).toEqual(notOne(aside.details, 'available'));
    });

    test('a copy in another thread says that its history is out of scope, and finds nothing archived', async () => {
      const copied = await page.copy(PRUNED, laterEnd, 'copy');
      const found = await askAll('copied to another thread', page, 'copy', copied, later.details);
      expect(found).toEqual(notOne(later.details, 'scope_unavailable'));
    });
  });
});
