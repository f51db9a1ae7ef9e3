// What goes into the archive, what the checkpoint then says of it, and which messages are safe there.
import { describe, expect, test } from 'vitest';
import { memoryArchive } from '../worker/memory.js';
import { createContinuity } from './continuity.js';
import { scopeDigest } from './core/digest.js';
import { extractRecord, type Message, type SourceRecord } from './core/message.js';
import type { Archive, CaptureRequest } from './protocol.js';

const SCOPE = { user: 'ada', thread: 'thread-1' };
const DIGEST = scopeDigest('ada', 'thread-1');

let made = 0;
function says(type: string, content: unknown, more: Partial<Message> = {}): Message {
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

/** An archive that notes what it was asked to capture. */
async function watched() {
  const archive = await memoryArchive();
  const requests: CaptureRequest[] = [];
  const spy: Archive = {
    ...archive,
    capture: (scope, request) => {
      requests.push(request);
      return archive.capture(scope, request);
    },
  };
  return { archive: spy, requests };
}

const textsIn = ({ sources }: CaptureRequest) =>
  'records' in sources
    ? sources.records.map((record) => record.text)
    : sources.messages.map((one) => one.content);

describe('a capture', () => {
  test('answers with the history that refers to its batch', async () => {
    const continuity = createContinuity({ archive: await memoryArchive() });
    const first = await continuity.capture(SCOPE, undefined, [says('human', 'one'), says('system', 'two')]);
    expect(first).toMatchObject({ stored: 1, omitted: 0, evicted: [], failure: null });
    expect(first.history).toMatchObject({ scope: DIGEST, omitted_records: 0, status: 'available' });
    const second = await continuity.capture(SCOPE, first.history, [says('human', 'two')]);
    expect(second.history.batches).toHaveLength(2);
    expect(second.history.batches[0]).toBe(first.history.batches[0]);
  });

  test('leaves out what a reachable batch holds already, long messages too', async () => {
    const { archive, requests } = await watched();
    const continuity = createContinuity({ archive });
    const messages = [says('human', 'short'), says('tool', 'long '.repeat(5_000))];
    const { history } = await continuity.capture(SCOPE, null, messages);
    const again = await continuity.capture(SCOPE, history, [...messages, says('human', 'new')]);
    expect(again).toMatchObject({ stored: 1 });
    expect(requests.map(textsIn).at(-1)).toEqual(['short', 'new']);
    const nothing = await continuity.capture(SCOPE, again.history, messages);
    expect(nothing).toMatchObject({ stored: 0, failure: null, history: { batches: again.history.batches } });
  });

  test('drops references of another user or thread, and keeps them when it fails', async () => {
    const continuity = createContinuity({ archive: await memoryArchive() });
    const foreign = { scope: scopeDigest('eve', 'thread-1'), batches: ['a'.repeat(64)], status: 'available' };
    const { history } = await continuity.capture(SCOPE, foreign, [says('human', 'mine')]);
    expect(history).toMatchObject({ scope: DIGEST, batches: [expect.stringMatching(/^[0-9a-f]{64}$/)] });
    expect(history.batches).not.toContain('a'.repeat(64));

    const fail = async () => ({ ok: false as const, failure: 'ceiling' as const, detail: '' });
    const failing = createContinuity({ archive: { ...(await memoryArchive()), capture: fail } });
    const failed = await failing.capture(SCOPE, foreign, [says('human', 'mine')]);
    expect(failed.history).toEqual({
      ...foreign,
      omitted_records: 0,
      status: 'unavailable',
      reason: 'ceiling',
    });
  });

  test('counts what it left out, keeps the newest, and tells which batches went', async () => {
    const archive = await memoryArchive();
    const continuity = createContinuity({ archive, retention: { maxBatches: 1, maxRecordsPerBatch: 2 } });
    const first = await continuity.capture(
      SCOPE,
      null,
      ['a', 'b', 'c'].map((text) => says('human', text)),
    );
    expect(first).toMatchObject({ stored: 2, omitted: 1, history: { omitted_records: 1 } });
    const second = await continuity.capture(SCOPE, first.history, [says('human', 'd')]);
    expect(second.evicted).toEqual(first.history.batches);
    expect(second.history.batches).toHaveLength(1);
  });

  test('takes neither answers of our tools nor more of a message than its record needs', async () => {
    const { archive, requests } = await watched();
    const image = { type: 'image_url', image_url: 'data:…' };
    const unsendable = () => 'a function cannot be sent to a worker';
    const call = { name: 'history_search', args: { query: 'x' }, id: 'c1' };
    await createContinuity({ archive }).capture(SCOPE, null, [
      says('human', [{ type: 'text', text: 'Look.' }, image], {
        additional_kwargs: { unsendable, hide_from_ui: false },
      }),
      says('ai', '', { tool_calls: [call] }),
      says('tool', '{}', { tool_call_id: 'c1', additional_kwargs: { threadkeep_tool: 'history_search' } }),
    ]);
    expect(requests).toMatchObject([
      { sources: { messages: [{ content: [{ type: 'text', text: 'Look.' }] }, { tool_calls: [call] }] } },
    ]);
    expect(() => structuredClone(requests)).not.toThrow();
  });
});

describe('redaction', () => {
  const secret = 'sk-0123456789';
  const redact = (record: SourceRecord) =>
    record.name === 'private' ? null : { ...record, text: record.text.replaceAll(secret, '[key]') };

  test('runs before anything is stored, over the whole text', async () => {
    const { archive, requests } = await watched();
    const continuity = createContinuity({ archive, redact, retention: { maxRecordChars: 1_000 } });
    const message = says('human', `${'x'.repeat(995)}${secret}`);
    const { history } = await continuity.capture(SCOPE, null, [
      message,
      says('human', 'no', { name: 'private' }),
    ]);
    expect(JSON.stringify(requests)).not.toContain('sk-01');
    const id = extractRecord(message, 1_000)?.id;
    const view = { scope: SCOPE, history, messages: [] };
    expect(await continuity.read(view, { id })).toMatchObject({
      page: { id, text: `${'x'.repeat(995)}[key]`, truncated: false },
    });
  });

  test('lets the page have its turn between two records', async () => {
    const continuity = createContinuity({
      archive: await memoryArchive(),
      redact(record) {
        const end = performance.now() + 2;
        while (performance.now() < end);
        seen.push(record.text);
        return record;
      },
    });
    const seen: string[] = [];
    setTimeout(() => seen.push('the page'), 0);
    const messages = Array.from({ length: 30 }, (_, at) => says('human', `message ${at}`));
    await continuity.capture(SCOPE, undefined, messages);
    expect(seen).toHaveLength(31);
    expect(seen.at(-1)).toBe('message 29');
  });

  test('that throws stores nothing, and says so', async () => {
    const { archive, requests } = await watched();
    const broken = () => {
      throw new Error('no rules loaded');
    };
    const outcome = await createContinuity({ archive, redact: broken }).capture(SCOPE, null, [
      says('human', 'x'),
    ]);
    expect(outcome).toMatchObject({
      failure: 'internal',
      history: { status: 'unavailable', reason: 'internal' },
    });
    expect(requests).toEqual([]);
  });

  test('makes a message that it changes not whole in the archive', async () => {
    const continuity = createContinuity({ archive: await memoryArchive(), redact });
    const [open, changed] = [says('human', 'open'), says('human', secret)];
    const { history } = await continuity.capture(SCOPE, null, [open, changed]);
    expect([...(await continuity.wholeSources(SCOPE, history, [open, changed]))]).toEqual([open]);
  });
});

describe('a message is whole in the archive', () => {
  test('when its whole text is confirmed there, or it has none of its own', async () => {
    const continuity = createContinuity({
      archive: await memoryArchive(),
      retention: { maxRecordChars: 1_000 },
    });
    const kept = says('human', 'kept');
    const cut = says('tool', 'x'.repeat(1_001));
    const never = says('human', 'never archived');
    const hidden = says('human', 'injected', { additional_kwargs: { hide_from_ui: true } });
    const empty = says('tool', '');
    const echo = says('tool', '{}', { additional_kwargs: { threadkeep_tool: 'history_read' } });
    const { history } = await continuity.capture(SCOPE, null, [kept, cut, hidden, empty, echo]);
    const all = [kept, cut, never, hidden, empty, echo];
    expect([...(await continuity.wholeSources(SCOPE, history, all))]).toEqual([empty, echo, kept]);
  });

  test('only as long as its batch is reachable from this user’s thread', async () => {
    const archive = await memoryArchive();
    const continuity = createContinuity({ archive });
    const message = says('human', 'kept');
    const { history } = await continuity.capture(SCOPE, null, [message]);
    expect((await continuity.wholeSources(SCOPE, history, [message])).size).toBe(1);
    expect((await continuity.wholeSources({ ...SCOPE, user: 'eve' }, history, [message])).size).toBe(0);
    expect((await continuity.wholeSources(SCOPE, null, [message])).size).toBe(0);
    await archive.forget(SCOPE);
    expect((await continuity.wholeSources(SCOPE, history, [message])).size).toBe(0);
  });
});
