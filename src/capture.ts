// What of a conversation goes into its archive, and which messages are safe there.
import { isOwnResult } from './core/echo.js';
import {
  type BatchId,
  extractRecord,
  type Message,
  type SourceId,
  type SourceRecord,
} from './core/message.js';
import { sliceChars, wellFormed } from './core/text.js';
import type { Archive, CaptureReceipt, Reply, Retention, Scope } from './protocol.js';

/** Runs over every record before it is archived; null keeps the message out. */
export type Redact = (record: SourceRecord) => SourceRecord | null;

/** Archives messages as one batch, without the answers of our own tools. Never throws. */
export async function captureMessages(
  archive: Archive,
  scope: Scope,
  known: readonly BatchId[],
  messages: readonly Message[],
  retention: Retention,
  redact: Redact | undefined,
): Promise<Reply<CaptureReceipt>> {
  const sourced = messages.filter((message) => !isOwnResult(message));
  if (redact === undefined) {
    return archive.capture(scope, { sources: { messages: sourced.map(slimMessage) }, retention, known });
  }
  const records = redactedRecords(sourced, redact, retention.maxRecordChars);
  return records.ok
    ? archive.capture(scope, { sources: { records: records.value }, retention, known })
    : records;
}

/**
 * The messages whose removal loses no text: their whole text is confirmed in the batches, or they have none of
 * their own. A message that the hook changes is not whole. Never throws; what cannot be confirmed is left out.
 */
export async function findWholeSources(
  archive: Archive,
  scope: Scope,
  batches: readonly BatchId[],
  messages: readonly Message[],
  redact: Redact | undefined,
): Promise<ReadonlySet<Message>> {
  const whole = new Set(messages.filter((message) => isOwnResult(message) || isEmpty(message)));
  const messagesById = new Map<SourceId, Message[]>();
  for (const message of messages) {
    const record = whole.has(message) ? null : extractRecord(message, Number.POSITIVE_INFINITY);
    if (record === null || !isKeptWhole(record, redact)) continue;
    messagesById.set(record.id, [...(messagesById.get(record.id) ?? []), message]);
  }
  if (batches.length === 0 || messagesById.size === 0) return whole;
  const held = await archive.holds(scope, batches, [...messagesById.keys()]);
  for (const { id, truncated } of held.ok ? held.value.sources : []) {
    if (truncated) continue;
    for (const message of messagesById.get(id) ?? []) whole.add(message);
  }
  return whole;
}

/** The marks that decide whether a message is a source. */
const RECORD_MARKS = [
  'hide_from_ui',
  'human_input_response',
  'deerflow_content_kind',
  'dynamic_context_reminder',
] as const;

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

function redactedRecords(
  messages: readonly Message[],
  redact: Redact,
  maxChars: number,
): Reply<SourceRecord[]> {
  const records: SourceRecord[] = [];
  try {
    for (const message of messages) {
      const record = extractRecord(message, Number.POSITIVE_INFINITY);
      const redacted = record === null ? null : redactedText(record, redact);
      if (record === null || redacted === null || redacted === '') continue;
      const text = sliceChars(redacted, 0, maxChars);
      records.push({ ...record, text, truncated: text.length < redacted.length });
    }
  } catch (error) {
    // Without its redaction a record must not be stored: the whole capture waits until the hook works.
    return { ok: false, failure: 'internal', detail: `redact threw: ${messageOf(error)}` };
  }
  return { ok: true, value: records };
}

/** The hook sees the whole text, so that no secret escapes it by lying across the cap. */
function redactedText(record: SourceRecord, redact: Redact): string | null {
  const redacted = redact(record);
  return redacted === null ? null : wellFormed(redacted.text);
}

function isKeptWhole(record: SourceRecord, redact: Redact | undefined): boolean {
  if (redact === undefined) return true;
  try {
    return redactedText(record, redact) === record.text;
  } catch {
    // A hook that cannot read the record did not archive it either.
    return false;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
