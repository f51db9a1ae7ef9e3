// Compaction itself: find what already stands for the older part, cut further, summarise, archive.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { Message } from '../core/message.js';
import { cutoffOf, hasHeadroom, raiseCut, type Threshold, thresholdsOf } from '../core/partition.js';
import { summaryPrompt } from '../core/prompt.js';
import { type CompactionRecord, fitRecord, messageDigest, parseRecord } from '../core/record.js';
import { rescuedSkills } from '../core/skills.js';
import type { CountTokens } from '../core/tokens.js';
import { ContinuityError } from '../errors.js';
import type { CaptureSummary, ThreadkeepEvent } from '../events.js';
import type { Identity } from './identity.js';
import type { ResolvedSummarization } from './options.js';
import { type Conversation, composed, conversationOf, summaryMessage } from './request.js';
import { type CompactionUpdate, cachedRecord, rememberCompaction } from './summary-cache.js';

/** Everything that one compaction looks at. */
export interface CompactionCall {
  readonly options: ResolvedSummarization;
  readonly identity: Identity;
  readonly conversation: Conversation;
  /** The state's values of our two keys, as they stand there. */
  readonly stored: { readonly compaction: unknown; readonly taskHistory: unknown };
  /** The run's own model. */
  readonly model: BaseChatModel;
  /** Tokens of system prompt and tools. */
  readonly overhead: number;
  readonly count: CountTokens;
  readonly thresholds: readonly Threshold[];
  readonly signal: AbortSignal | undefined;
  readonly emit: (event: ThreadkeepEvent) => void;
}

/** What stands for the older part by now. */
export interface Base {
  readonly record: CompactionRecord | null;
  /** Index of the first message that it does not stand for. */
  readonly end: number;
  readonly lifted: readonly number[];
}

/** What one compaction did. */
export interface Compacted extends Base {
  readonly record: CompactionRecord;
  readonly update: CompactionUpdate;
  readonly archived: CaptureSummary | null;
}

export type CompactionResult =
  | { readonly kind: 'compacted'; readonly compacted: Compacted }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string };

/** The window's size for fractions: what the user gave, or what the model says of itself. */
export function resolvedThresholds(
  options: ResolvedSummarization,
  model: BaseChatModel,
): readonly Threshold[] {
  const needsWindow = [...options.triggers, options.keep].some(({ type }) => type === 'fraction');
  const windowTokens = options.windowTokens ?? profileWindow(model);
  if (needsWindow && windowTokens === null) {
    throw new ContinuityError(
      'invalid-option',
      'A fraction is a share of the model’s window, and this model does not tell its size; give `windowTokens`.',
    );
  }
  return thresholdsOf(options.triggers, windowTokens);
}

/** The record of the state when it holds for these messages, else the one of this process, else nothing. */
export function baseOf({ conversation, stored, identity }: CompactionCall): Base {
  const { neutral, start } = conversation;
  const record = parseRecord(stored.compaction);
  const fit = record === null ? null : fitRecord(record, neutral, { start });
  if (record !== null && fit !== null) return { record, ...fit };
  const cached = cachedRecord(identity, neutral, start);
  if (cached !== null) return { record: cached.update.compaction, ...cached.fit };
  return { record: null, end: start, lifted: [] };
}

/** The messages as they would be sent with what stands for the older part. */
export function requestOf(conversation: Conversation, base: Base): readonly BaseMessage[] {
  return base.record === null ? conversation.messages : composed(conversation, base.record.summary, base);
}

/**
 * Where the next cut goes: what `keep` says, raised until the kept part has headroom under every trigger. The latest
 * user message is always kept, lifted when the cut passes it.
 */
export function nextCut(call: CompactionCall, base: Base): number {
  const { conversation, count, options, model, overhead, thresholds } = call;
  const { neutral, start } = conversation;
  const [keep] = thresholdsOf([options.keep], options.windowTokens ?? profileWindow(model));
  const wanted = keep === undefined ? 0 : start + cutoffOf(neutral.slice(start), keep, count);
  const from = Math.max(wanted, base.end);
  const latest = latestUser(neutral);
  return raiseCut(neutral, from, (cut) => {
    const lifted = latest !== null && latest < cut ? [neutral[latest]] : [];
    const kept = [...lifted.filter((one) => one !== undefined), ...neutral.slice(cut)];
    return hasHeadroom({ tokens: overhead + count(kept), messages: kept.length + 1 }, thresholds);
  });
}

/** Summarises what lies before the cut, archives it, and remembers it. A failure changes nothing. */
export async function compactTo(call: CompactionCall, base: Base, cut: number): Promise<CompactionResult> {
  const { conversation, options, count, emit } = call;
  const { neutral } = conversation;
  const { lifted, leaving } = partitioned(call, base, cut);
  if (leaving.length === 0) return { kind: 'nothing' };

  emit({ type: 'context_compacting', message: options.compactingMessage });
  const previous = base.record?.summary ?? null;
  const answer = await summarized(
    call,
    summaryPrompt({
      prompt: options.summaryPrompt,
      previous,
      messages: leaving,
      maxTokens: options.trimTokensToSummarize,
      count,
    }),
  );
  if (answer.kind === 'failed') return answer;
  const replaced = count(leaving) + (previous === null ? 0 : countSummary(call, previous));
  if (countSummary(call, answer.summary) >= replaced) {
    return {
      kind: 'failed',
      reason: 'not-shorter',
      message: 'The summary is not shorter than what it replaces.',
    };
  }
  const record = recordOf(conversation, base, cut, lifted, answer.summary);
  const { taskHistory, archived } = await captured(call, base, cut, lifted, leaving);
  const update = { compaction: record, taskHistory };
  rememberCompaction(
    call.identity,
    update,
    lifted.map((at) => neutral[at]).filter((one) => one !== undefined),
  );
  return { kind: 'compacted', compacted: { record, end: cut, lifted, update, archived } };
}

