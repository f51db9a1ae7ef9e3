// A checkpoint's references to its archive: parsed without trust, bound to one user's thread.
import { MAX_BATCHES } from './limits.js';
import type { BatchId } from './message.js';

/** The reasons of `ArchiveFailure`, in a form that a checkpoint's text can be compared with. */
const REASONS = [
  'quota',
  'ceiling',
  'locked',
  'corrupt',
  'unsupported',
  'worker-lost',
  'deadline',
  'internal',
] as const;

export type HistoryReason = (typeof REASONS)[number];

/** What a checkpoint knows of its archive. Field names are the checkpoint's. */
export interface TaskHistory {
  /** Digest of user and thread; absent until the first capture. */
  readonly scope?: string;
  /** Reachable batches, oldest first. The file may have dropped some of them since. */
  readonly batches: readonly BatchId[];
  /** Records that the latest capture left out for the record limit. */
  readonly omitted_records: number;
  /** `unavailable` from a failed capture until the next successful one. */
  readonly status: 'available' | 'unavailable';
  /** Why it is unavailable, when that is known. */
  readonly reason?: HistoryReason;
}

/** A checkpoint's value of the history channel: `{}` stands for "no compaction yet". */
export type StoredHistory = TaskHistory | Readonly<Record<string, never>>;

const BATCH_ID = /^[0-9a-f]{64}$/;

/**
 * Reads a history of unknown origin; null when there is none yet (absent, null or `{}`).
 *
 * Whatever is malformed makes the whole unavailable, and the valid references in it survive. References without
 * a scope are worthless and go. Never throws.
 */
export function normalizeHistory(value: unknown): TaskHistory | null {
  if (value === null || value === undefined) return null;
  if (!isObject(value)) return { batches: [], omitted_records: 0, status: 'unavailable' };
  if (Object.keys(value).length === 0) return null;

  const { batches: listed = [], omitted_records: omitted = 0, status = 'available', reason } = value;
  const scope = value['scope'] ?? undefined;
  const last = Array.isArray(listed) ? listed.slice(-MAX_BATCHES.max) : [];
  const valid = [...new Set(last.filter(isBatchId))];
  const hasScope = typeof scope === 'string' && scope !== '';
  const isWellFormed =
    Array.isArray(listed) &&
    listed.length === last.length &&
    last.every(isBatchId) &&
    (hasScope || (scope === undefined && valid.length === 0)) &&
    isCount(omitted) &&
    status === 'available';
  return {
    ...(hasScope ? { scope } : {}),
    batches: hasScope ? valid : [],
    omitted_records: isCount(omitted) ? omitted : 0,
    status: isWellFormed ? 'available' : 'unavailable',
    ...(!isWellFormed && isHistoryReason(reason) ? { reason } : {}),
  };
}

/** The references that may be followed in this scope: none when they belong to another user or thread. */
export function reachableBatches(history: TaskHistory | null, scope: string): readonly BatchId[] {
  return history?.scope === scope ? history.batches : [];
}

/** The history after a capture: the new batch last, and no more references than batches are kept. */
export function withBatch(
  history: TaskHistory | null,
  scope: string,
  batch: BatchId | null,
  omitted: number,
  maxBatches: number,
): TaskHistory {
  const before = reachableBatches(history, scope).filter((id) => id !== batch);
  const batches = batch === null ? before : [...before, batch];
  return { scope, batches: batches.slice(-maxBatches), omitted_records: omitted, status: 'available' };
}

/** The history after a failed capture: what was reachable stays reachable. */
export function withFailure(history: TaskHistory | null, reason: HistoryReason): TaskHistory {
  return { ...(history ?? { batches: [], omitted_records: 0 }), status: 'unavailable', reason };
}

/** What the tools answer about the archive they looked into; see SPEC 7. */
export type HistoryStatus = 'available' | 'partially_expired' | 'unavailable' | 'scope_unavailable';

/**
 * The status of a lookup.
 *
 * `batchesFound` is how many of the reachable batches the archive still holds; null when it could not be asked or is
 * gone.
 */
export function lookupStatus(
  history: TaskHistory | null,
  scope: string,
  batchesFound: number | null,
): HistoryStatus {
  const reachable = reachableBatches(history, scope);
  if (reachable.length === 0 && history?.scope !== undefined && history.scope !== scope) {
    return 'scope_unavailable';
  }
  if (history?.status === 'unavailable' || (reachable.length > 0 && batchesFound === null)) {
    return 'unavailable';
  }
  return batchesFound !== null && batchesFound < reachable.length ? 'partially_expired' : 'available';
}

function isBatchId(value: unknown): value is BatchId {
  return typeof value === 'string' && BATCH_ID.test(value) && value.length === 64;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

const isHistoryReason = (value: unknown): value is HistoryReason =>
  REASONS.some((reason) => reason === value);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
