// Where a conversation is cut: when it is too long, how much of its end stays, and what may not be torn apart.
import type { Message } from './message.js';
import type { CountTokens } from './tokens.js';

/** An amount of context: tokens, messages, or a share of the model's window (above 0, at most 1). */
export interface ContextSize {
  readonly type: 'tokens' | 'messages' | 'fraction';
  readonly value: number;
}

/** A threshold after fractions are resolved; reaching it is being over it. */
export interface Threshold {
  readonly unit: 'tokens' | 'messages';
  readonly value: number;
}

/** How large a request is. */
export interface RequestSize {
  readonly tokens: number;
  readonly messages: number;
}

/** Share of every trigger below which a compaction brings what stays, so that the next one is not due at once. */
export const HEADROOM = 0.75;

/** Resolves sizes against the model's window, in tokens. Fractions need one; see `options.ts` for the refusal. */
export function thresholdsOf(
  sizes: readonly ContextSize[],
  windowTokens: number | null,
): readonly Threshold[] {
  return sizes.map(({ type, value }) => {
    if (type !== 'fraction') return { unit: type, value };
    return { unit: 'tokens', value: Math.max(1, Math.floor((windowTokens ?? 0) * value)) };
  });
}

/** True when any threshold is reached. */
export function isOver(size: RequestSize, thresholds: readonly Threshold[]): boolean {
  return thresholds.some(({ unit, value }) => size[unit] >= value);
}

/**
 * The index of the first message that `keep` keeps: 0 when all stay. A call and its results are never parted.
 */
export function cutoffOf(messages: readonly Message[], keep: Threshold, count: CountTokens): number {
  const raw =
    keep.unit === 'messages' ? messages.length - keep.value : suffixStart(messages, keep.value, count);
  return raw <= 0 ? 0 : whole(messages, raw);
}

/** The earliest suffix within a number of tokens; at least the last message stays. */
function suffixStart(messages: readonly Message[], tokens: number, count: CountTokens): number {
  if (messages.length <= 1 || count(messages) <= tokens) return 0;
  let low = 0;
  let high = messages.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (count(messages.slice(middle)) <= tokens) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Moves a cut that stands on a tool result back to its call, or past the results when no call is there. */
function whole(messages: readonly Message[], cut: number): number {
  if (messages[cut]?.type !== 'tool') return cut;
  let end = cut;
  const ids = new Set<string>();
  for (; messages[end]?.type === 'tool'; end += 1) {
    const id = messages[end]?.tool_call_id;
    if (typeof id === 'string') ids.add(id);
  }
  for (let at = cut - 1; at >= 0; at -= 1) {
    const calls = messages[at]?.tool_calls ?? [];
    if (calls.some(({ id }) => id !== null && ids.has(id))) return at;
  }
  return end;
}

/** The latest cut from `least` to `cut` that tears no run; `cut` itself when there is none. */
export function lowerCut(messages: readonly Message[], cut: number, least: number): number {
  const torn = tornCuts(messages);
  for (let at = cut; at >= least; at -= 1) {
    if (!torn[at]) return at;
  }
  return cut;
}

/**
 * The earliest cut at or after `from` whose kept part satisfies `fits`, at the beginning of a group (a message with
 * its results, or a run of several); the last group stays whatever it costs. `fits` must not turn false again as less
 * is kept.
 */
export function raiseCut(messages: readonly Message[], from: number, fits: (cut: number) => boolean): number {
  const torn = tornCuts(messages);
  const starts: number[] = [];
  for (let at = from; at < messages.length; at += 1) {
    if (messages[at]?.type !== 'tool' && !torn[at]) starts.push(at);
  }
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(starts[middle] ?? from)) high = middle;
    else low = middle + 1;
  }
  return starts[low] ?? from;
}

/**
 * Whether a cut before each message would part a result from its call although nothing but calls and results stands
 * between them: such a result would be neither in what is summarised nor in what is sent.
 */
function tornCuts(messages: readonly Message[]): readonly boolean[] {
  const torn = messages.map(() => false);
  const callAt = new Map<string, number>();
  for (const [at, { type, tool_calls: calls, tool_call_id: answered }] of messages.entries()) {
    if (type !== 'tool' && calls.length === 0) callAt.clear();
    for (const { id } of calls) if (id !== null) callAt.set(id, at);
    const call = type === 'tool' && answered !== null ? callAt.get(answered) : undefined;
    if (call === undefined) continue;
    for (let cut = at; cut > call; cut -= 1) torn[cut] = true;
  }
  return torn;
}
