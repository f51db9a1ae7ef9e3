// A request as the model gets it: composed of a summary and what it does not stand for, repaired, and measured.
import { type BaseMessage, HumanMessage, type SystemMessage, ToolMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import type { Message } from '../core/message.js';
import type { RequestSize } from '../core/partition.js';
import { repairPlan } from '../core/repair.js';
import { type CountTokens, createTokenEstimate, jsonTokens } from '../core/tokens.js';
import { toMessage, toMessages } from './messages.js';

/** The messages of one call in both forms, index by index. */
export interface Conversation {
  readonly messages: readonly BaseMessage[];
  readonly neutral: readonly Message[];
  /** Index of the first message after the leading system messages, which every request keeps. */
  readonly start: number;
}

const originals = new WeakMap<Message, BaseMessage>();

export function conversationOf(messages: readonly BaseMessage[]): Conversation {
  const neutral = toMessages(messages);
  for (const [index, message] of messages.entries()) {
    const form = neutral[index];
    if (form !== undefined) originals.set(form, message);
  }
  const first = neutral.findIndex(({ type }) => type !== 'system');
  return { messages, neutral, start: first < 0 ? messages.length : first };
}

/** The user's own counter, or the estimate. */
export function counterOf(
  tokenCounter: ((messages: readonly BaseMessage[]) => number) | undefined,
): CountTokens {
  if (tokenCounter === undefined) return createTokenEstimate();
  return (messages) =>
    tokenCounter(messages.map((one) => originals.get(one)).filter((one) => one !== undefined));
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

/**
 * System messages, the summary, what was lifted out of the covered part (the latest user message last), and all
 * messages from `end` on.
 */
export function composed(
  conversation: Conversation,
  summary: string,
  part: { readonly end: number; readonly lifted: readonly number[] },
): BaseMessage[] {
  const { messages, start } = conversation;
  const lifted = part.lifted.map((index) => messages[index]).filter((message) => message !== undefined);
  return [...messages.slice(0, start), summaryMessage(summary), ...lifted, ...messages.slice(part.end)];
}

/** The same list when strict providers take it as it is; otherwise one that they take. The state never sees it. */
export function repaired(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const plan = repairPlan(toMessages(messages));
  if (plan === null) return messages;
  return plan
    .map((step) => (step.kind === 'keep' ? messages[step.index] : noResult(step.callId, step.name)))
    .filter((message) => message !== undefined);
}

function noResult(callId: string, name: string): ToolMessage {
  return new ToolMessage({
    content: 'No result: this call was not completed.',
    tool_call_id: callId,
    name,
    status: 'error',
  });
}

/** Tokens of what every request carries beside its messages: the system prompt and the tools' schemas. */
export function overheadTokens(
  system: SystemMessage | undefined,
  tools: readonly unknown[],
  count: CountTokens,
): number {
  const prompt = system === undefined || system.content === '' ? 0 : count([remembered(system)]);
  return prompt + tools.reduce<number>((sum, tool) => sum + toolTokens(tool), 0);
}

function remembered(message: BaseMessage): Message {
  const form = toMessage(message);
  originals.set(form, message);
  return form;
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
export function sizeOf(messages: readonly BaseMessage[], overhead: number, count: CountTokens): RequestSize {
  return { tokens: overhead + count(conversationOf(messages).neutral), messages: messages.length };
}
