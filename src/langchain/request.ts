// A request as the model gets it: composed of a summary and what it does not stand for, repaired, and measured.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type BaseMessage, HumanMessage, type SystemMessage, ToolMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import type { Message } from '../core/message.js';
import type { RequestSize } from '../core/partition.js';
import { repairPlan } from '../core/repair.js';
import {
  ANTHROPIC_CHARS_PER_TOKEN,
  type CountTokens,
  createTokenEstimate,
  jsonTokens,
} from '../core/tokens.js';
import { toMessage } from './messages.js';

/** The messages of one call in both forms, index by index. */
export interface Conversation {
  readonly messages: readonly BaseMessage[];
  readonly neutral: readonly Message[];
  /** Index of the first message after the leading system messages, which every request keeps. */
  readonly start: number;
}

const originals = new WeakMap<Message, BaseMessage>();

export function conversationOf(messages: readonly BaseMessage[]): Conversation {
  const neutral = formsOf(messages);
  const first = neutral.findIndex(({ type }) => type !== 'system');
  return { messages, neutral, start: first < 0 ? messages.length : first };
}

interface Seen {
  readonly messages: readonly BaseMessage[];
  readonly contents: readonly unknown[];
  readonly forms: readonly Message[];
}

/** Conversations by their first message: the next call of a run finds all but its last messages here again. */
const seenByFirst = new WeakMap<BaseMessage, Seen>();

/** The neutral forms; for messages that stood there in the last call as well, by comparing objects alone. */
function formsOf(messages: readonly BaseMessage[]): readonly Message[] {
  const [first] = messages;
  if (first === undefined) return [];
  const seen = seenByFirst.get(first);
  const forms: Message[] = [];
  for (const [at, message] of messages.entries()) {
    const known = seen?.forms[at];
    const isSeen =
      known !== undefined && seen?.messages[at] === message && seen.contents[at] === message.content;
    forms.push(isSeen && known.id === (message.id ?? null) ? known : toMessage(message));
  }
  seenByFirst.set(first, { messages, contents: messages.map(({ content }) => content), forms });
  return forms;
}

// Kept for the process, not for an agent: what was counted once stays counted when an agent is built again.
const plainEstimate = createTokenEstimate();
const anthropicEstimate = createTokenEstimate(ANTHROPIC_CHARS_PER_TOKEN);

/** The user's own counter, or the estimate for this model. */
export function counterOf(
  tokenCounter: ((messages: readonly BaseMessage[]) => number) | undefined,
  model: BaseChatModel,
): CountTokens {
  if (tokenCounter === undefined) return isAnthropic(model) ? anthropicEstimate : plainEstimate;
  return (messages) =>
    tokenCounter(messages.map((one) => originals.get(one)).filter((one) => one !== undefined));
}

/** Lets a counter of the user's see the messages as LangChain's. */
export function rememberOriginals({ messages, neutral }: Conversation): void {
  for (const [index, form] of neutral.entries()) {
    const message = messages[index];
    if (message !== undefined) originals.set(form, message);
  }
}

/** The neutral form of a message of our own making, countable by any counter. */
export function countable(message: BaseMessage): Message {
  const form = toMessage(message);
  originals.set(form, message);
  return form;
}

/** Claude, by whatever way it is reached. */
function isAnthropic(model: BaseChatModel): boolean {
  const names = [model._llmType(), Reflect.get(model, 'model'), Reflect.get(model, 'modelName')];
  return names.some((name) => typeof name === 'string' && /anthropic|claude/iu.test(name));
}

/** Name of the message that holds the summary; with `hide_from_ui` it tells a page not to show it. */
export const SUMMARY_MESSAGE = 'summary';

export function summaryMessage(summary: string): HumanMessage {
  return new HumanMessage({
    content: `Here is a summary of the conversation to date:\n\n${summary}`,
    name: SUMMARY_MESSAGE,
    additional_kwargs: { hide_from_ui: true },
  });
}

/** Messages to be sent, in both forms, index by index. */
export type Listing = Pick<Conversation, 'messages' | 'neutral'>;

/**
 * System messages, the summary, skill reads that were lifted out of the covered part, the user message that was, and
 * all messages from `end` on.
 */
export function composed(
  { messages, neutral, start }: Conversation,
  summary: string,
  part: { readonly end: number; readonly lifted: readonly number[] },
): Listing {
  const lifted = (isWanted: (type: string | undefined) => boolean): number[] =>
    part.lifted.filter((index) => isWanted(neutral[index]?.type));
  const told = summaryMessage(summary);
  const before = lifted((type) => type === 'system');
  const after = [
    ...lifted((type) => type !== 'system' && type !== 'human'),
    ...lifted((type) => type === 'human'),
  ];
  const list = <T>(all: readonly T[], own: T): T[] => {
    const at = (indexes: readonly number[]) =>
      indexes.map((index) => all[index]).filter((one) => one !== undefined);
    return [...all.slice(0, start), ...at(before), own, ...at(after), ...all.slice(part.end)];
  };
  return { messages: list(messages, told), neutral: list(neutral, countable(told)) };
}

/** The same list when strict providers take it as it is; otherwise one that they take. The state never sees it. */
export function repaired(listing: Listing): Listing {
  const plan = repairPlan(listing.neutral);
  if (plan === null) return listing;
  const messages = plan
    .map((step) => (step.kind === 'keep' ? listing.messages[step.index] : noResult(step.callId, step.name)))
    .filter((message) => message !== undefined);
  return { messages, neutral: messages.map(countable) };
}

function noResult(callId: string, name: string): ToolMessage {
  return new ToolMessage({
    content: 'No result: this call was not completed.',
    tool_call_id: callId,
    name,
    status: 'error',
  });
}

/** Tokens of the system prompt; 0 for an empty one, which is not sent. */
export function systemTokens(system: SystemMessage | undefined, count: CountTokens): number {
  return system === undefined || system.content.length === 0 ? 0 : count([countable(system)]);
}

/** Tokens of the tools' schemas, by the estimate. */
export function toolsTokens(tools: readonly unknown[]): number {
  return tools.reduce<number>((sum, tool) => sum + toolTokens(tool), 0);
}

const tokensByTool = new WeakMap<object, number>();

function toolTokens(tool: unknown): number {
  if (typeof tool !== 'object' || tool === null) return 0;
  const known = tokensByTool.get(tool);
  if (known !== undefined) return known;
  const tokens = Math.ceil(jsonTokens(schemaOf(tool)));
  tokensByTool.set(tool, tokens);
  return tokens;
}

function schemaOf(tool: object): unknown {
  try {
    return 'invoke' in tool ? convertToOpenAITool(tool as Parameters<typeof convertToOpenAITool>[0]) : tool;
  } catch {
    // A tool whose schema has no JSON form is refused by the model's own adapter, with a better word than ours.
    return { ...('name' in tool ? { name: tool.name } : {}) };
  }
}

/** The size of a list of messages sent with that overhead. */
export function sizeOf({ neutral }: Listing, overhead: number, count: CountTokens): RequestSize {
  return { tokens: overhead + count(neutral), messages: neutral.length };
}
