// Search and read without a framework: live messages and a real archive in memory, as one history.
import { describe, expect, test } from 'vitest';
import { memoryArchive } from '../worker/memory.js';
import { createContinuity } from './continuity.js';
import { extractRecord, type Message } from './core/message.js';
import { sliceChars } from './core/text.js';
import type { HistoryView, SearchOutcome } from './lookup.js';
import type { Archive, ArchiveFailure } from './protocol.js';

const SCOPE = { user: 'ada', thread: 'thread-1' };

let made = 0;
function says(type: 'human' | 'ai' | 'tool', content: unknown, more: Partial<Message> = {}): Message {
  made += 1;
  return {
    type,
    content,
    id: `m${made}`,
    name: null,
    additional_kwargs: {},
    tool_calls: [],
    tool_call_id: null,
    ...more,
  };
}

const idOf = (message: Message) => extractRecord(message, 64_000)?.id ?? '';

/** A history with these messages archived, and these live. */
async function aHistory(archived: readonly Message[], live: readonly Message[], archive?: Archive) {
  const real = archive ?? (await memoryArchive());
  const continuity = createContinuity({ archive: real });
  const captured = archived.length === 0 ? null : (await continuity.capture(SCOPE, null, archived)).history;
  const view: HistoryView = { scope: SCOPE, history: captured, messages: live };
  const search = async (query: string, role?: string) =>
    hitsOf(await continuity.search(view, { query, role }));
  return { archive: real, continuity, view, search };
}

function hitsOf(outcome: SearchOutcome) {
  if (outcome.kind === 'error') throw new Error(outcome.error);
  return outcome.results;
}

