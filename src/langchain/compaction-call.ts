// What one compaction looks at, and what stands for the older part of its conversation.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { Message } from '../core/message.js';
import { type Threshold, thresholdsOf } from '../core/partition.js';
import type { CompactionRecord } from '../core/record.js';
import type { CountTokens } from '../core/tokens.js';
import { ContinuityError } from '../errors.js';
import type { ThreadkeepEvent } from '../events.js';
import { type DurableState, durableTokens, withContract } from './durable-tokens.js';
import type { Identity } from './identity.js';
import type { ResolvedSummarization } from './options.js';
import {
  type Conversation,
  conversationOf,
  counterOf,
  rememberOriginals,
  systemTokens,
  toolsTokens,
} from './request.js';
import type { CompactionUpdate } from './summary-cache.js';

/** Everything that one compaction looks at. */
export interface CompactionCall {
  readonly options: ResolvedSummarization;
  readonly identity: Identity;
  readonly conversation: Conversation;
  /** The state's values of our two keys, as they stand there. */
  readonly stored: { readonly compaction: unknown; readonly taskHistory: unknown };
  /** The run's own model. */
  readonly model: BaseChatModel;
  /** Tokens of what every request carries beside its messages, by part and together. */
  readonly beside: { readonly system: number; readonly tools: number; readonly notes: number };
  readonly overhead: number;
  readonly count: CountTokens;
  readonly thresholds: readonly Threshold[];
  readonly keep: Threshold;
  /** Milliseconds since 1970. */
  readonly runBeganAt: number;
  readonly signal: AbortSignal | undefined;
  readonly emit: (event: ThreadkeepEvent) => void;
}

/** What stands for the older part by now. */
export interface Base {
  readonly record: CompactionRecord | null;
  /** Index of the first message that it does not stand for. */
  readonly end: number;
  readonly lifted: readonly number[];
  /** The history that goes with it: the state's, with what this process knows and the state does not. */
  readonly history: unknown;
  /** What this process has to write because the state lacks it; null when the record is the state's own. */
  readonly unwritten: CompactionUpdate | null;
}

/** All present messages that a summary stands for, former compactions included. */
export function coveredBy(
  { neutral, start }: Conversation,
  { end, lifted }: Pick<Base, 'end' | 'lifted'>,
): readonly Message[] {
  const stays = new Set(lifted);
  return neutral.slice(start, end).filter((_, at) => !stays.has(start + at));
}

export function messagesAt({ neutral }: Conversation, indexes: readonly number[]): readonly Message[] {
  return indexes.map((at) => neutral[at]).filter((message) => message !== undefined);
}

/** What a run or a page gives of a call. */
export interface CallParts {
  readonly identity: Identity;
  readonly messages: readonly BaseMessage[];
  readonly stored: CompactionCall['stored'];
  readonly model: BaseChatModel;
  readonly system: SystemMessage | undefined;
  readonly tools: readonly unknown[];
  /** What the durable context will tell of; null when there is none. */
  readonly durable: DurableState | null;
  readonly runBeganAt: number;
  readonly signal: AbortSignal | undefined;
  readonly emit: CompactionCall['emit'];
}

/** A call with its sizes resolved. Throws a `ContinuityError` for fractions of a window of unknown size. */
export function compactionCall(options: ResolvedSummarization, parts: CallParts): CompactionCall {
  const { identity, stored, model, durable, runBeganAt, signal, emit } = parts;
  const conversation = conversationOf(parts.messages);
  const count = counterOf(options.tokenCounter, model);
  const hasOwnCounter = options.tokenCounter !== undefined;
  if (hasOwnCounter) rememberOriginals(conversation);
  const beside = {
    system: systemTokens(durable === null ? parts.system : withContract(parts.system), count),
    // A counter of the user's replaces the whole estimate, and it knows messages alone.
    tools: hasOwnCounter ? 0 : toolsTokens(parts.tools),
    notes: durable === null ? 0 : durableTokens(durable, count),
  };
  return {
    options,
    identity,
    conversation,
    stored,
    model,
    beside,
    overhead: beside.system + beside.tools + beside.notes,
    count,
    runBeganAt,
    signal,
    emit,
    ...resolvedSizes(options, model),
  };
}

/** Triggers and keep in tokens or messages. Throws a `ContinuityError` for fractions of a window of unknown size. */
function resolvedSizes(
  options: ResolvedSummarization,
  model: BaseChatModel,
): Pick<CompactionCall, 'thresholds' | 'keep'> {
  const sizes = [options.keep, ...options.triggers];
  const windowTokens = options.windowTokens ?? profileWindow(model);
  const fraction = sizes.find(({ type }) => type === 'fraction');
  if (fraction !== undefined && windowTokens === null) {
    throw new ContinuityError(
      'invalid-option',
      `windowTokens: undefined given, and this model does not tell how large its window is; the fraction ${fraction.value} ` +
        'needs it. Give windowTokens, or a model with profile.maxInputTokens, or sizes in tokens or messages.',
    );
  }
  const [keep = { unit: 'messages', value: 1 }, ...thresholds] = thresholdsOf(sizes, windowTokens);
  return { keep, thresholds };
}

/** The window of a model in tokens; null when it does not tell. */
export function profileWindow(model: BaseChatModel): number | null {
  const profile: unknown = Reflect.get(model, 'profile');
  const size: unknown =
    typeof profile === 'object' && profile !== null ? Reflect.get(profile, 'maxInputTokens') : null;
  return typeof size === 'number' && size > 0 ? size : null;
}
