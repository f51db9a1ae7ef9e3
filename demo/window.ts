// What the model is sent, measured by part.
import type { BaseMessage } from '@langchain/core/messages';
import { visibleText } from './shown.js';
import type { WindowPart } from './store.js';

/** Characters of one token, as a rule of thumb for Latin text. */
const CHARS_PER_TOKEN = 4;

/** Estimates the parts of a request; the threadkeep messages in it are known by their marks. */
export function windowOf(
  system: BaseMessage,
  tools: readonly unknown[],
  messages: readonly BaseMessage[],
): readonly WindowPart[] {
  const tokens = { system: tokensOf(system), tools: 0, context: 0, summary: 0, messages: 0 };
  for (const tool of tools) tokens.tools += estimate(declarationOf(tool));
  for (const message of messages) {
    if (message.name === 'summary') tokens.summary += tokensOf(message);
    else if (message.type === 'system') tokens.system += tokensOf(message);
    else if (message.additional_kwargs['durable_context_data'] === true) tokens.context += tokensOf(message);
    else tokens.messages += tokensOf(message);
  }
  return [
    { name: 'system', tokens: tokens.system },
    { name: 'tools', tokens: tokens.tools },
    { name: 'context', tokens: tokens.context },
    { name: 'summary', tokens: tokens.summary },
    { name: 'messages', tokens: tokens.messages },
  ];
}

function tokensOf(message: BaseMessage): number {
  const calls = 'tool_calls' in message ? JSON.stringify(message.tool_calls) : '';
  return estimate(visibleText(message.content) + calls) + 3;
}

function estimate(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

function declarationOf(tool: unknown): string {
  return typeof tool === 'object' && tool !== null && 'name' in tool && 'description' in tool
    ? `${String(tool.name)} ${String(tool.description)}`
    : '';
}
