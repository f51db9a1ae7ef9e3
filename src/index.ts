// The package without a framework: the archive, continuity over it, and the types of what they say.
export { type ArchiveClient, type ArchiveOptions, openArchive } from './client.js';
export {
  type CaptureOutcome,
  type Continuity,
  type ContinuityOptions,
  createContinuity,
  type NoteBatch,
  type NoteOutcome,
} from './continuity.js';
export type { Excerpt } from './core/excerpt.js';
export type { HistoryReason, HistoryStatus, TaskHistory } from './core/history.js';
export type { BatchId, Message, Role, SourceId, SourceRecord, ToolCall } from './core/message.js';
export type { NoteRequest, TaskNote, TaskNotes } from './core/notes.js';
export { ContinuityError, type ContinuityErrorCode } from './errors.js';
export type { CaptureSummary, EventListener, ThreadkeepEvent } from './events.js';
export type { SearchHit, SourcePage } from './hits.js';
export type {
  HistoryView,
  ReadOutcome,
  ReadRequestGiven,
  SearchOutcome,
  SearchRequestGiven,
} from './lookup.js';
export type {
  Archive,
  ArchiveDetails,
  ArchivedBatch,
  ArchivedThread,
  ArchiveFailure,
  ArchiveInfo,
  ArchiveKeeper,
  ArchiveList,
  ImportReceipt,
  Reply,
  Retention,
  Scope,
} from './protocol.js';
