// The compaction record: which messages a summary stands for, so that it holds after reload, rollback and fork.
import { sha256Hex } from './digest.js';
import { type Message, visibleText } from './message.js';

/**
 * The covered messages that are present, as the digest of their ordered list of ids and content digests.
 *
 * The list itself would make every checkpoint grow with the thread. Its digest tells the same: whether exactly these
 * messages, in this order and unchanged, stand there.
 */
export interface CoveredMessages {
  readonly count: number;
  readonly digest: string;
}

/** What a checkpoint keeps of a compaction. Positions in the conversation are never identity. */
export interface CompactionRecord {
  readonly summary: string;
  /** Messages that the summary stands for, former compactions of the same chain included, without the pruned ones. */
  readonly covered: CoveredMessages;
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
  /** Tokens of the whole request before and after it was made, by the estimate; null when they were not kept. */
  readonly tokens: { readonly before: number; readonly after: number } | null;
  /** What stood for the older part before, for an undo; it has none of its own. */
  readonly former: CompactionRecord | null;
}

/** What no summary covered at an undo: the next compaction waits until it has grown. */
export interface Hold {
  readonly tokens: number;
  readonly messages: number;
}

/** What a checkpoint keeps after an undo: the record that counts again, null for none, and the hold. */
export interface UndoneCompaction {
  readonly undone: Hold;
  readonly record: CompactionRecord | null;
}

/** Whether the request needs the record also under every trigger: it was asked for, or messages of it are gone. */
export function isStanding({ onDemand, pruned }: CompactionRecord): boolean {
  return onDemand || pruned.length > 0;
}

/** How many messages a record's summary stands for, pruned ones included. */
export function coveredCount({ covered, pruned }: CompactionRecord): number {
  return covered.count + pruned.length;
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

/** Lists whose digest was made, by their last message: comparing objects is cheaper than hashing again. */
const digestedByLast = new WeakMap<
  Message,
  { readonly messages: readonly Message[]; readonly digest: string }
>();

/** What a record keeps of the messages that it covers. */
export function coveredOf(messages: readonly Message[]): CoveredMessages {
  const count = messages.length;
  const last = messages.at(-1);
  if (last === undefined) return { count, digest: '' };
  const known = digestedByLast.get(last);
  if (known !== undefined && isSameList(known.messages, messages)) return { count, digest: known.digest };
  const lines = messages.map((message) => JSON.stringify([message.id, messageDigest(message)]));
  const digest = sha256Hex(lines.join('\n')).slice(0, DIGEST_CHARS);
  digestedByLast.set(last, { messages, digest });
  return { count, digest };
}

function isSameList(one: readonly Message[], other: readonly Message[]): boolean {
  return one.length === other.length && one.every((message, index) => message === other[index]);
}

/** Where a valid record's messages end, and which of those before stay in the request. */
export interface RecordFit {
  /** Index of the first message that the summary does not stand for. */
  readonly end: number;
  /** Indexes of lifted messages before `end`, in order. */
  readonly lifted: readonly number[];
}

/**
 * Fits a record to the messages from `start` on, or null when it is not valid for them: a covered message is missing,
 * changed or out of order, or something else than a lifted message stands before the last of them.
 */
export function fitRecord(
  record: CompactionRecord,
  messages: readonly Message[],
  start = 0,
): RecordFit | null {
  const stays = new Set(record.lifted);
  const lifted: number[] = [];
  const covered: Message[] = [];
  let at = start;
  for (; covered.length < record.covered.count; at += 1) {
    const message = messages[at];
    if (message === undefined) return null;
    if (stays.has(message.id ?? messageDigest(message))) lifted.push(at);
    else covered.push(message);
  }
  return coveredOf(covered).digest === record.covered.digest ? { end: at, lifted } : null;
}

/**
 * What is left of a record that is not valid: when messages of it were pruned, its summary is all that the checkpoint
 * knows of them, and everything that is present stands for itself again. Null when nothing was pruned.
 */
export function prunedRemainder(record: CompactionRecord): CompactionRecord | null {
  return record.pruned.length === 0 ? null : { ...record, covered: coveredOf([]), lifted: [] };
}

const parsed = new WeakMap<object, CompactionRecord | null>();

/** The hold of a value that an undo left; null for any other. Never throws. */
export function parseHold(value: unknown): Hold | null {
  if (typeof value !== 'object' || value === null || !('undone' in value)) return null;
  const { undone } = value;
  if (typeof undone !== 'object' || undone === null) return null;
  const { tokens, messages }: Readonly<Record<string, unknown>> = { ...undone };
  return isCount(tokens) && isCount(messages) ? { tokens, messages } : null;
}

/** What a checkpoint may keep of a value of unknown origin; null when it is no record and no undo. Never throws. */
export function parseCompaction(value: unknown): CompactionRecord | UndoneCompaction | null {
  const undone = parseHold(value);
  return undone === null ? parseRecord(value) : { undone, record: parseRecord(value) };
}

/**
 * Reads a record of unknown origin, after an undo the one that counts again; null when it is none. Each value is
 * read once. Never throws.
 */
export function parseRecord(value: unknown): CompactionRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const known = parsed.get(value);
  if (known !== undefined) return known;
  const record =
    parseHold(value) === null
      ? readRecord(value as Readonly<Record<string, unknown>>)
      : parseRecord(Reflect.get(value, 'record'));
  parsed.set(value, record);
  // A record that was read is one: reading it again gives the same object.
  if (record !== null) parsed.set(record, record);
  return record;
}

function readRecord(value: Readonly<Record<string, unknown>>): CompactionRecord | null {
  const { summary, covered, lifted, pruned, folds, onDemand, tokens, former } = value;
  if (typeof summary !== 'string' || summary.trim() === '') return null;
  if (!isCovered(covered) || !isTexts(lifted) || !isTexts(pruned)) return null;
  if (covered.count + pruned.length === 0) return null;
  const count = isCount(folds) && folds >= 1 ? folds : 1;
  const before = parseRecord(former);
  return {
    summary,
    covered,
    lifted,
    pruned,
    folds: count,
    onDemand: onDemand === true,
    tokens: isTokens(tokens) ? tokens : null,
    former: before === null ? null : { ...before, former: null },
  };
}

function isTokens(value: unknown): value is { before: number; after: number } {
  if (typeof value !== 'object' || value === null) return false;
  return 'before' in value && isCount(value.before) && 'after' in value && isCount(value.after);
}

function isCovered(value: unknown): value is CoveredMessages {
  if (typeof value !== 'object' || value === null) return false;
  return 'count' in value && isCount(value.count) && 'digest' in value && typeof value.digest === 'string';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
