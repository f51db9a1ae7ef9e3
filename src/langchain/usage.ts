// What a provider reported corrects the estimate, for the very composition of messages that it was reported of.
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import type { Base, CompactionCall } from './compaction-call.js';
import type { Identity } from './identity.js';
import { countable } from './request.js';

interface Reported {
  /** The answer that carried the figure. */
  readonly answer: BaseMessage;
  /** Which summary stood for the older part in the request; empty when none did. */
  readonly composition: string;
  /** By how many tokens the estimate of request and answer fell short. */
  readonly short: number;
}

/** Threads whose last figure is remembered; a lost one costs precision, no more. */
const THREADS = 128;
const reportedByThread = new Map<string, Reported>();

/** Notes what the provider reported of an answer to a request of `estimated` tokens. */
export function noteUsage(
  call: CompactionCall,
  base: Base | null,
  estimated: number,
  answer: BaseMessage,
): void {
  const total = totalTokens(answer);
  if (total === null || call.options.tokenCounter !== undefined) return;
  const short = Math.max(0, total - estimated - call.count([countable(answer)]));
  const key = keyOf(call.identity);
  reportedByThread.delete(key);
  reportedByThread.set(key, { answer, composition: compositionOf(base), short });
  for (const oldest of reportedByThread.keys()) {
    if (reportedByThread.size <= THREADS) break;
    reportedByThread.delete(oldest);
  }
}

/**
 * Tokens to add to the estimate of the conversation with this base: what the latest answer's report exceeded it by.
 *
 * Zero when that answer was to another composition, when it is another provider's, or with a counter of the user's. A
 * report below the estimate changes nothing: it may leave out what was cached.
 */
export function usageCorrection(call: CompactionCall, base: Base | null): number {
  const { conversation, identity, overhead, count, options } = call;
  if (options.tokenCounter !== undefined) return 0;
  const at = conversation.messages.findLastIndex(isAnswer);
  const latest = conversation.messages[at];
  if (latest === undefined) return 0;
  const known = reportedByThread.get(keyOf(identity));
  if (known !== undefined && isSame(known.answer, latest)) {
    return known.composition === compositionOf(base) ? known.short : 0;
  }
  // Nothing is known of the answer but what it says: without any summary it was to the whole conversation.
  const total = totalTokens(latest);
  if (total === null || base?.record != null || call.stored.compaction !== undefined) return 0;
  if (!isOfProvider(latest, call)) return 0;
  return Math.max(0, total - overhead - count(conversation.neutral.slice(0, at + 1)));
}

const keyOf = ({ user, thread, namespace }: Identity): string => JSON.stringify([user, thread, namespace]);

function compositionOf(base: Base | null): string {
  const record = base?.record ?? null;
  return record === null ? '' : `${record.covered.digest} ${record.pruned.length} ${record.summary}`;
}

function isAnswer(message: BaseMessage): boolean {
  return AIMessage.isInstance(message) || AIMessageChunk.isInstance(message);
}

function isSame(one: BaseMessage, other: BaseMessage): boolean {
  return one === other || (one.id !== undefined && one.id === other.id);
}

function totalTokens(message: BaseMessage): number | null {
  const usage: unknown = Reflect.get(message, 'usage_metadata');
  const total: unknown =
    typeof usage === 'object' && usage !== null ? Reflect.get(usage, 'total_tokens') : null;
  return typeof total === 'number' && total > 0 ? total : null;
}

function isOfProvider(answer: BaseMessage, { model }: CompactionCall): boolean {
  const told: unknown = answer.response_metadata?.['model_provider'];
  const own = model.getLsParams({} as never).ls_provider;
  return typeof told !== 'string' || own === undefined || told === own;
}
