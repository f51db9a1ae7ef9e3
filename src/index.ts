// The package without a framework: the archive, continuity over it, and the types of what they say.
export { type ArchiveClient, type ArchiveOptions, openArchive } from './client.js';
export {
  type CaptureOutcome,
  type Continuity,
  type ContinuityOptions,
  createContinuity,
} from './continuity.js';
export type { Excerpt } from './core/excerpt.js';
export type { TaskHistory } from './core/history.js';
export type { BatchId, Message, Role, SourceId, SourceRecord, ToolCall } from './core/message.js';
export type { TaskNotes } from './core/notes.js';
export { ContinuityError, type ContinuityErrorCode } from './errors.js';
export type { CaptureSummary, EventListener, ThreadkeepEvent } from './events.js';
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
