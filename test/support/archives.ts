// What tests of the archive in a browser have in common.
import type { BatchId, Message } from '../../src/core/message.js';
import { parseQuery } from '../../src/core/query.js';
import { emptyStatistics } from '../../src/core/rank.js';
import type { Archive, ArchiveQuery, CaptureRequest, Reply, Retention, Scope } from '../../src/protocol.js';

export const RETENTION: Retention = { maxBatches: 32, maxRecordsPerBatch: 256, maxRecordChars: 16_000 };

/** Another thread for each test: they share one browser profile. */
export function aScope(): Scope {
  return { user: 'Ada Lovelace?#/é', thread: `thread ${crypto.randomUUID()}` };
}

export function human(content: string): Message {
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

export function captureOf(...texts: readonly string[]): CaptureRequest {
  return { sources: { messages: texts.map(human) }, retention: RETENTION, known: [] };
}

export function messagesOf({ sources }: CaptureRequest): readonly Message[] {
  return 'messages' in sources ? sources.messages : [];
}

export function queryFor(text: string): ArchiveQuery {
  const activeStatistics = emptyStatistics(parseQuery(text).terms.length);
  return { text, role: null, activeIds: new Uint8Array(), activeStatistics };
}

export function unwrap<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(`${reply.failure}: ${reply.detail}`);
  return reply.value;
}

/** Captures and gives the batch's id. */
export async function capture(archive: Archive, scope: Scope, ...texts: readonly string[]): Promise<BatchId> {
  const { batch } = unwrap(await archive.capture(scope, captureOf(...texts)));
  if (batch === null) throw new Error('Nothing was captured.');
  return batch;
}

export async function searchTexts(
  archive: Archive,
  scope: Scope,
  batches: readonly BatchId[],
  query: string,
) {
  return unwrap(await archive.search(scope, batches, queryFor(query))).hits.map((hit) => hit.excerpt);
}
