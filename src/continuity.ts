// Continuity without a framework: capture what leaves the context, and know what is safe there.
import { scopeDigest } from './core/digest.js';
import { isOwnResult } from './core/echo.js';
import {
  normalizeHistory,
  reachableBatches,
  type TaskHistory,
  withBatch,
  withFailure,
} from './core/history.js';
import { MAX_BATCHES, MAX_RECORD_CHARS, MAX_RECORDS_PER_BATCH } from './core/limits.js';
import {
  type BatchId,
  extractRecord,
  type Message,
  type SourceId,
  type SourceRecord,
} from './core/message.js';
import { sliceChars, wellFormed } from './core/text.js';
import { integerOption } from './errors.js';
import type { EventListener } from './events.js';
import type { Archive, ArchiveFailure, CaptureReceipt, Reply, Retention, Scope } from './protocol.js';

export interface ContinuityOptions {
  readonly archive: Archive;
  /** Limits of the archive; outside of the document's ranges they are refused at construction. */
  readonly retention?: Partial<Retention>;
  /**
   * Runs over every record before it is archived. It may shorten or replace the record's text, or return null
   * to keep the message out of the archive. The record's id stays that of the message. When it throws, nothing
   * of the capture is stored.
   */
  readonly redact?: (record: SourceRecord) => SourceRecord | null;
  readonly onEvent?: EventListener;
}

export interface CaptureOutcome {
  /** What the checkpoint must hold from now on, whether the capture succeeded or not. */
  readonly history: TaskHistory;
  readonly stored: number;
  readonly omitted: number;
  /** Batches that went to make room. References to them may still stand in checkpoints. */
  readonly evicted: readonly BatchId[];
  /** Null when the archive did its work. */
  readonly failure: ArchiveFailure | null;
}

export interface Continuity {
  readonly retention: Retention;
  /**
   * Archives messages as one batch and answers with the history that refers to it. Sources that stand whole in
   * a reachable batch are left out, and so are the answers of our own tools.
   *
   * Never throws: a failure is the history's status and `failure`, and what was reachable stays reachable.
   */
  capture(scope: Scope, history: unknown, messages: readonly Message[]): Promise<CaptureOutcome>;
  /**
   * The messages whose removal loses no text: their whole text is confirmed in reachable batches, or they have
   * none of their own (answers of our tools, empty messages). Never throws; what cannot be confirmed is not in
   * the set. Images and other blocks that an archive does not keep are not looked at.
   */
  wholeSources(scope: Scope, history: unknown, messages: readonly Message[]): Promise<ReadonlySet<Message>>;
}

/**
 * Makes the use-cases of one archive. Throws a `ContinuityError` for limits outside of their ranges: a boolean in
 * place of a number is no number.
 */
