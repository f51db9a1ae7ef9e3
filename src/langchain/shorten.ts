// What one model call is sent of its conversation: all of it, or the best summary that there is and the rest.
import type { BaseMessage } from '@langchain/core/messages';
import { isOver, type RequestSize } from '../core/partition.js';
import { coveredCount, isStanding, parseRecord } from '../core/record.js';
import { type Base, type CompactionCall, coveredBy, messagesAt } from './compaction-call.js';
import { baseOf, type CompactedBase, compact, requestOf } from './compactor.js';
import { repaired, sizeOf } from './request.js';
import { mayTry, noteFailure, noteStillOver } from './retry.js';
import { type CompactionUpdate, hasUnsettled, rememberCompaction } from './summary-cache.js';
import { usageCorrection } from './usage.js';

/** A shortened conversation. */
export interface Shortened {
  /** Valid for strict providers. */
  readonly messages: readonly BaseMessage[];
  /** What stands for the older part in them; null when they are the conversation's own. */
  readonly base: Base | null;
  /** What the state lacks. */
  readonly update: CompactionUpdate | null;
  /** Tokens of the whole request, by the estimate alone. */
  readonly estimated: number;
}

/** What would be sent without a further compaction. */
export interface NextRequest extends Shortened {
  /** True when it reaches a trigger. */
  readonly isOver: boolean;
}

/**
 * The request as it stands. Under every trigger its messages are the conversation's own, and nothing else is looked
 * at, but for a record that was asked for or whose messages are gone. Over one, the best summary that there is serves.
 */
export function nextRequest(call: CompactionCall): NextRequest {
  const { conversation, thresholds } = call;
  const whole = repaired(conversation);
  const size = sizeOf(whole, call.overhead, call.count);
  const stored = parseRecord(call.stored.compaction);
  const isWhole = stored === null || !isStanding(stored);
  if (isWhole && !isOver(corrected(call, null, size), thresholds)) {
    const update = hasUnsettled(call.identity) ? baseOf(call).unwritten : null;
    return { messages: whole.messages, base: null, update, estimated: size.tokens, isOver: false };
  }
  const base = baseOf(call);
  const request = sent(call, base);
  return { ...request, isOver: isOver(corrected(call, base, request.size), thresholds) };
}

/**
 * The request's messages. When what there is does not bring them under every trigger, the next summary is made. A
 * failure is an event, and the request goes on with what there was.
 */
export async function shorten(call: CompactionCall): Promise<Shortened> {
  const { thresholds } = call;
  const before = nextRequest(call);
  const { base } = before;
  if (!before.isOver || base === null) return before;
  if (!mayTry(call, base)) return before;

  const startedAt = performance.now();
  const result = await compact(call, base, { onDemand: false, tokensBefore: before.estimated });
  if (result.kind === 'nothing') {
    noteStillOver(call, base);
    skipped(call, 'nothing-to-summarize', 'All that is left is the part that must stay.');
    return before;
  }
  if (result.kind === 'failed') {
    // An abort says nothing of the summariser: the same messages may be tried again.
    if (result.reason !== 'aborted') noteFailure(call);
    call.emit({ type: 'context_compaction_failed', reason: result.reason, message: result.message });
    return before;
  }
  remember(call, result.base);
  const after = sent(call, result.base);
  call.emit({
    type: 'context_compacted',
    reason: 'trigger',
    messagesCovered: coveredCount(result.base.record),
    messagesPruned: 0,
    tokensBefore: result.tokens.before,
    tokensAfter: result.tokens.after,
    durationMs: Math.round(performance.now() - startedAt),
    archived: result.archived,
  });
  if (isOver(after.size, thresholds)) {
    noteStillOver(call, result.base);
    skipped(call, 'still-over', 'What must stay is itself over the trigger.');
  }
  return after;
}

/** Keeps a compaction in this process until a checkpoint holds it, and after. */
export function remember({ identity, conversation }: CompactionCall, base: CompactedBase): void {
  const covered = coveredBy(conversation, base);
  rememberCompaction(identity, base.unwritten, { covered, lifted: messagesAt(conversation, base.lifted) });
}

function sent(call: CompactionCall, base: Base): Shortened & { readonly size: RequestSize } {
  const request = requestOf(call.conversation, base);
  const size = sizeOf(request, call.overhead, call.count);
  return { messages: request.messages, base, update: base.unwritten, estimated: size.tokens, size };
}

function corrected(call: CompactionCall, base: Base | null, { tokens, messages }: RequestSize): RequestSize {
  return { tokens: tokens + usageCorrection(call, base), messages };
}

function skipped({ emit }: CompactionCall, reason: string, message: string): void {
  emit({ type: 'context_compaction_skipped', reason, message });
}
