// What the durable context adds to a request behind the compaction's back: a system text, and data in tokens.
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { getCurrentTaskInput } from '@langchain/langgraph';
import { renderDurableContext, systemContract } from '../core/durable-context.js';
import { normalizeHistory } from '../core/history.js';
import { normalizeNotes } from '../core/notes.js';
import type { CountTokens } from '../core/tokens.js';
import { countable } from './request.js';

/** The part of an agent's state that every request tells of. */
export interface DurableState {
  readonly taskNotes?: unknown;
  readonly taskHistory?: unknown;
}

/** The state of the run under way; null when its agent has no durable context. */
export function runDurableState(runtime: {
  readonly configurable?: Record<string, unknown>;
}): DurableState | null {
  // The channel of notes is there when the durable context is; a middleware's own view of the state shows its own keys.
  const state: unknown = getCurrentTaskInput({ configurable: runtime.configurable ?? {} });
  return typeof state === 'object' && state !== null && 'taskNotes' in state ? state : null;
}

/** Tokens of the notes and their history's status. Sections of an agent's own state are not counted. */
export function durableTokens(state: DurableState, count: CountTokens): number {
  const continuity = {
    notes: normalizeNotes(state.taskNotes),
    history: normalizeHistory(state.taskHistory),
  };
  return count([countable(new HumanMessage(renderDurableContext({ continuity })))]);
}

/** The system message with what is true of the durable context: one message, since some providers take no second. */
export function withContract(system: SystemMessage | undefined): SystemMessage {
  const contract = systemContract(true);
  const isEmpty = system === undefined || system.content.length === 0;
  return isEmpty ? new SystemMessage(contract) : system.concat(`\n\n${contract}`);
}
