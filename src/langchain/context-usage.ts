// How full the model's window is: a request by parts, as it was sent or as it would be next.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';
import type { CountTokens } from '../core/tokens.js';
import { type CompactableAgent, type ThreadTarget, viewThread } from './agent-view.js';
import { profileWindow } from './compaction-call.js';
import { identify } from './identity.js';
import { countable, counterOf, overheadTokens, SUMMARY_MESSAGE } from './request.js';
import { nextRequest } from './shorten.js';

/** Estimated tokens of a request, by what they are spent on. */
export interface RequestParts {
  /** System prompt and system messages. */
  readonly system: number;
  /** The tools' schemas. */
  readonly tools: number;
  /** The durable context: notes, and sections of the agent's own state. */
  readonly notes: number;
  readonly summary: number;
  readonly messages: number;
}

export interface ContextUsage {
  readonly parts: RequestParts;
  /** Tokens of all parts. */
  readonly tokens: number;
  /** Messages of the request, the summary's among them. */
  readonly messages: number;
  /** The lowest trigger of each unit; null when there is none. */
  readonly trigger: { readonly tokens: number | null; readonly messages: number | null };
  /** The model's window in tokens; null when it is not known. */
  readonly windowTokens: number | null;
  /** True when the request would reach a trigger as it is: then the next call compacts first, if it may. */
  readonly isOver: boolean;
}

/** A request as it leaves for the model. */
export interface SentRequest {
  readonly user: string;
  readonly thread: string | null;
  /** Empty for the agent itself; otherwise where it is nested. */
  readonly namespace: string;
  readonly parts: RequestParts;
  readonly messages: readonly BaseMessage[];
}

/**
 * What the thread's next request would hold if it were made now: with the summary where one serves, before any
 * further compaction. Sections of the agent's own state are not counted. Throws as `compactThread` does.
 */
export async function contextUsage(agent: CompactableAgent, target: ThreadTarget): Promise<ContextUsage> {
  const { call, system, tools } = await viewThread('contextUsage', agent, target);
  const { count, options, thresholds, model } = call;
  const next = nextRequest(call);
  const hasOwnCounter = options.tokenCounter !== undefined;
  const prompt = overheadTokens(system, [], count, hasOwnCounter);
  const schemas = overheadTokens(undefined, tools, count, hasOwnCounter);
  const told = partsOf(next.messages, count);
  const parts: RequestParts = {
    ...told,
    system: told.system + prompt,
    tools: schemas,
    notes: told.notes + call.overhead - prompt - schemas,
  };
  const lowest = (wanted: 'tokens' | 'messages'): number | null => {
    const values = thresholds.filter(({ unit }) => unit === wanted).map(({ value }) => value);
    return values.length === 0 ? null : Math.min(...values);
  };
  return {
    parts,
    tokens: totalOf(parts),
    messages: next.messages.length,
    trigger: { tokens: lowest('tokens'), messages: lowest('messages') },
    windowTokens: options.windowTokens ?? profileWindow(model),
    isOver: next.isOver,
  };
}

/** The middleware's name in an agent. */
export const REQUEST_WATCH = 'threadkeep:requests';

/**
 * A middleware that tells of every request as it leaves for the model, by parts. Place it last: what stands behind it
 * is not seen. It changes nothing; what the listener throws fails the call.
 */
export function watchRequests(
  listener: (request: SentRequest) => void,
  options: { readonly user?: string } = {},
) {
  return createMiddleware({
    name: REQUEST_WATCH,
    wrapModelCall: (request, handler) => {
      const { systemMessage, tools, messages, runtime } = request;
      const count = counterOf(undefined, request.model as BaseChatModel);
      const told = partsOf(messages, count);
      const parts: RequestParts = {
        ...told,
        system: told.system + overheadTokens(systemMessage, [], count, false),
        tools: overheadTokens(undefined, tools, count, false),
      };
      listener({ ...identify(runtime, options), parts, messages: [...messages] });
      return handler(request);
    },
  });
}

/** Tokens of all parts together. */
export function totalOf({ system, tools, notes, summary, messages }: RequestParts): number {
  return system + tools + notes + summary + messages;
}

function partsOf(messages: readonly BaseMessage[], count: CountTokens): RequestParts {
  const parts = { system: 0, tools: 0, notes: 0, summary: 0, messages: 0 };
  for (const message of messages) parts[partOf(message)] += count([countable(message)]);
  return parts;
}

function partOf(message: BaseMessage): keyof RequestParts {
  if (SystemMessage.isInstance(message)) return 'system';
  if (message.additional_kwargs['durable_context_data'] === true) return 'notes';
  const isSummary = message.name === SUMMARY_MESSAGE && message.additional_kwargs['hide_from_ui'] === true;
  return isSummary ? 'summary' : 'messages';
}
