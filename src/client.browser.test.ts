// The page's end of the archive in a real browser: real workers, real OPFS, real deaths.
import { afterEach, describe, expect, test } from 'vitest';
import { type ArchiveClient, openArchive } from './client.js';
import type { Message } from './core/message.js';
import { parseQuery } from './core/query.js';
import { emptyStatistics } from './core/rank.js';
import type { Reply, Retention } from './protocol.js';

const RETENTION: Retention = { maxBatches: 32, maxRecordsPerBatch: 256, maxRecordChars: 16_000 };

const clients: ArchiveClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
});

function open(options: Parameters<typeof openArchive>[0] = {}): ArchiveClient {
  const client = openArchive(options);
  clients.push(client);
  return client;
}

/** Another thread for each test, in one browser profile. */
const aScope = () => ({ user: 'ada', thread: `thread ${crypto.randomUUID()}` });

function human(content: string): Message {
  return {
    type: 'human',
    content,
    id: null,
    name: null,
    additional_kwargs: {},
    tool_calls: [],
    tool_call_id: null,
  };
}

function captureOf(...texts: readonly string[]) {
  return { sources: { messages: texts.map(human) }, retention: RETENTION, known: [] };
}

function queryFor(text: string) {
  const activeStatistics = emptyStatistics(parseQuery(text).terms.length);
  return { text, role: null, activeIds: new Uint8Array(), activeStatistics };
}

function unwrap<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(`${reply.failure}: ${reply.detail}`);
  return reply.value;
}

describe('openArchive', () => {
  test('keeps on OPFS what was captured, for another worker to find', async () => {
    const scope = aScope();
    const first = open();
    expect(unwrap(await first.info())).toMatchObject({ persistent: true, reason: null });
    const { batch } = unwrap(await first.capture(scope, captureOf('The code is ZX-731.')));
    const batches = batch === null ? [] : [batch];
    first.dispose();
    const found = unwrap(await open().search(scope, batches, queryFor('zx-731')));
    expect(found.hits.map((hit) => hit.excerpt)).toEqual(['The code is ZX-731.']);
  });
});
