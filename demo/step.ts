// How a conversation has changed since another tab was told of it last.
import type { ShownMessage, Snapshot } from './store.js';

export interface Step extends Pick<Snapshot, 'compaction' | 'notes' | 'batches'> {
  /** How many messages stay, and the id of the last of them; null when none does. */
  readonly keep: number;
  readonly lastKept: string | null;
  readonly tail: readonly ShownMessage[];
}

/** What to tell of a conversation to those who know it as `before`. */
export function stepFrom(before: readonly ShownMessage[], now: Snapshot): Step {
  let keep = 0;
  for (const [index, message] of now.messages.entries()) {
    const known = before[index];
    if (known === undefined || (known !== message && !isSame(known, message))) break;
    keep += 1;
  }
  const { messages, compaction, notes, batches } = now;
  const lastKept = messages[keep - 1]?.id ?? null;
  return { keep, lastKept, tail: messages.slice(keep), compaction, notes, batches };
}

/** The messages after a step; null when those that were known are not the ones that it goes on from. */
export function stepped(known: readonly ShownMessage[], { keep, lastKept, tail }: Step) {
  if ((known[keep - 1]?.id ?? null) !== lastKept) return null;
  return [...known.slice(0, keep), ...tail];
}

function isSame(one: ShownMessage, other: ShownMessage): boolean {
  return (
    one.id === other.id &&
    one.text === other.text &&
    one.stopped === other.stopped &&
    one.calls.length === other.calls.length
  );
}
