// Compaction on demand, and the one place that removes messages from a checkpoint.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type BaseMessage, RemoveMessage, SystemMessage } from '@langchain/core/messages';
import type { Message } from '../core/message.js';
import type { CompactionRecord } from '../core/record.js';
import { ContinuityError } from '../errors.js';
import type { CaptureSummary, ThreadkeepEvent } from '../events.js';
import {
  baseOf,
  type CompactionCall,
  compactTo,
  nextCut,
  requestOf,
  resolvedThresholds,
} from './compactor.js';
import { DEFAULT_USER } from './identity.js';
import { conversationOf, overheadTokens, sizeOf } from './request.js';
import { engineOf, SUMMARIZATION } from './summarization.js';

/** An agent made with `createAgent` and `threadkeep` (or `summarization`) among its middleware. */
export interface CompactableAgent {
  readonly options: {
    readonly model?: unknown;
    readonly systemPrompt?: unknown;
    readonly tools?: readonly unknown[];
    readonly middleware?: readonly object[];
  };
  readonly graph: {
    getState(config: object): Promise<{ readonly values: unknown; readonly next: readonly string[] }>;
    updateState(config: object, values: object, ...asNode: string[]): Promise<unknown>;
  };
}

export interface CompactThreadOptions {
  /** Also remove from the checkpoint every covered message whose whole text the archive is seen to hold. */
  readonly prune?: boolean;
  readonly signal?: AbortSignal;
}

/** Why a covered message was not removed. */
export type KeptReason = 'not-archived' | 'has-other-content' | 'no-id';

