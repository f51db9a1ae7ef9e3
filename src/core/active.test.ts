// The live conversation as a body of sources.
import { describe, expect, test } from 'vitest';
import { activeSources, matchActive, packIds } from './active.js';
import { namedArgumentRanges, ownArgumentRanges, ownCallsOf, withBlanks } from './echo.js';
import { type Message, type SourceId, visibleText } from './message.js';
import { parseQuery } from './query.js';
import { sliceChars } from './text.js';

function says(content: string, more: Partial<Message> = {}): Message {
  return {
    type: 'human',
    content,
    id: null,
    name: null,
    additional_kwargs: {},
    tool_calls: [],
    tool_call_id: null,
    ...more,
  };
}

const OWN = { additional_kwargs: { threadkeep_tool: 'history_search' } };

describe('a long conversation', () => {
  test('lets the page have its turn before every message that must be worked out, and that is matched', async () => {
    const messages = Array.from({ length: 50 }, (_, count) => says(`ledger ${count}`));
    let turns = 0;
    const breathe = async () => {
      turns += 1;
    };
    const sources = await activeSources(messages, breathe);
    expect(turns).toBe(50);
    await matchActive(messages, sources, parseQuery('ledger'), new Set(), breathe);
    expect(turns).toBeGreaterThanOrEqual(150);
  });

  test('is worked out once: what is known of a message stays as long as the message', async () => {
    const messages = [says('one'), says('two')];
    const first = await activeSources(messages, () => undefined);
    const breathe = () => Promise.reject(new Error('worked out again'));
    const second = await activeSources(messages, breathe);
    expect(second.map((source) => source.record)).toEqual(first.map((source) => source.record));
    expect(second[0]?.record).toBe(first[0]?.record);
  });

  test('finds the same after more was said, and after its beginning was taken away', async () => {
    const messages = Array.from({ length: 1_000 }, (_, count) => says(`ledger ${count} of ${count % 7}`));
    const query = parseQuery('ledger 3');
    const found = async (some: readonly Message[], from: number) => {
      const sources = await activeSources(some, () => undefined);
      const matches = await matchActive(some, sources, query, new Set(), () => undefined);
      const { candidates, statistics } = matches;
      const places = candidates.map(({ position, counts }) => [position + from, ...counts]);
      return { places, statistics };
    };
    const alone = async (from: number, to: number) => found(structuredClone(messages.slice(from, to)), from);
    expect(await found(messages.slice(0, 700), 0)).toEqual(await alone(0, 700));
    expect(await found(messages, 0)).toEqual(await alone(0, 1_000));
    expect(await found(messages.slice(300), 300)).toEqual(await alone(300, 1_000));
    expect((await found(messages, 0)).statistics).toMatchObject({ documents: 1_000 });
  });

  test('counts every source in its statistics, and only those that match as candidates', async () => {
    const messages = [
      says('ledger ledger'),
      says('backup'),
      says('', OWN),
      says('{}', { type: 'tool', ...OWN }),
    ];
    const sources = await activeSources(messages, () => undefined);
    expect(sources.map((source) => source.position)).toEqual([0, 1]);
    const query = parseQuery('ledger');
    const { candidates, statistics } = await matchActive(
      messages,
      sources,
      query,
      new Set(),
      () => undefined,
    );
    expect(candidates).toMatchObject([{ position: 0, counts: [2] }]);
    expect(statistics).toMatchObject({ documents: 2, documentFrequency: [1] });
  });
});

test('ids are packed as the bytes that they spell', () => {
  const ids = [`r${'0123456789abcdef'.repeat(2)}`, `r${'f0'.repeat(16)}`] as SourceId[];
  const packed = [...packIds(ids)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  expect(packed).toBe(`${'0123456789abcdef'.repeat(2)}${'f0'.repeat(16)}`);
});

describe('calls to our tools', () => {
  const call = (id: string, name = 'history_search', args: unknown = { query: '😀 "x"' }) => ({
    id,
    name,
    args,
  });
  const result = (id: string, more: Partial<Message> = OWN) =>
    says('{}', { type: 'tool', tool_call_id: id, ...more });

  test('are known by the mark of their result, not by their name', () => {
    const ours = says('', { type: 'ai', tool_calls: [call('1'), call('2')] });
    expect([...ownCallsOf([ours, result('1'), result('2', {})])]).toEqual([ours.tool_calls[0]]);
  });

  test('that have no result yet are known when the caller names them', () => {
    const ours = says('', { type: 'ai', tool_calls: [call('1'), call('2')] });
    expect([...ownCallsOf([ours], new Set(['2']))]).toEqual([ours.tool_calls[1]]);
  });

  test('are told apart when a model uses an id again', () => {
    const first = says('', { type: 'ai', tool_calls: [call('1', 'theirs')] });
    const second = says('', { type: 'ai', tool_calls: [call('1')] });
    const own = ownCallsOf([first, result('1', {}), second, result('1')]);
    expect([...own]).toEqual([second.tool_calls[0]]);
  });

  test('have their arguments blanked, and nothing else, character for character', () => {
    const calls = [call('1', 'thé\n', { q: '😀' }), call('2', 'theirs', { keep: 'this' }), call('3')];
    const message = says('Text 😀.', { type: 'ai', tool_calls: calls });
    const own = new Set([calls[0], calls[2]].filter((one) => one !== undefined));
    const text = visibleText(message);
    const ranges = ownArgumentRanges(message, own);
    expect(ranges.map(([start, end]) => sliceChars(text, start, end))).toEqual([
      '{"q": "😀"}',
      '{"query": "😀 \\"x\\""}',
    ]);
    const blanked = withBlanks(text, ranges);
    expect([...blanked]).toHaveLength([...text].length);
    expect(blanked).toContain('Text 😀.\nTool calls: [{"name": "thé\\n", "args":           , "id": "1"}');
    expect(blanked).toContain('{"name": "theirs", "args": {"keep": "this"}, "id": "2"}');
  });

  test('of a text that is known no better go by the tool’s name, whole or cut', () => {
    const calls = [call('1', 'thé\n'), call('2', 'history_search', { q: '\\"}😀, [' }), call('3')];
    const text = visibleText(says('A\nTool calls: [😀', { type: 'ai', tool_calls: calls }));
    const shown = (part: string) =>
      namedArgumentRanges(part, new Set(['history_search'])).map(([from, to]) => sliceChars(part, from, to));
    expect(shown(text)).toEqual(['{"q": "\\\\\\"}😀, ["}', '{"query": "😀 \\"x\\""}']);
    expect(shown(text.slice(0, text.indexOf('"q"') + 7))).toEqual(['{"q": "\\']);
    expect(shown('no calls here')).toEqual([]);
  });
});
