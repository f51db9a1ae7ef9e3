// Compaction on demand, and the one place that removes messages from a checkpoint.
import { RemoveMessage } from '@langchain/core/messages';
import { type CompactionRecord, coveredCount, coveredOf } from '../core/record.js';
import type { CaptureSummary } from '../events.js';
import { type CompactableAgent, type ThreadTarget, viewThread } from './agent-view.js';
import { type Base, type CompactionCall, coveredBy } from './compaction-call.js';
import { baseOf, compact, requestOf } from './compactor.js';
import { type KeptMessage, type Pruning, planPruning } from './prune.js';
import { sizeOf } from './request.js';

export interface CompactThreadOptions {
  /**
   * Also remove from the checkpoint every covered message whose whole text the archive is seen to hold; by default
   * as the middleware's option `prune` says. With `media`, also messages whose pictures the archive does not hold.
   */
  readonly prune?: boolean | 'media';
  readonly signal?: AbortSignal;
}

export interface CompactThreadResult {
  /** `nothing` when all that is left must stay; `failed` when the summary could not be made. */
  readonly outcome: 'compacted' | 'nothing' | 'failed';
  /** Why it failed; null otherwise. */
  readonly failure: { readonly reason: string; readonly message: string } | null;
  /** Messages that the summary stands for now. */
  readonly covered: number;
  /** Ids of the messages removed from the checkpoint by this call. */
  readonly pruned: readonly string[];
  /** Covered messages that were asked to go and stay, with the reason. */
  readonly kept: readonly KeptMessage[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly archived: CaptureSummary | null;
}

/**
 * Compacts a thread now, also under the trigger: what `keep` lets go is summarised and archived. From then on the
 * summary serves under the triggers too.
 *
 * The thread must be at rest: a run that is under way would write over the result. One that waits for its user can
 * be resumed as before, though `getState` no longer tells the interrupt's value. Expected outcomes are values;
 * throws a `ContinuityError` for an agent without our middleware, and what the checkpointer throws.
 */
export async function compactThread(
  agent: CompactableAgent,
  target: ThreadTarget,
  { prune, signal }: CompactThreadOptions = {},
): Promise<CompactThreadResult> {
  const { call, write } = await viewThread('compactThread', agent, target, signal);
  const isPruning = prune ?? call.options.prune;
  const startedAt = performance.now();
  const base = baseOf(call);
  const tokensBefore = tokensOf(call, base);
  const result = await compact(call, base, { onDemand: true, tokensBefore });

  if (result.kind === 'failed') {
    const { reason, message } = result;
    call.emit({ type: 'context_compaction_failed', reason, message });
    const covered = base.record === null ? 0 : coveredCount(base.record);
    return resultOf('failed', { failure: { reason, message }, covered, tokensBefore });
  }
  const compacted = result.kind === 'compacted' ? result.base : base;
  const archived = result.kind === 'compacted' ? result.archived : null;
  const { record } = compacted;
  if (record === null || (result.kind === 'nothing' && isPruning === false)) {
    call.emit({
      type: 'context_compaction_skipped',
      reason: 'nothing-to-summarize',
      message: 'All that is left is what must stay.',
    });
    return resultOf('nothing', { covered: record === null ? 0 : coveredCount(record), tokensBefore });
  }

  const pruning: Pruning =
    isPruning === false
      ? { remove: [], kept: [], history: null }
      : await planPruning(call, compacted.history, coveredBy(call.conversation, compacted), {
          media: isPruning === 'media',
        });
  const gone = new Set(pruning.remove);
  const present = coveredBy(call.conversation, compacted).filter(({ id }) => id === null || !gone.has(id));
  const compaction: CompactionRecord = {
    ...record,
    covered: coveredOf(present),
    pruned: [...record.pruned, ...pruning.remove],
  };
  const history = pruning.history ?? compacted.unwritten?.taskHistory ?? null;
  const removed = pruning.remove.map((id) => new RemoveMessage({ id }));
  const update = {
    compaction,
    ...(history === null ? {} : { taskHistory: history }),
    ...(removed.length === 0 ? {} : { messages: removed }),
  };
  await write(update);
  const tokensAfter = result.kind === 'compacted' ? result.tokens.after : tokensBefore;
  call.emit({
    type: 'context_compacted',
    reason: 'manual',
    messagesCovered: coveredCount(compaction),
    messagesPruned: pruning.remove.length,
    tokensBefore,
    tokensAfter,
    durationMs: Math.round(performance.now() - startedAt),
    archived,
  });
  return resultOf('compacted', {
    covered: coveredCount(compaction),
    pruned: pruning.remove,
    kept: pruning.kept,
    tokensBefore,
    tokensAfter,
    archived,
  });
}

function tokensOf({ conversation, overhead, count }: CompactionCall, base: Base): number {
  return sizeOf(requestOf(conversation, base), overhead, count).tokens;
}

function resultOf(
  outcome: CompactThreadResult['outcome'],
  known: Partial<CompactThreadResult>,
): CompactThreadResult {
  const { tokensBefore = 0, tokensAfter = tokensBefore } = known;
  return {
    outcome,
    failure: null,
    covered: 0,
    pruned: [],
    kept: [],
    archived: null,
    ...known,
    tokensBefore,
    tokensAfter,
  };
}
