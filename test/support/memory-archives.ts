// What tests of the archive in memory have in common: one thread, and what is asked of it.
import {
  type BatchId,
  extractRecord,
  type Message,
  type SourceId,
  type SourceRecord,
} from '../../src/core/message.js';
import { parseQuery } from '../../src/core/query.js';
import { emptyStatistics } from '../../src/core/rank.js';
import type { Archive, ArchiveQuery, Retention } from '../../src/protocol.js';
import { RETENTION, unwrap } from './archives.js';
import { seededRandom } from './seeded.js';

export const SCOPE = { user: 'ada', thread: 'one' };

export function message(type: string, content: string, id: string | null = null): Message {
  return { type, content, id, name: null, additional_kwargs: {}, tool_calls: [], tool_call_id: null };
}

export const human = (content: string, id: string | null = null): Message => message('human', content, id);

export function recordOf(given: Message): SourceRecord {
  const record = extractRecord(given, RETENTION.maxRecordChars);
  if (record === null) throw new Error('This message has no record.');
  return record;
}

interface CaptureOptions extends Partial<Retention> {
  readonly known?: readonly BatchId[];
}

export function tryCapture(archive: Archive, messages: readonly Message[], options: CaptureOptions = {}) {
  const { known = [], ...retention } = options;
  return archive.capture(SCOPE, { sources: { messages }, retention: { ...RETENTION, ...retention }, known });
}

export async function capture(archive: Archive, messages: readonly Message[], options: CaptureOptions = {}) {
  const receipt = unwrap(await tryCapture(archive, messages, options));
  return { ...receipt, batches: receipt.batch === null ? [] : [receipt.batch] };
}

export function query(text: string, part: Partial<ArchiveQuery> = {}): ArchiveQuery {
  const terms = parseQuery(text).terms.length;
  return { text, role: null, activeIds: new Uint8Array(), activeStatistics: emptyStatistics(terms), ...part };
}

export async function searchTexts(archive: Archive, batches: readonly BatchId[], asked: ArchiveQuery) {
  return unwrap(await archive.search(SCOPE, batches, asked)).hits.map((hit) => hit.excerpt);
}

export async function batchesFound(archive: Archive, batches: readonly BatchId[]) {
  return unwrap(await archive.holds(SCOPE, batches, [])).batchesFound;
}

export const idBytes = (id: SourceId): number[] =>
  (id.slice(1).match(/../g) ?? []).map((byte) => parseInt(byte, 16));

/** Text in which hardly a word repeats. */
export function noise(characters: number, seed: number): string {
  const random = seededRandom(seed);
  const letter = () => String.fromCharCode(97 + random.below(26));
  const word = () => `${Array.from({ length: 31 }, letter).join('')} `;
  return Array.from({ length: characters / 32 }, word).join('');
}
