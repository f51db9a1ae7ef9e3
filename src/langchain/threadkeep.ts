// One call to use it all: compaction and continuity in the right order.
import { openArchive } from '../client.js';
import { createContinuity } from '../continuity.js';
import type { SourceRecord } from '../core/message.js';
import type { EventListener } from '../events.js';
import type { Archive } from '../protocol.js';
import type { SummarizationOptions } from './options.js';
import { summarization } from './summarization.js';
import { type TaskContinuityOptions, taskContinuity } from './task-continuity.js';

/** What both parts share; each part's own options stand under its name. */
type Shared = 'continuity' | 'user' | 'onEvent';

export interface ThreadkeepOptions {
  /** Off unless `enabled` is true. */
  readonly summarization?: Omit<SummarizationOptions, Shared>;
  /** Off unless `enabled` is true. */
  readonly taskContinuity?: Omit<TaskContinuityOptions, Shared>;
  /** Where the words go that leave the window. By default one is opened, whose worker starts with the first capture. */
  readonly archive?: Archive;
  /** The user of runs that name none; `local` by default. */
  readonly user?: string;
  /** Runs over every record before it is archived; null keeps a message out. See `ContinuityOptions`. */
  readonly redact?: (record: SourceRecord) => SourceRecord | null;
  readonly onEvent?: EventListener;
}

/**
 * The middleware of an agent that compacts its context and finds again what left it. Place it before any
 * middleware of yours that reads the final request.
 *
 * Compaction comes first, then the durable context: notes stand in front of the summary. Throws a
 * `ContinuityError` for an option that is not allowed.
 */
export function threadkeep(options: ThreadkeepOptions) {
  const { onEvent, redact, user } = options;
  const shared = { ...(user === undefined ? {} : { user }), ...(onEvent === undefined ? {} : { onEvent }) };
  const limits = options.taskContinuity ?? {};
  const continuity = createContinuity({
    archive: options.archive ?? openArchive(),
    retention: {
      ...(limits.maxBatches === undefined ? {} : { maxBatches: limits.maxBatches }),
      ...(limits.maxRecordsPerBatch === undefined ? {} : { maxRecordsPerBatch: limits.maxRecordsPerBatch }),
      ...(limits.maxRecordChars === undefined ? {} : { maxRecordChars: limits.maxRecordChars }),
    },
    ...(redact === undefined ? {} : { redact }),
    ...(onEvent === undefined ? {} : { onEvent }),
  });
  const archiving = limits.enabled === true ? { continuity } : {};
  return [
    summarization({ ...options.summarization, ...shared, ...archiving }),
    taskContinuity({ ...limits, ...shared, continuity }),
  ] as const;
}
