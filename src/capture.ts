// What of a conversation goes into its archive, and which messages are safe there.
import { createBreathe } from './breathe.js';
import type { Breathe } from './core/active.js';
import { type CharRange, isOwnResult, type OwnCalls, ownArgumentRanges, ownCallsOf } from './core/echo.js';
import {
  type BatchId,
  extractRecord,
  type Message,
  type SourceId,
  type SourceRecord,
  visibleText,
} from './core/message.js';
import { charLength, sliceChars, wellFormed } from './core/text.js';
import type { Archive, CaptureReceipt, Reply, Retention, Scope } from './protocol.js';

/** Runs over every record before it is archived; null keeps the message out. */
export type Redact = (record: SourceRecord) => SourceRecord | null;

/**
 * Archives messages as one batch, without the answers of our own tools, and without what a known batch holds
 * already. Lets the page have its turn. Never throws.
 */
export async function captureMessages(
  archive: Archive,
  scope: Scope,
  known: readonly BatchId[],
  messages: readonly Message[],
  retention: Retention,
  redact: Redact | undefined,
  runBeganAt?: number,
): Promise<Reply<CaptureReceipt>> {
  const own = ownCallsOf(messages);
  const breathe = createBreathe();
  const sourced = await withoutHeld(
    breathe,
    archive,
    scope,
    known,
    messages.filter((message) => !isOwnResult(message)),
    retention.maxRecordChars,
  );
  const records =
    redact === undefined ? null : await redactedRecords(breathe, sourced, redact, retention.maxRecordChars);
  if (records !== null && !records.ok) return records;
  const sources = records === null ? { messages: sourced.map(slimMessage) } : { records: records.value };
  const unsearched = await unsearchedParts(breathe, sourced, own, records?.value ?? null);
  return archive.capture(scope, {
    sources,
    retention,
    known,
    ...(unsearched === null ? {} : { unsearched }),
    ...(runBeganAt === undefined ? {} : { runBeganAt }),
  });
}

/**
 * Leaves out long sources that a known batch holds in part. The archive itself leaves out what it holds whole; a
 * longer version of a source would never be read, since the first stored one counts.
 */
async function withoutHeld(
  breathe: Breathe,
  archive: Archive,
  scope: Scope,
  known: readonly BatchId[],
  messages: readonly Message[],
  maxChars: number,
): Promise<readonly Message[]> {
  const long = known.length === 0 ? [] : messages.filter((message) => visibleText(message).length > maxChars);
  const idByMessage = new Map<Message, SourceId>();
  for (const message of long) {
    await breathe();
    const record = extractRecord(message, maxChars);
    if (record !== null) idByMessage.set(message, record.id);
  }
  const ids = [...idByMessage.values()];
  if (ids.length === 0) return messages;
  const reply = await archive.holds(scope, known, ids);
  const held = new Set(reply.ok ? reply.value.sources.map((source) => source.id) : []);
  return messages.filter((message) => {
    const id = idByMessage.get(message);
    return id === undefined || !held.has(id);
  });
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
  const breathe = createBreathe();
  for (const message of messages) {
    await breathe();
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

/**
 * What is kept but not searched: arguments of calls to our own tools. In a text that the hook changed they cannot
 * be located, and so none of that message is searched.
 */
async function unsearchedParts(
  breathe: Breathe,
  messages: readonly Message[],
  own: OwnCalls,
  redacted: readonly SourceRecord[] | null,
): Promise<Record<string, readonly CharRange[]> | null> {
  const parts: Record<string, readonly CharRange[]> = {};
  const textById = redacted === null ? null : new Map(redacted.map(({ id, text }) => [id, text]));
  for (const message of messages) {
    await breathe();
    const ranges = ownArgumentRanges(message, own);
    const record = ranges.length === 0 ? null : extractRecord(message, Number.POSITIVE_INFINITY);
    if (record === null) continue;
    const text = textById === null ? record.text : (textById.get(record.id) ?? '');
    parts[record.id] = record.text.startsWith(text) ? ranges : [[0, charLength(text)]];
  }
  return Object.keys(parts).length === 0 ? null : parts;
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

async function redactedRecords(
  breathe: Breathe,
  messages: readonly Message[],
  redact: Redact,
  maxChars: number,
): Promise<Reply<SourceRecord[]>> {
  const records: SourceRecord[] = [];
  try {
    for (const message of messages) {
      await breathe();
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
