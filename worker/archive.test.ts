// The archive on `:memory:` databases, by its public interface.
import { describe, expect, test } from 'vitest';
import { sourceIdOf } from '../src/core/digest.js';
import type { Message, Role, SourceRecord } from '../src/core/message.js';
import { parseQuery } from '../src/core/query.js';
import { emptyStatistics } from '../src/core/rank.js';
import type { Archive, ArchiveQuery, Reply, Retention } from '../src/protocol.js';
import { memoryArchive } from './memory.js';

const SCOPE = { user: 'ada', thread: 'one' };
const RETENTION: Retention = { maxBatches: 32, maxRecordsPerBatch: 256, maxRecordChars: 16_000 };

function message(type: string, content: string, id: string | null = null): Message {
  return { type, content, id, name: null, additional_kwargs: {}, tool_calls: [], tool_call_id: null };
}

function human(content: string, id: string | null = null): Message {
  return message('human', content, id);
}

function record(text: string, role: Role = 'human', message_id: string | null = null): SourceRecord {
  const identity = { message_id, name: null, role, text };
  return { role, message_id, name: null, text, id: sourceIdOf(identity), truncated: false };
}

async function capture(
  archive: Archive,
  sources: readonly Message[] | readonly string[],
  retention: Partial<Retention> = {},
  known: Parameters<Archive['capture']>[1]['known'] = [],
) {
  const messages = sources.map((source) => (typeof source === 'string' ? human(source) : source));
  return unwrap(
    await archive.capture(SCOPE, { sources: { messages }, retention: { ...RETENTION, ...retention }, known }),
  );
}

function query(text: string, part: Partial<ArchiveQuery> = {}): ArchiveQuery {
  const terms = parseQuery(text).terms.length;
  return { text, role: null, activeIds: new Uint8Array(), activeStatistics: emptyStatistics(terms), ...part };
}

function unwrap<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(`${reply.failure}: ${reply.detail}`);
  return reply.value;
}

describe('capture', () => {
  test('stores the sources of a conversation and finds them again', async () => {
    const archive = await memoryArchive();
    const { batch, stored } = await capture(archive, ['The code is ZX-731.', 'Thanks.']);
    expect(stored).toBe(2);
    const found = unwrap(await archive.search(SCOPE, batch === null ? [] : [batch], query('ZX-731')));
    expect(found.hits.map((hit) => hit.excerpt)).toEqual(['The code is ZX-731.']);
    expect(found.batchesFound).toBe(1);
    expect(record('x').id).toMatch(/^r/);
  });
});
