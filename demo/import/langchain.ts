// Turns an imported conversation into the messages of a LangChain thread.
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { ImportedContent, ImportedConversation, ImportedMessage } from './conversation.js';

export interface LangChainConversation {
  /** The leading system messages: instructions of an agent, not a part of its thread. Null when there are none. */
  readonly systemPrompt: string | null;
  readonly messages: readonly BaseMessage[];
}

/** The same conversation gives the same messages with the same ids: `import-` and their place, from 1. */
export function toLangChain(conversation: ImportedConversation): LangChainConversation {
  const { messages } = conversation;
  const first = messages.findIndex(({ role }) => role !== 'system');
  const prompts = messages.slice(0, first).map(({ content }) => textOf(content));
  return {
    systemPrompt: prompts.length === 0 ? null : prompts.join('\n\n'),
    messages: messages
      .slice(first)
      .map((message, index) => messageOf(message, `import-${first + index + 1}`)),
  };
}

function messageOf(message: ImportedMessage, id: string): BaseMessage {
  const fields = {
    id,
    content: contentOf(message.content),
    ...(message.name === null ? {} : { name: message.name }),
  };
  switch (message.role) {
    case 'user':
      return new HumanMessage(fields);
    case 'system':
      return new SystemMessage(fields);
    case 'tool':
      return new ToolMessage({ ...fields, tool_call_id: message.callId });
    case 'assistant':
      return new AIMessage({
        ...fields,
        tool_calls: message.calls.map((call) => ({ ...call, type: 'tool_call' as const })),
      });
  }
}

function contentOf(content: ImportedContent): string | { type: string }[] {
  return typeof content === 'string' ? content : content.map((block) => ({ ...block }));
}

function textOf(content: ImportedContent): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : ''))
    .filter((text) => text !== '')
    .join('\n');
}
