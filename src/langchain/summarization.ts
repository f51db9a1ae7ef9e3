// The middleware that shortens what the model sees, and nothing else.
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { Command, isCommand, ReducedValue, StateSchema } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { z } from 'zod';
import { parseCompaction } from '../core/record.js';
import type { ThreadkeepEvent } from '../events.js';
import { type CompactionCall, compactionCall } from './compaction-call.js';
import { baseOf } from './compactor.js';
import { runDurableState } from './durable-tokens.js';
import { identify } from './identity.js';
import { type ResolvedSummarization, resolveSummarization, type SummarizationOptions } from './options.js';
import { conversationOf } from './request.js';
import { runBeginning } from './run-beginning.js';
import { shorten } from './shorten.js';
import { taskHistory } from './state.js';
import { announceHistory, type CompactionUpdate, hasUnsettled, setCachedThreads } from './summary-cache.js';
import { noteUsage } from './usage.js';

/** The middleware's name in an agent. */
export const SUMMARIZATION = 'summarization';

/** The state's compaction record; each write replaces it, null clears it. */
const compaction = new ReducedValue<unknown, unknown>(z.unknown().optional(), {
  inputSchema: z.unknown().optional(),
  reducer: (_current, next) => parseCompaction(next) ?? undefined,
});

const optionsByMiddleware = new WeakMap<object, ResolvedSummarization>();

/** The options of a middleware of ours that is enabled; undefined for any other object. */
export function optionsOf(middleware: object): ResolvedSummarization | undefined {
  return optionsByMiddleware.get(middleware);
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
  if (resolved.cacheSize !== undefined) setCachedThreads(resolved.cacheSize);

  const middleware = createMiddleware({
    name: SUMMARIZATION,
    stateSchema: new StateSchema({ compaction, taskHistory }),
    wrapModelCall: async (request, handler) => {
      const { runtime, state } = request;
      const call = compactionCall(resolved, {
        identity: identify(runtime, { user: resolved.user }),
        messages: request.messages,
        stored: { compaction: state.compaction, taskHistory: state.taskHistory },
        // An agent's model is an instance by the time that a request is made.
        model: request.model as CompactionCall['model'],
        system: request.systemMessage,
        tools: request.tools,
        durable: resolved.continuity === undefined ? null : runDurableState(runtime),
        runBeganAt: runBeginning(runtime.writer),
        signal: runtime.signal,
        emit: (event: ThreadkeepEvent) => {
          runtime.writer?.(event);
          resolved.onEvent?.(event);
        },
      });
      const { messages, base, update, estimated } = await shorten(call);
      announceHistory(call.identity, update?.taskHistory ?? null);
      // What was written by then is remembered; nobody waits for an answer any more.
      call.signal?.throwIfAborted();
      const answer: unknown = await handler({ ...request, messages: [...messages] });
      if (AIMessage.isInstance(answer) || AIMessageChunk.isInstance(answer)) {
        noteUsage(call, base, estimated, answer);
      }
      // A structured answer comes as an object of its own, which a Command would erase: `afterAgent` writes then.
      const isPlain = typeof answer === 'object' && answer !== null && !('structuredResponse' in answer);
      if (update === null || !isPlain || isCommand(answer)) return answer as AIMessage;
      return new Command({ update: stateUpdate(update) });
    },
    afterAgent: (state, runtime) => {
      const identity = identify(runtime, { user: resolved.user });
      if (!hasUnsettled(identity)) return undefined;
      const stored = { compaction: state.compaction, taskHistory: state.taskHistory };
      const { unwritten } = baseOf({ conversation: conversationOf(state.messages), stored, identity });
      return unwritten === null ? undefined : stateUpdate(unwritten);
    },
  });
  optionsByMiddleware.set(middleware, resolved);
  return middleware;
}

function stateUpdate({ compaction: record, taskHistory: history }: CompactionUpdate) {
  return { compaction: record, ...(history === null ? {} : { taskHistory: history }) };
}
