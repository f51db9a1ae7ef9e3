// Continuity without a framework: capture what leaves the context, look it up, check notes on it.
import { captureMessages, findWholeSources, type Redact } from './capture.js';
import { scopeDigest } from './core/digest.js';
import {
  normalizeHistory,
  reachableBatches,
  type TaskHistory,
  withBatch,
  withFailure,
} from './core/history.js';
import { MAX_BATCHES, MAX_RECORD_CHARS, MAX_RECORDS_PER_BATCH } from './core/limits.js';
import { type BatchId, type Message, messageOfRecord } from './core/message.js';
import {
  checkNoteShape,
  mayTakePlace,
  type NoteCall,
  type NoteRequest,
  normalizeNotes,
  type TaskNote,
} from './core/notes.js';
import { integerOption } from './errors.js';
import type { EventListener } from './events.js';
import {
  checkSources,
  type HistoryView,
  prepareHistory,
  type ReadOutcome,
  type ReadRequestGiven,
  readHistory,
  type SearchOutcome,
  type SearchRequestGiven,
  type SourceCheck,
  searchHistory,
} from './lookup.js';
import type { Archive, ArchiveFailure, Reply, Retention, Scope } from './protocol.js';

export interface ContinuityOptions {
  readonly archive: Archive;
  /** Limits of the archive; outside of the documented ranges they are refused at construction. */
  readonly retention?: Partial<Retention>;
  /**
   * Runs over every record before it is archived. It may shorten or replace the record's text, or return null
   * to keep the message out of the archive. The record's id stays that of the message. When it throws, nothing
   * of the capture is stored.
   */
  readonly redact?: Redact;
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

/** What a note write would do. Nothing is written here: the caller owns the notebook. */
export type NoteOutcome =
  | { readonly kind: 'saved'; readonly key: string; readonly note: TaskNote; readonly cited: boolean }
  | { readonly kind: 'deleted'; readonly key: string; readonly cited: boolean }
  | { readonly kind: 'error'; readonly error: 'invalid_note' | 'invalid_source_id' | 'note_capacity' }
  | Exclude<SourceCheck, { readonly kind: 'readable' }>;

/** The notebook before a parallel batch of calls, and the calls of that batch that write notes. */
export interface NoteBatch {
  /** The checkpoint's value of the notes channel, as it stands there. */
  readonly notes: unknown;
  readonly callId: string | null;
  /** In the model's order, this call included. */
  readonly calls: readonly NoteCall[];
}

export interface Continuity {
  readonly retention: Retention;
  /**
   * Archives messages as one batch and answers with the history that refers to it. Sources that stand whole in
   * a reachable batch are left out, and so are the answers of our own tools.
   *
   * Never throws: a failure is the history's status and `failure`, and what was reachable stays reachable. With
   * `runBeganAt`, in milliseconds since 1970, it fails when the thread was forgotten after that moment.
   */
  capture(
    scope: Scope,
    history: unknown,
    messages: readonly Message[],
    options?: { readonly runBeganAt?: number },
  ): Promise<CaptureOutcome>;
  /**
   * The messages whose removal loses no text: their whole text is confirmed in reachable batches, or they have
   * none of their own (answers of our tools, empty messages). Never throws; what cannot be confirmed is not in
   * the set. Images and other blocks that an archive does not keep are not looked at.
   */
  wholeSources(scope: Scope, history: unknown, messages: readonly Message[]): Promise<ReadonlySet<Message>>;
  /**
   * Messages that were removed from the checkpoint, as far as reachable batches hold them, in their order, with at most
   * `maxChars` characters of text each. Never throws; what cannot be read is left out.
   */
  archivedMessages(
    scope: Scope,
    history: unknown,
    messageIds: readonly string[],
    maxChars: number,
  ): Promise<readonly Message[]>;
  /** See `prepareHistory`. */
  prepare(messages: readonly Message[]): Promise<void>;
  /** See `searchHistory`. */
  search(view: HistoryView, request: SearchRequestGiven): Promise<SearchOutcome>;
  /** See `readHistory`. */
  read(view: HistoryView, request: ReadRequestGiven): Promise<ReadOutcome>;
  /**
   * Checks one note: its shape, the form of its ids, its place among eight, then whether its sources can be
   * read. That they can says nothing about whether they support the note. Never throws.
   */
  checkNote(view: HistoryView, request: NoteRequest, batch: NoteBatch): Promise<NoteOutcome>;
}

/**
 * Makes the use-cases of one archive. Throws a `ContinuityError` for limits outside of their ranges: a boolean in
 * place of a number is no number.
 */
export function createContinuity(options: ContinuityOptions): Continuity {
  const { redact } = options;
  const archive = reporting(options.archive, options.onEvent);
  const given = options.retention ?? {};
  const retention: Retention = {
    maxBatches: integerOption('maxBatches', given.maxBatches, MAX_BATCHES),
    maxRecordsPerBatch: integerOption('maxRecordsPerBatch', given.maxRecordsPerBatch, MAX_RECORDS_PER_BATCH),
    maxRecordChars: integerOption('maxRecordChars', given.maxRecordChars, MAX_RECORD_CHARS),
  };
  return {
    retention,

    async capture(scope, value, messages, { runBeganAt } = {}) {
      const history = normalizeHistory(value);
      const digest = scopeDigest(scope.user, scope.thread);
      const known = reachableBatches(history, digest);
      const reply = await captureMessages(archive, scope, known, messages, retention, redact, runBeganAt);
      if (!reply.ok) {
        // The summary is already good: losing the archive must not lose the compaction.
        const failed = withFailure(history, reply.failure);
        return { history: failed, stored: 0, omitted: 0, evicted: [], failure: reply.failure };
      }
      const { batch, stored, omitted, evicted } = reply.value;
      const captured = withBatch(history, digest, batch, omitted, retention.maxBatches);
      return { history: captured, stored, omitted, evicted, failure: null };
    },

    wholeSources(scope, value, messages) {
      const batches = reachableBatches(normalizeHistory(value), scopeDigest(scope.user, scope.thread));
      return findWholeSources(archive, scope, batches, messages, redact);
    },

    async archivedMessages(scope, value, messageIds, maxChars) {
      const batches = reachableBatches(normalizeHistory(value), scopeDigest(scope.user, scope.thread));
      if (batches.length === 0 || messageIds.length === 0) return [];
      const reply = await archive.sources(scope, batches, { messageIds, maxChars });
      return reply.ok ? reply.value.map(messageOfRecord) : [];
    },

    prepare: prepareHistory,
    search: (view, request) => searchHistory(archive, view, request),
    read: (view, request) => readHistory(archive, view, request),

    async checkNote(view, request, batch) {
      const shape = checkNoteShape(request);
      if (!shape.ok) return { kind: 'error', error: shape.error };
      const { key, content, source_ids } = shape.request;
      const notes = normalizeNotes(batch.notes);
      if (content !== '' && !mayTakePlace(notes, key, batch.callId, batch.calls)) {
        return { kind: 'error', error: 'note_capacity' };
      }
      const check = await checkSources(archive, view, source_ids);
      if (check.kind === 'error') return check;
      const cited = source_ids.length > 0;
      if (content === '') return { kind: 'deleted', key, cited };
      return { kind: 'saved', key, note: { content, source_ids, authority: 'model_report' }, cited };
    },
  };
}

/** The archive, with every failure told to the listener, and what throws on the way told as a failure. */
function reporting(archive: Archive, onEvent: EventListener | undefined): Archive {
  const reported = async <T>(ask: () => Promise<Reply<T>>): Promise<Reply<T>> => {
    const reply = await settled(ask);
    if (!reply.ok) {
      onEvent?.({ type: 'history_unavailable', failure: reply.failure, detail: reply.detail });
    }
    return reply;
  };
  return {
    info: () => reported(() => archive.info()),
    capture: (scope, request) => reported(() => archive.capture(scope, request)),
    search: (scope, batches, query) => reported(() => archive.search(scope, batches, query)),
    read: (scope, batches, request) => reported(() => archive.read(scope, batches, request)),
    holds: (scope, batches, ids) => reported(() => archive.holds(scope, batches, ids)),
    sources: (scope, batches, request) => reported(() => archive.sources(scope, batches, request)),
    forget: (scope, before) => reported(() => archive.forget(scope, before)),
  };
}

/** A message that cannot be sent to a worker, or an archive of somebody else's making, may throw all the same. */
async function settled<T>(ask: () => Promise<Reply<T>>): Promise<Reply<T>> {
  try {
    return await ask();
  } catch (error) {
    return { ok: false, failure: 'internal', detail: error instanceof Error ? error.message : String(error) };
  }
}