export function createContinuity(options: ContinuityOptions): Continuity {
  const { archive, redact, onEvent } = options;
  const given = options.retention ?? {};
  const retention: Retention = {
    maxBatches: integerOption('maxBatches', given.maxBatches, MAX_BATCHES),
    maxRecordsPerBatch: integerOption('maxRecordsPerBatch', given.maxRecordsPerBatch, MAX_RECORDS_PER_BATCH),
    maxRecordChars: integerOption('maxRecordChars', given.maxRecordChars, MAX_RECORD_CHARS),
  };

  async function capture(
    scope: Scope,
    value: unknown,
    messages: readonly Message[],
  ): Promise<CaptureOutcome> {
    const history = normalizeHistory(value);
    const digest = scopeDigest(scope.user, scope.thread);
    const known = reachableBatches(history, digest);
    const reply = await settled(async () => {
      const sourced = messages.filter((message) => !isOwnResult(message));
      const sources =
        redact === undefined
          ? { messages: sourced.map(slimMessage) }
          : { records: redactedRecords(sourced, redact, retention.maxRecordChars) };
      return archive.capture(scope, { sources, retention, known });
    });
    if (!reply.ok) {
      onEvent?.({ type: 'history_unavailable', failure: reply.failure, detail: reply.detail });
      const failed = withFailure(history, reply.failure);
      return { history: failed, stored: 0, omitted: 0, evicted: [], failure: reply.failure };
    }
    const { batch, stored, omitted, evicted }: CaptureReceipt = reply.value;
    const captured = withBatch(history, digest, batch, omitted, retention.maxBatches);
    return { history: captured, stored, omitted, evicted, failure: null };
  }

  async function wholeSources(
    scope: Scope,
    value: unknown,
    messages: readonly Message[],
  ): Promise<ReadonlySet<Message>> {
    const batches = reachableBatches(normalizeHistory(value), scopeDigest(scope.user, scope.thread));
    const whole = new Set(messages.filter((message) => isOwnResult(message) || isEmpty(message)));
    if (batches.length === 0) return whole;
    const reply = await settled(async () => {
      const messagesById = new Map<SourceId, Message[]>();
      for (const message of messages) {
        const record = whole.has(message) ? null : extractRecord(message, Number.POSITIVE_INFINITY);
        if (record === null || (redact !== undefined && redactedText(record, redact) !== record.text))
          continue;
        messagesById.set(record.id, [...(messagesById.get(record.id) ?? []), message]);
      }
      const held = await archive.holds(scope, batches, [...messagesById.keys()]);
      return held.ok ? { ok: true, value: { messagesById, sources: held.value.sources } } : held;
    });
    if (!reply.ok) return whole;
    const { messagesById, sources } = reply.value;
    for (const { id, truncated } of sources) {
      if (truncated) continue;
      for (const message of messagesById.get(id) ?? []) whole.add(message);
    }
    return whole;
  }

  return { retention, capture, wholeSources };
}

/** An archive's reply; what throws on the way (a hook, a message that no worker can receive) is a reply, too. */
async function settled<T>(ask: () => Promise<Reply<T>>): Promise<Reply<T>> {
  try {
    return await ask();
  } catch (error) {
    return { ok: false, failure: 'internal', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** The message with only what its record is made of: images and foreign marks need not cross to the worker. */
function slimMessage(message: Message): Message {
  const { content, additional_kwargs: marks } = message;
  const kept = RECORD_MARKS.filter((mark) => Object.hasOwn(marks, mark));
  return {
    ...message,
    content: Array.isArray(content) ? content.filter(isTextPart) : content,
    additional_kwargs: Object.fromEntries(kept.map((mark) => [mark, marks[mark]])),
  };
}

/** The marks that decide whether a message is a source. */
const RECORD_MARKS = [
  'hide_from_ui',
  'human_input_response',
  'deerflow_content_kind',
  'dynamic_context_reminder',
] as const;

function isTextPart(part: unknown): boolean {
  return (
    typeof part === 'string' ||
    (typeof part === 'object' && part !== null && 'type' in part && part.type === 'text')
  );
}

function isEmpty({ content, tool_calls: calls }: Message): boolean {
  const isContentEmpty =
    content === '' || content === null || (Array.isArray(content) && content.length === 0);
  return isContentEmpty && calls.length === 0;
}

type Redact = (record: SourceRecord) => SourceRecord | null;

function redactedRecords(messages: readonly Message[], redact: Redact, maxChars: number): SourceRecord[] {
  const records: SourceRecord[] = [];
  for (const message of messages) {
    const record = extractRecord(message, Number.POSITIVE_INFINITY);
    const redacted = record === null ? null : redactedText(record, redact);
    if (record === null || redacted === null || redacted === '') continue;
    const text = sliceChars(redacted, 0, maxChars);
    records.push({ ...record, text, truncated: text.length < redacted.length });
  }
  return records;
}

/** The hook sees the whole text, so that no secret escapes it by lying across the cap. */
function redactedText(record: SourceRecord, redact: Redact): string | null {
  const redacted = redact(record);
  return redacted === null ? null : wellFormed(redacted.text);
}
