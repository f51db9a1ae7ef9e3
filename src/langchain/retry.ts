// When a compaction may be tried: one rule, so that neither a broken summariser nor a long tail is tried again and again.
import { type Hold, messageDigest, parseHold } from '../core/record.js';
import type { Base, CompactionCall } from './compaction-call.js';
import { lastAttempt, rememberAttempt } from './summary-cache.js';

/** Share of a trigger by which what no summary covers must have grown after an attempt that did not get under it. */
const GROWTH = 0.1;

/**
 * One attempt per new message; after one that could not get under the trigger, none before a tenth of the trigger has
 * come; the same after an undo. Only triggers that are reached count, and one of them is enough.
 */
export function mayTry(call: CompactionCall, base: Base): boolean {
  const held = parseHold(call.stored.compaction);
  if (held !== null && !hasGrown(call, base, held)) return false;
  const last = lastAttempt(call.identity, call.conversation);
  if (last === undefined) return true;
  if (last.newest === newestOf(call)) return false;
  if (last.uncovered === null) return true;
  return hasGrown(call, base, last.uncovered);
}

function hasGrown(call: CompactionCall, base: Base, before: Hold): boolean {
  const now = uncoveredOf(call, base);
  // What was uncovered is covered now, or gone: another situation than the one that was hopeless.
  if (now.tokens < before.tokens) return true;
  return call.thresholds.some(({ unit, value }) => now[unit] >= before[unit] + value * GROWTH);
}

/** Notes an attempt that failed: the next message may bring another. */
export function noteFailure(call: CompactionCall): void {
  rememberAttempt(call.identity, call.conversation, { newest: newestOf(call), uncovered: null });
}

/** Notes an attempt that left the request over a trigger. */
export function noteStillOver(call: CompactionCall, base: Base): void {
  const attempt = { newest: newestOf(call), uncovered: uncoveredOf(call, base) };
  rememberAttempt(call.identity, call.conversation, attempt);
}

/** The size of what no summary covers. */
export function uncoveredOf(
  { conversation, count }: CompactionCall,
  base: Pick<Base, 'end' | 'lifted'>,
): Hold {
  const { neutral } = conversation;
  const uncovered = [...base.lifted.map((at) => neutral[at]), ...neutral.slice(base.end)];
  return {
    tokens: count(uncovered.filter((message) => message !== undefined)),
    messages: uncovered.length,
  };
}

/** Ids change with every run for messages given as plain objects, so that content and place tell a new message. */
function newestOf({ conversation }: CompactionCall): string {
  const newest = conversation.neutral.at(-1);
  return newest === undefined ? '' : `${conversation.neutral.length} ${messageDigest(newest)}`;
}
