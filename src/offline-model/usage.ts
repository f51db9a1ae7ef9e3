// An estimate of tokens, reported with every answer as a provider would report its count.
import {
  AIMessage,
  type BaseMessage,
  type ToolCall,
  ToolMessage,
  type UsageMetadata,
} from '@langchain/core/messages';
import { convertToOpenAITool, isLangChainTool } from '@langchain/core/utils/function_calling';
import { createTokenEstimate, jsonTokens, MESSAGE_TOKENS, textTokens } from '../core/tokens.js';

const tokensOf = createTokenEstimate();

/** Usage of one call: the request's messages and tools, and what was said or called in answer. */
export function usageOf(
  messages: readonly BaseMessage[],
  tools: readonly object[],
  answer: string,
): UsageMetadata {
  const described = tools.map((tool) => (isLangChainTool(tool) ? convertToOpenAITool(tool) : tool));
  const forTools = described.length === 0 ? 0 : jsonTokens(described);
  const input_tokens = Math.ceil(tokensOf(messages.map(neutral)) + forTools);
  const output_tokens = MESSAGE_TOKENS + Math.ceil(textTokens(answer));
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
}

function neutral(message: BaseMessage) {
  const calls: readonly ToolCall[] = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return {
    type: message.type,
    content: message.content,
    id: message.id ?? null,
    name: message.name ?? null,
    additional_kwargs: message.additional_kwargs,
    tool_calls: calls.map(({ name, args, id }) => ({ name, args, id: id ?? null })),
    tool_call_id: ToolMessage.isInstance(message) ? message.tool_call_id : null,
  };
}
