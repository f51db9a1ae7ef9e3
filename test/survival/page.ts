// The page under test: captures numbered batches, tells the test of each as it happens, and looks for them again.
import { wrap } from 'comlink';
import { openArchive } from '../../src/client.js';
import { batchIdOf, scopeDigest } from '../../src/core/digest.js';
import { type BatchId, extractRecords, type SourceRecord } from '../../src/core/message.js';
import type { ArchiveFailure, Scope, StoredPage } from '../../src/protocol.js';
import { queryFor, RETENTION, unwrap } from '../support/archives.js';
import type { Inspector } from '../support/inspecting-worker.js';
import { messagesOfBatch, wordOf } from './batches.js';

/** What the page tells the test. A batch of which nothing follows its `begin` may be in the file or not. */
export type Report =
  | { readonly kind: 'begin'; readonly batches: readonly number[]; readonly ids: readonly BatchId[] }
  | { readonly kind: 'confirmed'; readonly batch: number; readonly evicted: readonly BatchId[] }
  | {
      readonly kind: 'failed';
      readonly batch: number;
      readonly failure: ArchiveFailure;
      readonly detail: string;
    };

export interface Findings {
  /** What stands in the file, in the order of insertion; -1 for a batch that is none of those asked for. */
  readonly stored: readonly number[];
  /** What is wrong with the file or with a batch in it, in words. */
  readonly faults: readonly string[];
}

export interface SurvivalPage {
  /** Captures these batches, `atOnce` at a time, until one fails; resolves to whether none did. */
  capture(batches: readonly number[], atOnce: number): Promise<boolean>;
  /** Looks at the file, and through the archive at each of these batches that the file holds. */
  inspect(batches: readonly number[]): Promise<Findings>;
  /** Ends the archive's worker behind its back; nothing more is captured by a `capture` under way. */
  terminateWorker(): void;
  /** Bytes that the origin takes up. */
  usage(): Promise<number>;
}

declare global {
  interface Window {
    survival: SurvivalPage;
    /** Given by the test; resolves when the test has heard it. */
    report(report: Report): Promise<void>;
  }
}

const options = new URLSearchParams(location.search);
const scope: Scope = { user: 'Ada', thread: options.get('thread') ?? '' };
const maxRecords = Number(options.get('maxRecords'));
const retention = { ...RETENTION, maxBatches: Number(options.get('maxBatches')) };

let worker: Worker | null = null;
let terminations = 0;
const archive = openArchive({
  worker: () => {
    worker = new Worker(new URL('../../worker/main.ts', import.meta.url), { type: 'module' });
    return worker;
  },
});

function recordsOf(number: number): SourceRecord[] {
  return extractRecords(messagesOfBatch(number, maxRecords), retention.maxRecordChars);
}

function idOf(number: number): BatchId {
  return batchIdOf(scopeDigest(scope.user, scope.thread), recordsOf(number));
}

async function captureOne(batch: number): Promise<boolean> {
  const messages = messagesOfBatch(batch, maxRecords);
  const reply = await archive.capture(scope, { sources: { messages }, retention, known: [] });
  if (reply.ok) {
    await window.report({ kind: 'confirmed', batch, evicted: reply.value.evicted });
  } else {
    await window.report({ kind: 'failed', batch, failure: reply.failure, detail: reply.detail });
  }
  return reply.ok;
}

async function whatIsWrongWith(batch: number): Promise<string[]> {
  const records = recordsOf(batch);
  const batches = [idOf(batch)];
  const ids = records.map((record) => record.id);
  const held = unwrap(await archive.holds(scope, batches, ids));
  const whole = held.sources.filter((source) => !source.truncated).length;
  if (held.batchesFound !== 1 || whole !== new Set(ids).size) {
    return [`holds: ${held.batchesFound} batches, ${whole} of ${ids.length} sources`];
  }
  for (const record of records) {
    let text = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const page: StoredPage = unwrap(await archive.read(scope, batches, { id: record.id, offset }));
      text += page.record?.text ?? '';
      offset = page.nextOffset;
    }
    if (text !== record.text) return [`read: ${record.id} has other text`];
  }
  const { hits } = unwrap(await archive.search(scope, batches, queryFor(wordOf(batch))));
  return hits.length > 0 ? [] : [`search: ${wordOf(batch)} is not found`];
}

window.survival = {
  async capture(batches, atOnce) {
    const before = terminations;
    for (let at = 0; at < batches.length; at += atOnce) {
      const next = batches.slice(at, at + atOnce);
      await window.report({ kind: 'begin', batches: next, ids: next.map(idOf) });
      if (terminations !== before) return false;
      const results = await Promise.all(next.map(captureOne));
      if (results.includes(false)) return false;
    }
    return true;
  },

  async inspect(batches) {
    const numbers = new Map(batches.map((batch) => [idOf(batch), batch]));
    const inspecting = new Worker(new URL('../support/inspecting-worker.ts', import.meta.url), {
      type: 'module',
    });
    const state = await wrap<Inspector>(inspecting).look(scope);
    inspecting.terminate();
    if (state === null) return { stored: [], faults: ['The thread has no file.'] };
    const stored = state.batches.map((id) => numbers.get(id) ?? -1);
    const faults: string[] = [];
    if (state.integrity.join() !== 'ok') faults.push(`integrity_check: ${state.integrity.join('; ')}`);
    if (state.strayRows > 0) faults.push(`${state.strayRows} stray rows`);
    for (const batch of stored) {
      if (batch === -1) continue;
      for (const fault of await whatIsWrongWith(batch)) faults.push(`batch ${batch}: ${fault}`);
    }
    return { stored, faults };
  },

  terminateWorker() {
    terminations += 1;
    worker?.terminate();
  },

  async usage() {
    return (await navigator.storage.estimate()).usage ?? 0;
  },
};
