// Compaction itself: find what already stands for the older part, cut further, summarise, archive.
import type { Message } from '../core/message.js';
import { type Plan, planCompaction } from '../core/plan.js';
import { MESSAGE_CHARS, summaryPrompt } from '../core/prompt.js';
import {
  type CompactionRecord,
  coveredOf,
  fitRecord,
  messageDigest,
  parseHold,
  parseRecord,
  prunedRemainder,
} from '../core/record.js';
import type { CaptureSummary } from '../events.js';
import { captureCovered } from './capture-covered.js';
import { type Base, type CompactionCall, coveredBy, messagesAt } from './compaction-call.js';
import {
  type Conversation,
  composed,
  countable,
  type Listing,
  repaired,
  sizeOf,
  summaryMessage,
} from './request.js';
import { cachedCompaction, hasUnsettled, mergedHistory, settleCompaction } from './summary-cache.js';
import { askForSummary, type SummaryAnswer } from './summary-call.js';

export type CompactionResult =
  | {
      readonly kind: 'compacted';
      readonly base: CompactedBase;
      readonly tokens: NonNullable<CompactionRecord['tokens']>;
      readonly archived: CaptureSummary | null;
    }
  | { readonly kind: 'nothing' }
  | Extract<SummaryAnswer, { kind: 'failed' }>;

/** What stands for the older part after a compaction that succeeded. */
export interface CompactedBase extends Base {
  readonly record: CompactionRecord;
  readonly unwritten: NonNullable<Base['unwritten']>;
}

/**
 * What stands for the older part: the state's record or this process's, whichever reaches further and holds for these
 * messages. A record that does not hold is ignored, but for what it says of pruned messages.
 */
export function baseOf({
  conversation,
  stored,
  identity,
}: Pick<CompactionCall, 'conversation' | 'stored' | 'identity'>): Base {
  const { neutral, start } = conversation;
  const record = parseRecord(stored.compaction);
  const fit = record === null ? null : fitRecord(record, neutral, start);
  const held = parseHold(stored.compaction);
  // What was undone stays so in every tab that knew of it.
  const cached = held === null || hasUnsettled(identity) ? cachedCompaction(identity, conversation) : null;
  if (cached !== null && (fit === null || cached.fit.end > fit.end)) {
    const { compaction, taskHistory: known } = cached.update;
    const taskHistory = known === null ? null : mergedHistory(stored.taskHistory, known);
    const unwritten = { compaction, taskHistory };
    return { record: compaction, ...cached.fit, history: taskHistory ?? stored.taskHistory, unwritten };
  }
  // The state knows at least as much: nothing is left to be written.
  settleCompaction(identity);
  const own = { history: stored.taskHistory, unwritten: null };
  if (record !== null && fit !== null) return { record, ...fit, ...own };
  return { record: record === null ? null : prunedRemainder(record), end: start, lifted: [], ...own };
}

/** The messages as they would be sent with what stands for the older part, valid for strict providers. */
export function requestOf(conversation: Conversation, { record, ...part }: Base): Listing {
  return repaired(record === null ? conversation : composed(conversation, record.summary, part));
}

/**
 * Cuts further: summarises what `keep` lets go, and archives it. A failure changes nothing and archives nothing.
 *
 * `tokensBefore` is the size of the request that `base` makes. A call that succeeded is told to nobody here: the caller remembers and writes it.
 */
export async function compact(
  call: CompactionCall,
  base: Base,
  { onDemand, tokensBefore }: { readonly onDemand: boolean; readonly tokensBefore: number },
): Promise<CompactionResult> {
  const { conversation, options, count, emit } = call;
  const plan = planOf(call, base);
  if (plan === null) return { kind: 'nothing' };

  emit({ type: 'context_compacting', message: options.compactingMessage });
  const former = base.record?.summary ?? null;
  const leaving = messagesAt(conversation, plan.leaving);
  const anew = base.record !== null && base.record.folds % options.refreshAfterFolds === 0;
  const prompt = summaryPrompt({
    prompt: options.summaryPrompt,
    previous: former,
    messages: anew ? [...(await prunedMessages(call, base)), ...coveredBy(conversation, plan)] : leaving,
    maxTokens: options.trimTokensToSummarize,
    anew,
  });
  const answer = await askForSummary(options, call.model, prompt, call.signal);
  if (answer.kind === 'failed') return answer;
  const replaced = count(leaving) + (former === null ? 0 : summaryTokens(call, former));
  const { summary } = answer;
  if (summaryTokens(call, summary) >= replaced) {
    const message = 'The summary is not shorter than what it replaces.';
    return { kind: 'failed', reason: 'not-shorter', message };
  }
  const request = repaired(composed(conversation, summary, plan));
  const tokens = { before: tokensBefore, after: sizeOf(request, call.overhead, count).tokens };
  const record = { ...recordOf(call, base, plan, summary, onDemand), tokens };
  const { history, archived } = await captureCovered(call, base, plan);
  const unwritten = { compaction: record, taskHistory: history };
  const { end, lifted } = plan;
  return { kind: 'compacted', base: { record, end, lifted, history, unwritten }, tokens, archived };
}

/** What was removed from the checkpoint, as the archive has it. What it has no longer, the former summary tells. */
async function prunedMessages(
  { options: { continuity }, identity: { user, thread, namespace } }: CompactionCall,
  { record, history }: Base,
): Promise<readonly Message[]> {
  if (continuity === undefined || thread === null || namespace !== '' || record === null) return [];
  return continuity.archivedMessages({ user, thread }, history, record.pruned, MESSAGE_CHARS);
}

function planOf(call: CompactionCall, base: Base): Plan | null {
  const { conversation, options, keep, thresholds, overhead, count } = call;
  return planCompaction(conversation.neutral, conversation.start, base, {
    keep,
    thresholds,
    overhead,
    count,
    summaryTokens: base.record === null ? 0 : summaryTokens(call, base.record.summary),
    skills: {
      count: options.preserveRecentSkillCount,
      tokens: options.preserveRecentSkillTokens,
      tokensPerSkill: options.preserveRecentSkillTokensPerSkill,
      toolNames: options.skillFileReadToolNames,
      root: options.skillsPath,
    },
  });
}

function summaryTokens({ count }: CompactionCall, summary: string): number {
  return count([countable(summaryMessage(summary))]);
}

function recordOf(
  { conversation }: CompactionCall,
  base: Base,
  plan: Plan,
  summary: string,
  onDemand: boolean,
): Omit<CompactionRecord, 'tokens'> {
  return {
    summary,
    covered: coveredOf(coveredBy(conversation, plan)),
    lifted: messagesAt(conversation, plan.lifted).map((message) => message.id ?? messageDigest(message)),
    pruned: base.record?.pruned ?? [],
    folds: (base.record?.folds ?? 0) + 1,
    onDemand: onDemand || base.record?.onDemand === true,
    former: base.record === null ? null : { ...base.record, former: null },
  };
}
