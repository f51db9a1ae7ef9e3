// How full the model's window is: a request by parts, as it was sent or as it would be next.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';
import type { CountTokens } from '../core/tokens.js';
import { type CompactableAgent, type ThreadTarget, viewThread } from './agent-view.js';
import { profileWindow } from './compaction-call.js';
import { identify } from './identity.js';
import { countable, counterOf, SUMMARY_MESSAGE, systemTokens, toolsTokens } from './request.js';
import { nextRequest } from './shorten.js';

/** Estimated tokens of a request, by what they are spent on. */
export interface RequestParts {
  /** System prompt, with the fixed text on the durable context, and system messages. */
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
  /** What was sent, by the same parts. */
  readonly content: SentContent;
  /** The messages in the order in which they are sent; the system prompt and the tools stand beside them. */
  readonly messages: readonly BaseMessage[];
}

/** All that a request holds; in every part in the order of the request. */
export interface SentContent {
  /** The system prompt first, when there is one. */
  readonly system: readonly BaseMessage[];
  /** As the agent has them: LangChain's tools, or a provider's own definitions. */
  readonly tools: readonly unknown[];
  readonly notes: readonly BaseMessage[];
  readonly summary: readonly BaseMessage[];
  readonly messages: readonly BaseMessage[];
}

/**
 * What the thread's next request would hold if it were made now: with the summary where one serves, before any
 * further compaction. Sections of the agent's own state are not counted. Throws as `compactThread` does.
 */
export async function contextUsage(agent: CompactableAgent, target: ThreadTarget): Promise<ContextUsage> {
  const { call } = await viewThread('contextUsage', agent, target);
  const { beside, count, options, thresholds, model } = call;
  const next = nextRequest(call);
  const told = partsOf(byPart(next.messages), count);
  const parts: RequestParts = {
    ...told,
    system: told.system + beside.system,
    tools: beside.tools,
    notes: told.notes + beside.notes,
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
      const sent = byPart(messages);
      const told = partsOf(sent, count);
      const parts: RequestParts = {
        ...told,
        system: told.system + systemTokens(systemMessage, count),
        tools: toolsTokens(tools),
      };
      const prompt = systemMessage.content.length === 0 ? [] : [systemMessage];
      const content: SentContent = { ...sent, system: [...prompt, ...sent.system], tools: [...tools] };
      listener({ ...identify(runtime, options), parts, content, messages: [...messages] });
      return handler(request);
    },
  });
}

/** Tokens of all parts together. */
export function totalOf({ system, tools, notes, summary, messages }: RequestParts): number {
  return system + tools + notes + summary + messages;
}

type MessagePart = Exclude<keyof RequestParts, 'tools'>;

function byPart(messages: readonly BaseMessage[]): Readonly<Record<MessagePart, BaseMessage[]>> {
  const parts: Record<MessagePart, BaseMessage[]> = { system: [], notes: [], summary: [], messages: [] };
  for (const message of messages) parts[partOf(message)].push(message);
  return parts;
}

function partsOf(sent: ReturnType<typeof byPart>, count: CountTokens): RequestParts {
  const of = (part: MessagePart): number => count(sent[part].map(countable));
  return {
    system: of('system'),
    tools: 0,
    notes: of('notes'),
    summary: of('summary'),
    messages: of('messages'),
  };
}

function partOf(message: BaseMessage): MessagePart {
  if (SystemMessage.isInstance(message)) return 'system';
  if (message.additional_kwargs['durable_context_data'] === true) return 'notes';
  const isSummary = message.name === SUMMARY_MESSAGE && message.additional_kwargs['hide_from_ui'] === true;
  return isSummary ? 'summary' : 'messages';
}
