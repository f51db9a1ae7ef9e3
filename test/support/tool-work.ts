// Calls of a tool named `look`, their results, and words to fill them.
import { AIMessage, ToolMessage } from '@langchain/core/messages';

export const called = (id: string, ...ids: readonly string[]): AIMessage =>
  new AIMessage({
    id,
    content: '',
    tool_calls: ids.map((call) => ({ name: 'look', args: {}, id: call, type: 'tool_call' as const })),
  });

export const resultOf = (call: string, content = `Result of ${call}.`): ToolMessage =>
  new ToolMessage({ id: `result-${call}`, content, tool_call_id: call, name: 'look' });

/** So many times about four tokens. */
export const long = (count: number): string => 'some words of it '.repeat(count);