/** Which messages before the cut stay in the request, and which the summary will stand for from now on. */
function partitioned(
  { conversation, options, count }: CompactionCall,
  base: Base,
  cut: number,
): { readonly lifted: readonly number[]; readonly leaving: readonly Message[] } {
  const { neutral } = conversation;
  const candidates = [...base.lifted, ...range(base.end, cut)];
  const part = candidates.map((at) => neutral[at]).filter((one) => one !== undefined);
  const skills = rescuedSkills(
    part,
    {
      count: options.preserveRecentSkillCount,
      tokens: options.preserveRecentSkillTokens,
      tokensPerSkill: options.preserveRecentSkillTokensPerSkill,
      toolNames: options.skillFileReadToolNames,
      root: options.skillsPath,
    },
    count,
  );
  const latest = latestUser(neutral);
  const isLifted = (at: number, place: number): boolean => skills.has(place) || at === latest;
  return {
    lifted: candidates.filter(isLifted),
    leaving: part.filter((_, place) => !isLifted(candidates[place] ?? -1, place)),
  };
}

async function summarized(
  call: CompactionCall,
  prompt: string,
): Promise<{ kind: 'summary'; summary: string } | { kind: 'failed'; reason: string; message: string }> {
  const { options, signal } = call;
  const timeout = AbortSignal.timeout(options.summaryTimeoutMs);
  try {
    const model = await summaryModel(call);
    const answer = await model.invoke([new HumanMessage(prompt)], {
      // Without both, the summary's tokens would show in the agent's own streams.
      tags: ['nostream', 'threadkeep:summary'],
      callbacks: [],
      metadata: { threadkeep: 'summary' },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const summary = answer.text.trim();
    if (summary !== '') return { kind: 'summary', summary };
    return { kind: 'failed', reason: 'blank', message: 'The model answered with a blank summary.' };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (timeout.aborted) {
      return {
        kind: 'failed',
        reason: 'timeout',
        message: `No summary within ${options.summaryTimeoutMs} ms.`,
      };
    }
    return {
      kind: 'failed',
      reason: 'error',
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

async function summaryModel({ options, model }: CompactionCall): Promise<BaseChatModel> {
  if (options.model === null) return model;
  if (typeof options.model === 'function') return options.model();
  if (typeof options.model !== 'string') return options.model;
  if (options.resolveModel === undefined)
    throw new TypeError(`No resolveModel for the model ${options.model}.`);
  return options.resolveModel(options.model);
}

function countSummary({ count }: CompactionCall, summary: string): number {
  return count(conversationOf([summaryMessage(summary)]).neutral);
}

function recordOf(
  { neutral, start }: Conversation,
  base: Base,
  cut: number,
  lifted: readonly number[],
  summary: string,
): CompactionRecord {
  const stays = new Set(lifted);
  const gone = new Set(base.record?.pruned ?? []);
  const present = range(start, cut)
    .filter((at) => !stays.has(at))
    .map((at) => neutral[at])
    .filter((one) => one !== undefined);
  return {
    summary,
    covered: [
      ...(base.record?.covered.filter(([id]) => id !== null && gone.has(id)) ?? []),
      ...present.map((message) => [message.id, messageDigest(message)] as const),
    ],
    lifted: lifted
      .map((at) => neutral[at])
      .filter((one) => one !== undefined)
      .map((one) => one.id ?? messageDigest(one)),
    pruned: base.record?.pruned ?? [],
    folds: (base.record?.folds ?? 0) + 1,
  };
}

/**
 * Archives what left the window. After a capture that failed, everything that is covered goes along again: the archive
 * leaves out what it holds already.
 */
async function captured(
  call: CompactionCall,
  base: Base,
  cut: number,
  lifted: readonly number[],
  leaving: readonly Message[],
): Promise<{ taskHistory: CompactionUpdate['taskHistory']; archived: CaptureSummary | null }> {
  const { options, identity, conversation, stored } = call;
  const { continuity } = options;
  // A nested agent's messages are not the thread's: it compacts its own context and archives nothing.
  if (continuity === undefined || identity.thread === null || identity.namespace !== '') {
    return { taskHistory: null, archived: null };
  }
  const stays = new Set(lifted);
  const isBehind = base.record !== null && !isAvailable(stored.taskHistory);
  const messages = isBehind
    ? range(conversation.start, cut)
        .filter((at) => !stays.has(at))
        .map((at) => conversation.neutral[at])
    : leaving;
  const outcome = await continuity.capture(
    { user: identity.user, thread: identity.thread },
    stored.taskHistory,
    messages.filter((one) => one !== undefined),
  );
  const { history, stored: kept, omitted, failure } = outcome;
  return { taskHistory: history, archived: { stored: kept, omitted, failure } };
}

function isAvailable(history: unknown): boolean {
  return typeof history === 'object' && history !== null && Reflect.get(history, 'status') === 'available';
}

function latestUser(messages: readonly Message[]): number | null {
  const at = messages.findLastIndex(({ type }) => type === 'human');
  return at < 0 ? null : at;
}

function profileWindow(model: BaseChatModel): number | null {
  const profile: unknown = Reflect.get(model, 'profile');
  const size: unknown =
    typeof profile === 'object' && profile !== null ? Reflect.get(profile, 'maxInputTokens') : null;
  return typeof size === 'number' && size > 0 ? size : null;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
