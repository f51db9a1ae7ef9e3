// Taking the last compaction back: the model sees again what it saw before.
import { fitRecord, parseRecord, type UndoneCompaction } from '../core/record.js';
import { type CompactableAgent, type ThreadTarget, viewThread } from './agent-view.js';
import { uncoveredOf } from './retry.js';
import { forgetThread } from './summary-cache.js';

/**
 * `undone`: the former summary, or none, counts again. `nothing`: there is no compaction. `pruned`: it removed
 * messages from the checkpoint, which no undo brings back.
 */
export interface UndoResult {
  readonly outcome: 'undone' | 'nothing' | 'pruned';
}

/**
 * Takes back the last compaction of a thread at rest. The next one waits until what no summary covers has grown by a
 * tenth of a trigger, also after a reload; until then requests may be over their triggers. What was archived stays.
 *
 * One compaction can be taken back, not the one before it. Throws a `ContinuityError` for an agent without our
 * middleware, and what the checkpointer throws.
 */
export async function undoCompaction(agent: CompactableAgent, target: ThreadTarget): Promise<UndoResult> {
  const { call, values, write } = await viewThread('undoCompaction', agent, target);
  const last = parseRecord(values['compaction']);
  if (last === null) return { outcome: 'nothing' };
  const { former } = last;
  if (last.pruned.length > (former?.pruned.length ?? 0)) return { outcome: 'pruned' };
  const { neutral, start } = call.conversation;
  const fit = former === null ? null : fitRecord(former, neutral, start);
  const undone: UndoneCompaction = {
    record: fit === null ? null : former,
    undone: uncoveredOf(call, fit ?? { end: start, lifted: [] }),
  };
  const { user, thread } = call.identity;
  if (thread !== null) forgetThread(user, thread);
  await write({ compaction: undone });
  return { outcome: 'undone' };
}
