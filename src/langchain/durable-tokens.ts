// What the durable context adds to a request behind the compaction's back, in tokens.
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { getCurrentTaskInput } from '@langchain/langgraph';
import { renderDurableContext, systemContract } from '../core/durable-context.js';
import { normalizeHistory } from '../core/history.js';
import { normalizeNotes } from '../core/notes.js';
import type { CountTokens } from '../core/tokens.js';
import { countable } from './request.js';

/** Tokens of the contract and the notes. Sections of an agent's own state are not counted. */
export function durableTokens(
  state: { readonly taskNotes?: unknown; readonly taskHistory?: unknown },
  count: CountTokens,
): number {
  const continuity = {
    notes: normalizeNotes(state.taskNotes),
    history: normalizeHistory(state.taskHistory),
  };
  const messages = [
    new SystemMessage(systemContract(true)),
    new HumanMessage(renderDurableContext({ continuity })),
  ];
  return count(messages.map(countable));
}

/** The same for the run under way; 0 when its agent has no durable context. */
export function runDurableTokens(
  runtime: { readonly configurable?: Record<string, unknown> },
  count: CountTokens,
): number {
  // The channel of notes is there when the durable context is; a middleware's own view of the state shows its own keys.
  const state: unknown = getCurrentTaskInput({ configurable: runtime.configurable ?? {} });
  const hasNotes = typeof state === 'object' && state !== null && 'taskNotes' in state;
  return hasNotes ? durableTokens(state, count) : 0;
}
