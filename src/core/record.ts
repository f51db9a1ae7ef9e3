// The compaction record: which messages a summary stands for, so that it holds after reload, rollback and fork.
import { sha256Hex } from './digest.js';
import type { Message } from './message.js';

/** A covered message: its id (null where it has none) and the digest of its content. */
export type CoveredMessage = readonly [id: string | null, digest: string];

/** What a checkpoint keeps of a compaction. Positions in the conversation are never identity. */
export interface CompactionRecord {
  readonly summary: string;
  /** Messages that the summary stands for, in order; former compactions of the same chain included. */
  readonly covered: readonly CoveredMessage[];
  /**
   * Ids (digests, for messages without one) of messages that stand among the covered ones but stay in the request:
   * the latest user message, skill reads.
   */
  readonly lifted: readonly string[];
  /** Ids of covered messages that were removed from the checkpoint, their words being archived. */
  readonly pruned: readonly string[];
  /** How many summaries were folded into this one. */
  readonly folds: number;
}

const DIGEST_CHARS = 32;
const digests = new WeakMap<Message, string>();

/** Digest of what a message says, without its id; made once per message object. */
export function messageDigest(message: Message): string {
  const known = digests.get(message);
  if (known !== undefined) return known;
  const { type, content, name, tool_calls, tool_call_id } = message;
  const digest = sha256Hex(JSON.stringify([type, content, name, tool_calls, tool_call_id])).slice(
    0,
    DIGEST_CHARS,
  );
  digests.set(message, digest);
  return digest;
}

/** Where a valid record's messages end, and which of those before stay in the request. */
export interface RecordFit {
  /** Index of the first message that the summary does not stand for. */
  readonly end: number;
  /** Indexes of lifted messages before `end`, in order. */
  readonly lifted: readonly number[];
}

/**
 * Fits a record to the messages, or null when it is not valid for them: a covered message is missing, changed or out
 * of order, or something else than a lifted message stands before the last of them.
 *
 * With `byContent`, ids are not compared: messages given as plain objects get new ones with every run.
 */
export function fitRecord(
  record: CompactionRecord,
  messages: readonly Message[],
  options: { readonly byContent?: boolean; readonly start?: number } = {},
): RecordFit | null {
  const { byContent = false, start = 0 } = options;
  const pruned = new Set(record.pruned);
  const expected = record.covered.filter(([id]) => id === null || !pruned.has(id));
  if (record.covered.length === 0) return null;
  const lifted: number[] = [];
  let next = 0;
  let at = start;
  for (; next < expected.length; at += 1) {
    const message = messages[at];
    const [id, digest] = expected[next] ?? [null, ''];
    if (message === undefined) return null;
    const isNext = (byContent || message.id === id) && messageDigest(message) === digest;
    if (isNext) next += 1;
    else if (isLifted(record, message, byContent)) lifted.push(at);
    else return null;
  }
  return { end: at, lifted };
}

/** What a lifted message is listed by: its id, or its digest where ids are not compared. */
function isLifted(record: CompactionRecord, message: Message, byContent: boolean): boolean {
  return record.lifted.includes(byContent || message.id === null ? messageDigest(message) : message.id);
}

/** Reads a record of unknown origin; null when it is none. Never throws. */
export function parseRecord(value: unknown): CompactionRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const { summary, covered, lifted, pruned, folds } = value as Readonly<Record<string, unknown>>;
  if (typeof summary !== 'string' || summary.trim() === '') return null;
  if (!Array.isArray(covered) || covered.length === 0 || !covered.every(isCovered)) return null;
  if (!isTexts(lifted) || !isTexts(pruned)) return null;
  return { summary, covered, lifted, pruned, folds: typeof folds === 'number' && folds >= 1 ? folds : 1 };
}

function isCovered(value: unknown): value is CoveredMessage {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [id, digest]: readonly unknown[] = value;
  return (id === null || typeof id === 'string') && typeof digest === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
