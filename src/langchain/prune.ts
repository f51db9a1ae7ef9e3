// Which covered messages may leave the checkpoint: those whose every word the archive is seen to hold.
import type { Message } from '../core/message.js';
import type { CompactionCall } from './compaction-call.js';

/** Why a covered message was not removed. */
export type KeptReason =
  | 'not-archived'
  /** It has pictures or other parts that no archive holds. */
  | 'has-other-content'
  | 'no-id'
  /** Its call, or a result of it, stays. */
  | 'pair-stays';

export interface KeptMessage {
  readonly id: string | null;
  readonly reason: KeptReason;
}

export interface Pruning {
  /** Ids of messages to be removed. */
  readonly remove: readonly string[];
  readonly kept: readonly KeptMessage[];
  /** The history after further captures; null when there were none. */
  readonly history: unknown;
}

/**
 * Captures what is not whole in the archive yet, in as many batches as it takes, and says what may go. Removes
 * nothing itself. Never throws: what cannot be archived stays.
 */
export async function planPruning(
  call: CompactionCall,
  stored: unknown,
  covered: readonly Message[],
  { media }: { readonly media: boolean },
): Promise<Pruning> {
  const { continuity } = call.options;
  const { thread, user } = call.identity;
  if (continuity === undefined || thread === null) {
    return { remove: [], kept: covered.map(({ id }) => ({ id, reason: 'not-archived' })), history: null };
  }
  const scope = { user, thread };
  let history = stored;
  let whole = await continuity.wholeSources(scope, history, covered);
  const missing = covered.filter((message) => !whole.has(message));
  const { maxRecordsPerBatch, maxBatches } = continuity.retention;
  const own = new Set<string>();
  // One more batch than the archive keeps would push out what this very call has put there.
  for (let at = 0; at < missing.length && own.size < maxBatches; at += maxRecordsPerBatch) {
    const before = new Set(own);
    const outcome = await continuity.capture(scope, history, missing.slice(at, at + maxRecordsPerBatch), {
      runBeganAt: call.runBeganAt,
    });
    history = outcome.history;
    const newest = outcome.history.batches.at(-1);
    if (newest !== undefined && outcome.stored > 0) own.add(newest);
    if (outcome.failure !== null || outcome.evicted.some((id) => before.has(id))) break;
  }
  if (missing.length > 0) whole = await continuity.wholeSources(scope, history, covered);
  const reasonOf = (message: Message): KeptReason | null => {
    if (message.id === null) return 'no-id';
    if (!media && hasOtherContent(message)) return 'has-other-content';
    return whole.has(message) ? null : 'not-archived';
  };
  return { ...sorted(covered, reasonOf), history: missing.length > 0 ? history : null };
}

/** A call goes only together with its results: half of a pair would be refused by a strict provider. */
function sorted(
  covered: readonly Message[],
  reasonOf: (message: Message) => KeptReason | null,
): Pick<Pruning, 'remove' | 'kept'> {
  const groups: Message[][] = [];
  for (const message of covered) {
    const last = groups.at(-1);
    if (message.type === 'tool' && last !== undefined) last.push(message);
    else groups.push([message]);
  }
  const remove: string[] = [];
  const kept: KeptMessage[] = [];
  for (const group of groups) {
    const reasons = group.map(reasonOf);
    const isTorn = reasons.some((reason) => reason !== null);
    for (const [index, { id }] of group.entries()) {
      if (!isTorn && id !== null) remove.push(id);
      else kept.push({ id, reason: reasons[index] ?? 'pair-stays' });
    }
  }
  return { remove, kept };
}

/** Images and other blocks that an archive does not keep. */
function hasOtherContent({ content }: Message): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((block: unknown) => {
    if (typeof block === 'string') return false;
    return !(typeof block === 'object' && block !== null && Reflect.get(block, 'type') === 'text');
  });
}
