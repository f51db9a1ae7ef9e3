// threadkeep for LangChain JS agents.
export { IndexedDBSaver, type IndexedDBSaverOptions } from './checkpoint.js';
export { type CompactionReceipt, type CompactThreadOptions, compactThread } from './compact-thread.js';
export {
  type ContextUsage,
  contextUsage,
  type RequestParts,
  type SentRequest,
  totalOf,
  watchRequests,
} from './context-usage.js';
export { type CompactedState, type CoveredView, coveredMessages } from './covered.js';
export { toMessages } from './messages.js';
export { readSummarizationConfig, type SummarizationOptions } from './options.js';
export { summarization } from './summarization.js';
export { readTaskContinuityConfig, type TaskContinuityOptions, taskContinuity } from './task-continuity.js';
export { type ThreadkeepOptions, threadkeep } from './threadkeep.js';
