// What a compaction did to a conversation, for a reader who wants to check it.
import { type Fact, missingFacts } from '../core/facts.js';
import { coveredCount } from '../core/record.js';
import { type CompactedState, compactionIn } from './covered.js';

export interface CompactionReceipt {
  readonly summary: string;
  /** How many messages the summary stands for, former compactions and pruned messages included. */
  readonly covered: number;
  /** Tokens of the whole request before and after the last compaction, by the estimate; null when they were not kept. */
  readonly tokens: { readonly before: number; readonly after: number } | null;
  /**
   * Rules, links, paths, identifiers, numbers and names that stand in the covered messages and not in the summary, at
   * most forty of a kind, the newest and the user's first. Messages that were pruned cannot be looked at.
   */
  readonly missing: readonly Fact[];
}

/**
 * The receipt of the compaction that a state holds; null when there is none that fits its messages. It looks through
 * every covered message: call it when somebody asks, not with every draw. Never throws.
 */
export function compactionReceipt(state: CompactedState): CompactionReceipt | null {
  const found = compactionIn(state);
  if (found === null) return null;
  const { record, covered } = found;
  return {
    summary: record.summary,
    covered: coveredCount(record),
    tokens: record.tokens,
    missing: missingFacts(covered, record.summary),
  };
}