describe('search', () => {
  test('shows live and archived sources as one list, best first', async () => {
    const weak = says(
      'human',
      'A ledger, somewhere in a long message about many other things that go on and on.',
    );
    const strong = says('human', 'ledger backup');
    const { search } = await aHistory([weak], [strong]);
    expect((await search('ledger backup')).map((hit) => [hit.id, hit.origin])).toEqual([
      [idOf(strong), 'active'],
      [idOf(weak), 'archive'],
    ]);
  });

  test('looks at the first 64,000 characters of a live message, and says that there are more', async () => {
    const message = says('tool', `${'x '.repeat(20_000)}early ${'x '.repeat(12_000)}late`);
    const { search } = await aHistory([], [message]);
    expect(await search('early')).toMatchObject([{ excerpt_match: true, truncated: true }]);
    expect(await search('late')).toEqual([]);
  });

  test('shows a source once, in its live version, though the archive holds it too', async () => {
    const message = says('human', 'ledger');
    const { search } = await aHistory([message], [message]);
    expect(await search('ledger')).toMatchObject([{ id: idOf(message), origin: 'active', position: 1 }]);
  });

  test('does not let a full archive hide a newer correction', async () => {
    const archived = Array.from({ length: 40 }, (_, count) =>
      says('ai', `The quorum is 3, report ${count}.`),
    );
    const correction = says(
      'human',
      'Mind this please: from now on we want to have a quorum that is 4, not 3 any more.',
    );
    const question = says('human', 'What is the quorum now?');
    const { search } = await aHistory(archived, [correction, says('ai', 'Noted.'), question]);
    const hits = await search('quorum');
    expect(hits).toHaveLength(8);
    expect(hits.map((hit) => hit.id)).toEqual(expect.arrayContaining([idOf(correction), idOf(question)]));
  });

  test('answers with at most eight distinct sources', async () => {
    const live = Array.from({ length: 12 }, (_, count) => says('ai', `ledger ${count}`));
    const { search } = await aHistory([], live);
    expect(new Set((await search('ledger')).map((hit) => hit.id)).size).toBe(8);
  });

  test('shows the newer of two that match alike first', async () => {
    const [old, fresh] = [says('human', 'ledger A'), says('human', 'ledger B')];
    const { search } = await aHistory([], [old, fresh]);
    expect((await search('ledger')).map((hit) => hit.id)).toEqual([idOf(fresh), idOf(old)]);
  });

  test('filters both halves by author before the limit', async () => {
    const archived = [
      ...Array.from({ length: 9 }, () => says('ai', 'quorum')),
      says('human', 'quorum of theirs'),
    ];
    const { search } = await aHistory(archived, [says('ai', 'quorum'), says('human', 'quorum of mine')]);
    const hits = await search('quorum', 'user');
    expect(hits.map((hit) => hit.excerpt).sort()).toEqual(['quorum of mine', 'quorum of theirs']);
  });

  test('finds parts of words in live messages, below whole words', async () => {
    const [part, whole] = [
      says('ai', 'preledgered'),
      says('ai', 'the ledger of the house and much more text'),
    ];
    const { search } = await aHistory([], [whole, part]);
    expect((await search('ledger')).map((hit) => hit.id)).toEqual([idOf(whole), idOf(part)]);
  });

  test('cuts excerpts that are the source’s own characters', async () => {
    const text = `${'😀'.repeat(5_000)} Needle ${'x'.repeat(1_000)}`;
    const { search } = await aHistory([], [says('human', text)]);
    const [hit] = await search('needle');
    expect(hit).toMatchObject({ excerpt_match: true, excerpt_end: (hit?.excerpt_start ?? 0) + 600 });
    expect(hit?.excerpt).toBe(sliceChars(text, hit?.excerpt_start ?? 0, hit?.excerpt_end));
  });

  test('locates a hit outside of the arguments that it must not search', async () => {
    const calls = [
      { name: 'history_search', args: { query: 'needle' }, id: 'own' },
      { name: 'run', args: { command: 'find needle' }, id: 'theirs' },
    ];
    const asks = says('ai', '', { tool_calls: calls });
    const answer = says('tool', '{"results": []}', {
      tool_call_id: 'own',
      additional_kwargs: { threadkeep_tool: 'history_search' },
    });
    const { search } = await aHistory([], [asks, answer]);
    const [hit, ...others] = await search('needle');
    expect(others).toEqual([]);
    expect(hit?.excerpt).toContain('"query": "needle"');
    const { search: elsewhere } = await aHistory([asks, answer], []);
    expect(await elsewhere('find')).toHaveLength(1);
    expect(await elsewhere('query')).toHaveLength(0);
  });
});

test('what was prepared is not worked out again by the first search', async () => {
  const read: string[] = [];
  const message = says('human', 'ledger');
  const watched = new Proxy(message, {
    get: (target, key) => {
      if (key === 'content') read.push('content');
      return Reflect.get(target, key);
    },
  });
  const { continuity, view } = await aHistory([], [watched]);
  await continuity.prepare([watched]);
  const reads = read.length;
  expect(reads).toBeGreaterThan(0);
  expect(hitsOf(await continuity.search(view, { query: 'ledger' }))).toHaveLength(1);
  expect(read).toHaveLength(reads);
});