export interface CompactionReceipt {
  /** `nothing` when all that is left must stay; `failed` when the summary could not be made. */
  readonly outcome: 'compacted' | 'nothing' | 'failed';
  /** Why it failed; null otherwise. */
  readonly failure: { readonly reason: string; readonly message: string } | null;
  /** Messages that the summary stands for now. */
  readonly covered: number;
  /** Ids of the messages removed from the checkpoint by this call. */
  readonly pruned: readonly string[];
  /** Covered messages that were asked to go and stay, with the reason. */
  readonly kept: readonly { readonly id: string | null; readonly reason: KeptReason }[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly archived: CaptureSummary | null;
}

/**
 * Compacts a thread now, also under the trigger: what `keep` lets go is summarised and archived.
 *
 * The thread must be at rest: a run that is under way would write over the result. Expected outcomes are values;
 * throws a `ContinuityError` for an agent without our middleware, and what the checkpointer throws.
 */
export async function compactThread(
  agent: CompactableAgent,
  target: { readonly thread: string; readonly user?: string },
  { prune = false, signal }: CompactThreadOptions = {},
): Promise<CompactionReceipt> {
  const engine = agent.options.middleware?.map(engineOf).find((found) => found !== undefined);
  if (engine === undefined) {
    throw new ContinuityError(
      'invalid-option',
      'compactThread: this agent has no enabled summarization among its middleware; make it with threadkeep({ summarization: { enabled: true, … } }).',
    );
  }
  const { options, count } = engine;
  const user = target.user ?? options.user ?? DEFAULT_USER;
  const config = { configurable: { thread_id: target.thread, user_id: user } };
  const state = await agent.graph.getState(config);
  const values = valuesOf(state.values);
  const model = agent.options.model as BaseChatModel;
  const conversation = conversationOf(values.messages);
  const overhead = overheadTokens(systemOf(agent.options.systemPrompt), toolsOf(agent.options), count);
  const call: CompactionCall = {
    options,
    count,
    identity: { user, thread: target.thread, namespace: '' },
    conversation,
    stored: values,
    model,
    overhead,
    thresholds: resolvedThresholds(options, model),
    signal,
    emit: (event: ThreadkeepEvent) => options.onEvent?.(event),
  };
  const startedAt = performance.now();
  const base = baseOf(call);
  const tokensBefore = sizeOf(requestOf(conversation, base), overhead, count).tokens;
  const result = await compactTo(call, base, nextCut(call, base));

  if (result.kind === 'failed') {
    const { reason, message } = result;
    call.emit({ type: 'context_compaction_failed', reason, message });
    return receipt('failed', {
      failure: { reason, message },
      covered: base.record?.covered.length ?? 0,
      tokensBefore,
    });
  }
  const fresh = result.kind === 'compacted' ? result.compacted : null;
  const record = fresh?.record ?? base.record;
  if (record === null || (fresh === null && !prune)) {
    call.emit({
      type: 'context_compaction_skipped',
      reason: 'nothing-to-summarize',
      message: 'All that is left is what must stay.',
    });
    return receipt('nothing', { covered: record?.covered.length ?? 0, tokensBefore });
  }

  const history = fresh?.update.taskHistory ?? values.taskHistory;
  const end = fresh?.end ?? base.end;
  const pruning = prune ? await pruned(call, history, record, end) : NOTHING_PRUNED;
  const removed = pruning.remove.map((id) => new RemoveMessage({ id }));
  const compaction: CompactionRecord = { ...record, pruned: [...record.pruned, ...pruning.remove] };
  const update = {
    compaction,
    ...(fresh === null && pruning.history === null ? {} : { taskHistory: pruning.history ?? history }),
    ...(removed.length === 0 ? {} : { messages: removed }),
  };
  // Written as the run's last step, a thread at rest stays at rest; one that waits for its user goes on waiting.
  const lastStep = state.next.length === 0 ? [`${SUMMARIZATION}.after_agent`] : [];
  await agent.graph.updateState(config, update, ...lastStep);
  const after = requestOf(conversation, fresh ?? base);
  const tokensAfter = sizeOf(after, overhead, count).tokens;
  const archived = fresh?.archived ?? null;
  call.emit({
    type: 'context_compacted',
    reason: 'manual',
    messagesCovered: compaction.covered.length,
    messagesPruned: compaction.pruned.length,
    tokensBefore,
    tokensAfter,
    durationMs: Math.round(performance.now() - startedAt),
    archived,
  });
  return receipt('compacted', {
    covered: compaction.covered.length,
    pruned: pruning.remove,
    kept: pruning.kept,
    tokensBefore,
    tokensAfter,
    archived,
  });
}

interface Pruning {
  readonly remove: readonly string[];
  readonly kept: CompactionReceipt['kept'];
  /** The history after further captures; null when there were none. */
  readonly history: CompactionCall['stored']['taskHistory'] | null;
}

const NOTHING_PRUNED: Pruning = { remove: [], kept: [], history: null };

/** Captures what is not whole in the archive yet, in as many batches as it takes, and says what may go. */
async function pruned(
  call: CompactionCall,
  stored: unknown,
  record: CompactionRecord,
  end: number,
): Promise<Pruning> {
  const { continuity } = call.options;
  const { thread, user } = call.identity;
  const covered = coveredOf(call, record, end);
  if (continuity === undefined || thread === null) return keepAll(covered);
  const scope = { user, thread };
  let history = stored;
  let whole = await continuity.wholeSources(scope, history, covered);
  const missing = covered.filter((message) => !whole.has(message));
  const own = new Set<string>();
  for (let at = 0; at < missing.length; at += continuity.retention.maxRecordsPerBatch) {
    const batch = missing.slice(at, at + continuity.retention.maxRecordsPerBatch);
    const outcome = await continuity.capture(scope, history, batch);
    history = outcome.history;
    for (const id of outcome.history.batches) own.add(id);
    // Going on would push out of the archive what this very call has put there.
    if (outcome.failure !== null || outcome.evicted.some((id) => own.has(id))) break;
  }
  if (missing.length > 0) whole = await continuity.wholeSources(scope, history, covered);
  const remove: string[] = [];
  const kept: { id: string | null; reason: KeptReason }[] = [];
  for (const message of covered) {
    if (message.id === null) kept.push({ id: null, reason: 'no-id' });
    else if (!whole.has(message)) kept.push({ id: message.id, reason: 'not-archived' });
    else if (hasOtherContent(message)) kept.push({ id: message.id, reason: 'has-other-content' });
    else remove.push(message.id);
  }
  return { ...wholeGroups(covered, remove, kept), history };
}

/** A call goes only together with its results: half of a pair would be refused by a strict provider. */
function wholeGroups(
  covered: readonly Message[],
  remove: readonly string[],
  kept: CompactionReceipt['kept'],
): { remove: readonly string[]; kept: CompactionReceipt['kept'] } {
  const going = new Set(remove);
  const groups: Message[][] = [];
  for (const message of covered) {
    if (message.type === 'tool' && groups.length > 0) groups.at(-1)?.push(message);
    else groups.push([message]);
  }
  const torn = groups.filter((group) => group.some(({ id }) => id === null || !going.has(id))).flat();
  const staying = new Set(torn.map(({ id }) => id));
  const partners = torn.filter(({ id }) => id !== null && going.has(id));
  return {
    remove: remove.filter((id) => !staying.has(id)),
    kept: [...kept, ...partners.map(({ id }) => ({ id, reason: 'not-archived' as const }))],
  };
}

function coveredOf(
  { conversation }: CompactionCall,
  record: CompactionRecord,
  end: number,
): readonly Message[] {
  const stays = new Set(record.lifted);
  return conversation.neutral
    .slice(conversation.start, end)
    .filter(({ id }) => id === null || !stays.has(id));
}

function keepAll(covered: readonly Message[]): Pruning {
  return {
    remove: [],
    kept: covered.map(({ id }) => ({ id, reason: 'not-archived' as const })),
    history: null,
  };
}

/** Images and other blocks that an archive does not keep. */
function hasOtherContent({ content }: Message): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((block: unknown) => {
    if (typeof block === 'string') return false;
    return !(typeof block === 'object' && block !== null && Reflect.get(block, 'type') === 'text');
  });
}

function receipt(
  outcome: CompactionReceipt['outcome'],
  known: Partial<CompactionReceipt>,
): CompactionReceipt {
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

/** What every request of the agent carries beside its messages. */
function systemOf(prompt: unknown): SystemMessage | undefined {
  if (prompt instanceof SystemMessage) return prompt;
  return typeof prompt === 'string' && prompt !== '' ? new SystemMessage(prompt) : undefined;
}

function toolsOf({ tools = [], middleware = [] }: CompactableAgent['options']): readonly unknown[] {
  const added = middleware.map((one): unknown => Reflect.get(one, 'tools')).filter(Array.isArray);
  return [...tools, ...added.flat()];
}

function valuesOf(values: unknown): {
  messages: readonly BaseMessage[];
  compaction: unknown;
  taskHistory: unknown;
} {
  const { messages, compaction, taskHistory } = (values ?? {}) as Readonly<Record<string, unknown>>;
  return { messages: Array.isArray(messages) ? messages : [], compaction, taskHistory };
}
