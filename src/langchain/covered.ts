// Which messages of a state a summary stands for, for a page that shows the whole conversation.
import type { BaseMessage } from '@langchain/core/messages';
import type { Message } from '../core/message.js';
import { type CompactionRecord, fitRecord, parseRecord } from '../core/record.js';
import { conversationOf } from './request.js';

/** A state's values, as `agent.graph.getState(…)` gives them. */
export interface CompactedState {
  readonly messages?: readonly BaseMessage[];
  readonly compaction?: unknown;
}

export interface CoveredView {
  readonly summary: string;
  /** Ids of the present messages that the summary stands for, in order. */
  readonly covered: readonly string[];
  /** Ids of covered messages that were removed from the checkpoint. */
  readonly pruned: readonly string[];
}

/**
 * What a state's compaction stands for. Null when there is none, or when it no longer fits the messages: then the
 * next request over the trigger makes another. Never throws.
 */
export function coveredMessages(state: CompactedState): CoveredView | null {
  const found = compactionIn(state);
  if (found === null) return null;
  const { record, covered } = found;
  const ids = covered.map(({ id }) => id).filter((id) => id !== null);
  return { summary: record.summary, covered: ids, pruned: record.pruned };
}

/** The record of a state that holds for its messages, with those it covers; null when there is none. */
export function compactionIn({
  messages = [],
  compaction,
}: CompactedState): { readonly record: CompactionRecord; readonly covered: readonly Message[] } | null {
  const record = parseRecord(compaction);
  if (record === null) return null;
  const { neutral, start } = conversationOf(messages);
  const fit = fitRecord(record, neutral, start);
  if (fit === null) return null;
  const stays = new Set(fit.lifted);
  return { record, covered: neutral.slice(start, fit.end).filter((_, at) => !stays.has(start + at)) };
}