describe('losing the archive', () => {
  const broken = (failure: ArchiveFailure): Archive => {
    const fail = async () => ({ ok: false as const, failure, detail: 'told by the test' });
    return { info: fail, capture: fail, search: fail, read: fail, holds: fail, sources: fail, forget: fail };
  };

  test('degrades nothing that is live, and says why', async () => {
    const [gone, live] = [says('human', 'ledger gone'), says('human', 'ledger live')];
    const { view } = await aHistory([gone], [live]);
    const events: unknown[] = [];
    const continuity = createContinuity({
      archive: broken('locked'),
      onEvent: (event) => events.push(event),
    });
    const found = await continuity.search(view, { query: 'ledger' });
    expect(found).toMatchObject({ status: 'unavailable', reason: 'locked', results: [{ id: idOf(live) }] });
    const read = await continuity.read(view, { id: idOf(live) });
    expect(read).toMatchObject({ kind: 'page', status: 'unavailable', page: { text: 'ledger live' } });
    expect(await continuity.read(view, { id: idOf(gone) })).toMatchObject({
      error: 'source_unavailable',
      status: 'unavailable',
      reason: 'locked',
    });
    expect(events[0]).toEqual({ type: 'history_unavailable', failure: 'locked', detail: 'told by the test' });
  });

  test('that throws instead of answering is a failure as well', async () => {
    const { view } = await aHistory([says('human', 'ledger')], []);
    const refuse = () => Promise.reject(new Error('clone failed'));
    const archive = { ...broken('internal'), search: refuse, capture: refuse };
    const continuity = createContinuity({ archive });
    expect(await continuity.search(view, { query: 'ledger' })).toMatchObject({
      status: 'unavailable',
      results: [],
    });
    expect(await continuity.capture(SCOPE, null, [says('human', 'x')])).toMatchObject({
      failure: 'internal',
      history: { status: 'unavailable', reason: 'internal' },
    });
  });

  test('in part is partially_expired, as a whole unavailable', async () => {
    const { archive, continuity, view } = await aHistory([says('human', 'ledger')], []);
    const { history } = await continuity.capture(SCOPE, view.history, [says('human', 'backup')]);
    const [, second = ''] = history.batches;
    const half = { ...view, history: { ...history, batches: ['0'.repeat(64), second] } };
    expect(await continuity.search(half, { query: 'backup' })).toMatchObject({
      status: 'partially_expired',
      results: [{ excerpt: 'backup' }],
    });
    await archive.forget(SCOPE);
    expect(await continuity.search(half, { query: 'backup' })).toMatchObject({
      status: 'unavailable',
      results: [],
    });
  });

  test('stays told after a failed capture, though older sources can be read', async () => {
    const message = says('human', 'ledger');
    const { view, continuity } = await aHistory([message], []);
    const failing = createContinuity({ archive: broken('quota') });
    const { history } = await failing.capture(SCOPE, view.history, [says('human', 'more')]);
    const after = { ...view, history };
    expect(await continuity.search(after, { query: 'ledger' })).toMatchObject({
      status: 'unavailable',
      reason: 'quota',
      results: [{ id: idOf(message) }],
    });
    expect((await continuity.capture(SCOPE, history, [says('human', 'more')])).history.status).toBe(
      'available',
    );
  });
});

describe('read', () => {
  test('turns pages of 4,000 characters until the end', async () => {
    const text = `${'a'.repeat(4_000)}${'😀'.repeat(4_000)}end`;
    for (const [archived, live] of [
      [[], [says('human', text)]],
      [[says('human', text)], []],
    ] as const) {
      const { continuity, view } = await aHistory(archived, live);
      const id = idOf([...archived, ...live][0] ?? says('human', ''));
      let whole = '';
      let offset: number | null = 0;
      while (offset !== null) {
        const read = await continuity.read(view, { id, offset });
        if (read.kind === 'error') throw new Error(read.error);
        whole += read.page.text;
        offset = read.page.next_offset;
      }
      expect(whole).toBe(text);
      expect(await continuity.read(view, { id, offset: 8_003 })).toMatchObject({
        page: { text: '', next_offset: null },
      });
    }
  });

  test('prefers the live version, whatever the archive kept of it', async () => {
    const message = says('tool', 'x'.repeat(20_000));
    const { continuity, view } = await aHistory([message], [message]);
    expect(await continuity.read(view, { id: idOf(message), offset: 16_000 })).toMatchObject({
      page: { truncated: false, next_offset: null, origin: 'active', text: 'x'.repeat(4_000) },
    });
    const archived = await continuity.read({ ...view, messages: [] }, { id: idOf(message), offset: 12_000 });
    expect(archived).toMatchObject({ page: { truncated: true, next_offset: null, origin: 'archive' } });
  });
});
