// The middleware that shortens what the model sees, and nothing else.
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { Command, isCommand, ReducedValue, StateSchema } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { z } from 'zod';
import { isOver } from '../core/partition.js';
import { messageDigest, parseRecord } from '../core/record.js';
import type { CountTokens } from '../core/tokens.js';
import type { ThreadkeepEvent } from '../events.js';
import {
  type Base,
  baseOf,
  type CompactionCall,
  compactTo,
  nextCut,
  requestOf,
  resolvedThresholds,
} from './compactor.js';
import { identify } from './identity.js';
import { type ResolvedSummarization, resolveSummarization, type SummarizationOptions } from './options.js';
import { conversationOf, counterOf, overheadTokens, repaired, sizeOf } from './request.js';
import { taskHistory } from './state.js';
import { type CompactionUpdate, lastAttempt, rememberAttempt, unwrittenUpdate } from './summary-cache.js';

/** The middleware's name in an agent. */
export const SUMMARIZATION = 'summarization';

/** The state's compaction record; each write replaces it, null clears it. */
const compaction = new ReducedValue<unknown, unknown>(z.unknown().optional(), {
  inputSchema: z.unknown().optional(),
  reducer: (_current, next) => parseRecord(next) ?? undefined,
});

/** What `compactThread` needs of the middleware that an agent was made with. */
export interface SummarizationEngine {
  readonly options: ResolvedSummarization;
  readonly count: CountTokens;
}

const engines = new WeakMap<object, SummarizationEngine>();

/** The engine of a middleware of ours; undefined for any other object. */
export function engineOf(middleware: object): SummarizationEngine | undefined {
  return engines.get(middleware);
}

/**
 * Replaces the older part of a conversation by a summary, in the request alone, once a trigger is reached.
 *
 * The checkpoint's messages are never touched; the record of the compaction goes into the state's `compaction`, the
 * references to archived messages into `taskHistory`. A failed summary changes nothing but an event. Every request
 * that leaves is one that strict providers accept. Throws a `ContinuityError` for options that are not allowed.
 */
export function summarization(options: SummarizationOptions) {
  const resolved = resolveSummarization(options);
  if (!resolved.enabled) return createMiddleware({ name: SUMMARIZATION });
  const engine: SummarizationEngine = { options: resolved, count: counterOf(resolved.tokenCounter) };

  const middleware = createMiddleware({
    name: SUMMARIZATION,
    stateSchema: new StateSchema({ compaction, taskHistory }),
    wrapModelCall: async (request, handler) => {
      const identity = identify(request.runtime, { user: resolved.user });
      const call: CompactionCall = {
        ...engine,
        identity,
        conversation: conversationOf(request.messages),
        stored: { compaction: request.state.compaction, taskHistory: request.state.taskHistory },
        // An agent's model is an instance by the time that a request is made.
        model: request.model as CompactionCall['model'],
        overhead: overheadTokens(request.systemMessage, request.tools, engine.count),
        thresholds: resolvedThresholds(resolved, request.model as CompactionCall['model']),
        signal: request.runtime.signal,
        emit: (event: ThreadkeepEvent) => {
          request.runtime.writer?.(event);
          resolved.onEvent?.(event);
        },
      };
      const messages = repaired(await shortened(call));
      const answer: unknown = await handler({ ...request, messages: [...messages] });
      const update = missingUpdate(call);
      // A structured answer comes as an object of its own, which a Command would erase: `afterAgent` writes then.
      const isPlain = typeof answer === 'object' && answer !== null && !('structuredResponse' in answer);
      if (update === null || !isPlain || isCommand(answer)) return answer as AIMessage;
      return new Command({ update: stateUpdate(update) });
    },
    afterAgent: (state, runtime) => {
      const conversation = conversationOf(state.messages);
      const identity = identify(runtime, { user: resolved.user });
      const update = unwrittenUpdate(identity, conversation.neutral, conversation.start, state.compaction);
      return update === null ? undefined : stateUpdate(update);
    },
  });
  engines.set(middleware, engine);
  return middleware;
}

/** The request's messages: whole under every trigger, otherwise with the best summary that there is. */
async function shortened(call: CompactionCall): Promise<readonly BaseMessage[]> {
  const { conversation, overhead, count, thresholds } = call;
  const sizeWith = (messages: readonly BaseMessage[]) => sizeOf(messages, overhead, count);
  if (!isOver(sizeWith(conversation.messages), thresholds)) return conversation.messages;

  const base = baseOf(call);
  const before = requestOf(conversation, base);
  if (base.record !== null && !isOver(sizeWith(before), thresholds)) return before;
  if (!mayTry(call, base)) return before;

  const startedAt = performance.now();
  const result = await compactTo(call, base, nextCut(call, base));
  if (result.kind === 'nothing') {
    skipped(call, base, 'nothing-to-summarize', 'All that is left is the part that must stay.');
    return before;
  }
  if (result.kind === 'failed') {
    noteAttempt(call, null);
    call.emit({ type: 'context_compaction_failed', reason: result.reason, message: result.message });
    return before;
  }
  const { compacted } = result;
  const after = requestOf(conversation, compacted);
  const tokensAfter = sizeWith(after).tokens;
  call.emit({
    type: 'context_compacted',
    reason: 'trigger',
    messagesCovered: compacted.record.covered.length,
    messagesPruned: compacted.record.pruned.length,
    tokensBefore: sizeWith(before).tokens,
    tokensAfter,
    durationMs: Math.round(performance.now() - startedAt),
    archived: compacted.archived,
  });
  if (isOver(sizeWith(after), thresholds)) {
    skipped(call, compacted, 'still-over', 'What must stay is itself over the trigger.');
  }
  return after;
}

/** One attempt per new message, and after one that did not help, not before a tenth of the trigger has come. */
function mayTry(call: CompactionCall, base: Base): boolean {
  const last = lastAttempt(call.identity);
  if (last === undefined) return true;
  if (last.newest === newestDigest(call)) return false;
  if (last.uncovered === null) return true;
  const least = Math.min(
    ...call.thresholds.filter(({ unit }) => unit === 'tokens').map(({ value }) => value),
  );
  return uncoveredTokens(call, base) >= last.uncovered + (Number.isFinite(least) ? least / 10 : 1);
}

function noteAttempt(call: CompactionCall, uncovered: number | null): void {
  rememberAttempt(call.identity, { newest: newestDigest(call), uncovered });
}

function skipped(call: CompactionCall, base: Base, reason: string, message: string): void {
  noteAttempt(call, uncoveredTokens(call, base));
  call.emit({ type: 'context_compaction_skipped', reason, message });
}

function uncoveredTokens({ conversation, count }: CompactionCall, base: Base): number {
  return count(conversation.neutral.slice(base.end));
}

function newestDigest({ conversation }: CompactionCall): string {
  const newest = conversation.neutral.at(-1);
  return newest === undefined ? '' : `${newest.id ?? ''} ${messageDigest(newest)}`;
}

function missingUpdate({ identity, conversation, stored }: CompactionCall): CompactionUpdate | null {
  return unwrittenUpdate(identity, conversation.neutral, conversation.start, stored.compaction);
}

function stateUpdate({ compaction: record, taskHistory: history }: CompactionUpdate) {
  return { compaction: record, ...(history === null ? {} : { taskHistory: history }) };
}
