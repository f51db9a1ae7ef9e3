// The compaction record: which messages a summary stands for, so that it holds after reload, rollback and fork.
import { sha256Hex } from './digest.js';
import { type Message, visibleText } from './message.js';

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
  /** How many summaries were folded into this one, itself included. */
  readonly folds: number;
  /** True when it was made on demand: then it serves under the triggers too. */
  readonly onDemand: boolean;
}

/** Whether the request needs the record also under every trigger: it was asked for, or messages of it are gone. */
export function isStanding({ onDemand, pruned }: CompactionRecord): boolean {
  return onDemand || pruned.length > 0;
}

const DIGEST_CHARS = 32;
const digests = new WeakMap<Message, string>();

/** Digest of what a message says, without its id; made once per message object. Never throws. */
export function messageDigest(message: Message): string {
  const known = digests.get(message);
  if (known !== undefined) return known;
  const digest = sha256Hex(contentJson(message)).slice(0, DIGEST_CHARS);
  digests.set(message, digest);
  return digest;
}

function contentJson(message: Message): string {
  const { type, content, name, tool_calls: calls, tool_call_id: call } = message;
  try {
    return JSON.stringify([type, content, name, calls, call]);
  } catch {
    // A value without JSON (it contains itself) has its text all the same.
    return JSON.stringify([type, visibleText(message), name, call]);
  }
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
  const lifted: number[] = [];
  let at = start;
  for (const [id, digest] of expectedOf(record)) {
    for (; ; at += 1) {
      const message = messages[at];
      if (message === undefined) return null;
      if ((byContent || message.id === id) && messageDigest(message) === digest) break;
      if (!isLifted(record, message, byContent)) return null;
      lifted.push(at);
    }
    at += 1;
  }
  return { end: at, lifted };
}

/**
 * What is left of a record that is not valid: when messages of it were pruned, its summary is all that the checkpoint
 * knows of them, and everything that is present stands for itself again. Null when nothing was pruned.
 */
export function prunedRemainder(record: CompactionRecord): CompactionRecord | null {
  if (record.pruned.length === 0) return null;
  const gone = new Set(record.pruned);
  return { ...record, covered: record.covered.filter(([id]) => id !== null && gone.has(id)), lifted: [] };
}

const expected = new WeakMap<CompactionRecord, readonly CoveredMessage[]>();

/** The covered messages that must be present: those that were not pruned. */
function expectedOf(record: CompactionRecord): readonly CoveredMessage[] {
  if (record.pruned.length === 0) return record.covered;
  const known = expected.get(record);
  if (known !== undefined) return known;
  const gone = new Set(record.pruned);
  const present = record.covered.filter(([id]) => id === null || !gone.has(id));
  expected.set(record, present);
  return present;
}

/** What a lifted message is listed by: its id, or its digest where ids are not compared. */
function isLifted(record: CompactionRecord, message: Message, byContent: boolean): boolean {
  return record.lifted.includes(byContent || message.id === null ? messageDigest(message) : message.id);
}

const parsed = new WeakMap<object, CompactionRecord | null>();

/** Reads a record of unknown origin; null when it is none. Each value is read once. Never throws. */
export function parseRecord(value: unknown): CompactionRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const known = parsed.get(value);
  if (known !== undefined) return known;
  const record = readRecord(value as Readonly<Record<string, unknown>>);
  parsed.set(value, record);
  // A record that was read is one: reading it again gives the same object.
  if (record !== null) parsed.set(record, record);
  return record;
}

function readRecord(value: Readonly<Record<string, unknown>>): CompactionRecord | null {
  const { summary, covered, lifted, pruned, folds, onDemand } = value;
  if (typeof summary !== 'string' || summary.trim() === '') return null;
  if (!Array.isArray(covered) || covered.length === 0 || !covered.every(isCovered)) return null;
  if (!isTexts(lifted) || !isTexts(pruned)) return null;
  const count = typeof folds === 'number' && Number.isInteger(folds) && folds >= 1 ? folds : 1;
  return { summary, covered, lifted, pruned, folds: count, onDemand: onDemand === true };
}

function isCovered(value: unknown): value is CoveredMessage {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [id, digest]: readonly unknown[] = value;
  return (id === null || typeof id === 'string') && typeof digest === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
