// threadkeep for LangChain JS agents.

export type { Fact, FactKind } from '../core/facts.js';
export { IndexedDBSaver, type IndexedDBSaverOptions } from './checkpoint.js';
export type { ThreadName } from './checkpoint-places.js';
export type { ThinOptions } from './checkpoint-thin.js';
export type { StoredThread } from './checkpoint-threads.js';
export { type CompactThreadOptions, type CompactThreadResult, compactThread } from './compact-thread.js';
export {
  type ContextUsage,
  contextUsage,
  type RequestParts,
  type SentContent,
  type SentRequest,
  totalOf,
  watchRequests,
} from './context-usage.js';
export { type CompactedState, type CoveredView, coveredMessages } from './covered.js';
export { type DeletionOutcome, deleteThread, finishDeletions, type ThreadStores } from './delete-thread.js';
export { type ExportOutcome, type ExportRequest, type ExportStores, exportThread } from './export-thread.js';
export {
  type ImportOutcome,
  type ImportStores,
  type ImportThreadOptions,
  importThread,
} from './import-thread.js';
export { toMessages } from './messages.js';
export type { SummarizationOptions } from './options.js';
export { type PinResult, pinFact } from './pin-fact.js';
export { type CompactionReceipt, compactionReceipt } from './receipt.js';
export { LeaseLostError, type LeaseOptions, type LeaseOutcome, type RunLease } from './run-lease.js';
export { summarization } from './summarization.js';
export { readSummarizationConfig } from './summarization-config.js';
export { readTaskContinuityConfig, type TaskContinuityOptions, taskContinuity } from './task-continuity.js';
export type { ThreadFileProblem } from './thread-file.js';
export { type ThreadkeepOptions, threadkeep } from './threadkeep.js';
export { type UndoResult, undoCompaction } from './undo-compaction.js';
