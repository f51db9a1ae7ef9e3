// Task notes: what a note is, how writes merge, and which of a batch's new notes get one of the eight places.
import { MAX_NOTES, NOTE_CHARS, NOTE_KEY_CHARS, NOTE_SOURCES } from './limits.js';
import type { Message, SourceId } from './message.js';
import { charLength, wellFormed } from './text.js';

/** A note as it stands in a checkpoint. It is always a model's report, whoever wrote it there. */
export interface TaskNote {
  readonly content: string;
  readonly source_ids: readonly SourceId[];
  readonly authority: 'model_report';
}

/** Notes by key, oldest first. (JavaScript lists keys that are whole numbers before all others.) */
export type TaskNotes = Readonly<Record<string, TaskNote>>;

const SOURCE_ID = /^r[0-9a-f]{32}$/;
const NOTE_KEY = new RegExp(`^[A-Za-z0-9_-]{1,${NOTE_KEY_CHARS}}$`);

/** Whether a value has the form of a source id; it says nothing about the source. */
export function isSourceId(value: unknown): value is SourceId {
  return typeof value === 'string' && value.length === 33 && SOURCE_ID.test(value);
}

/**
 * The valid notes of any value, rebuilt, at most the last eight.
 *
 * Malformed entries and deletion marks go. Source ids are checked for their form alone. Never throws.
 */
export function normalizeNotes(value: unknown): TaskNotes {
  return lastNotes(validEntries(value));
}

/**
 * Notes after one write: null deletes, a valid note replaces in place or is appended, anything else is ignored,
 * and of more than eight the oldest go. Writing the result again changes nothing. Never throws.
 */
export function mergeNotes(current: unknown, write: unknown): TaskNotes {
  const merged = new Map(validEntries(current));
  if (isObject(write)) {
    for (const [key, given] of Object.entries(write)) {
      const note = noteOf(key, given);
      if (given === null) merged.delete(key);
      else if (note !== null) merged.set(key, note);
    }
  }
  return lastNotes([...merged]);
}

function lastNotes(entries: readonly (readonly [string, TaskNote])[]): TaskNotes {
  return Object.fromEntries(entries.slice(-MAX_NOTES));
}

function validEntries(value: unknown): [string, TaskNote][] {
  if (!isObject(value)) return [];
  const entries: [string, TaskNote][] = [];
  for (const [key, given] of Object.entries(value)) {
    const note = noteOf(key, given);
    if (note !== null) entries.push([key, note]);
  }
  return entries;
}

function noteOf(key: string, given: unknown): TaskNote | null {
  if (!isNoteKey(key) || !isObject(given)) return null;
  const { content, source_ids: sources = [] } = given;
  if (typeof content !== 'string' || content === '' || charLength(content) > NOTE_CHARS) return null;
  if (!Array.isArray(sources) || sources.length > NOTE_SOURCES || !sources.every(isSourceId)) return null;
  return { content: wellFormed(content), source_ids: [...sources], authority: 'model_report' };
}

const isNoteKey = (key: string): boolean => NOTE_KEY.test(key) && !key.endsWith('\n');

/** What a model asked `task_note` to do, before anything of it is trusted. */
export interface NoteRequest {
  readonly key: unknown;
  readonly content: unknown;
  readonly source_ids?: unknown;
}

/** A request whose shape holds; its sources may still be unreadable. */
export interface ValidNoteRequest {
  readonly key: string;
  /** Empty: the note is to be deleted. */
  readonly content: string;
  readonly source_ids: readonly SourceId[];
}

export type NoteShape =
  | { readonly ok: true; readonly request: ValidNoteRequest }
  | { readonly ok: false; readonly error: 'invalid_note' | 'invalid_source_id' };

/** The structural checks of a note, in their order: shape first, then the form of its source ids. */
export function checkNoteShape({ key, content, source_ids }: NoteRequest): NoteShape {
  const sources = source_ids ?? [];
  if (
    typeof key !== 'string' ||
    !isNoteKey(key) ||
    typeof content !== 'string' ||
    charLength(content) > NOTE_CHARS ||
    !Array.isArray(sources) ||
    sources.length > NOTE_SOURCES
  ) {
    return { ok: false, error: 'invalid_note' };
  }
  if (!sources.every(isSourceId)) return { ok: false, error: 'invalid_source_id' };
  return { ok: true, request: { key, content: wellFormed(content), source_ids: sources } };
}

/** A sibling call of `task_note`, with the arguments it will run with. */
export interface NoteCall {
  readonly id: string | null;
  readonly args: unknown;
}

/**
 * Whether a new note may take a place, judged alike by every call of a parallel batch.
 *
 * `notes` is the notebook before the batch, `calls` the batch's calls of `task_note` in the model's order. Each
 * distinct new key takes a place while there are any; calls that cannot run take none. Places that deletions or
 * failing siblings leave free count from the next batch on.
 */
export function mayTakePlace(
  notes: TaskNotes,
  key: string,
  callId: string | null,
  calls: readonly NoteCall[],
): boolean {
  if (Object.hasOwn(notes, key)) return true;
  const free = MAX_NOTES - Object.keys(notes).length;
  if (free <= 0) return false;
  if (!calls.some((call) => call.id === callId)) return true;
  const reserved = new Set<string>();
  for (const { args } of calls) {
    if (!isObject(args)) continue;
    const shape = checkNoteShape({
      key: args['key'],
      content: args['content'],
      source_ids: args['source_ids'],
    });
    if (!shape.ok || shape.request.content === '' || Object.hasOwn(notes, shape.request.key)) continue;
    if (reserved.size < free) reserved.add(shape.request.key);
  }
  return reserved.has(key);
}

/** The calls of the last assistant message that go to one tool, in the model's order. */
export function latestCalls(messages: readonly Message[], tool: string): readonly NoteCall[] {
  const last = messages.findLast((message) => message.type === 'ai');
  return (last?.tool_calls ?? []).filter((call) => call.name === tool);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
