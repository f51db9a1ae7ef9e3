// The browser's built-in model as a LangChain chat model. It knows no tools of its own: it is asked for JSON instead.
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { parsePartialJson } from '@langchain/core/output_parsers';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { type BrowserPrompt, type BrowserSession, browserLanguageModel } from './browser-api.js';

interface CallOptions extends BaseChatModelCallOptions {
  readonly tools?: BindToolsInput[];
}

/**
 * Asks the browser's own model. Each call makes a session and ends it: what the model sees is the request, no more.
 * Throws the browser's own errors, among them a `QuotaExceededError` when the request is longer than its window.
 */
export class BrowserChatModel extends BaseChatModel<CallOptions> {
  constructor() {
    super({});
  }

  override _llmType(): string {
    return 'browser-built-in';
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs: Partial<CallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, CallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    let whole = new AIMessageChunk({ content: '' });
    for await (const chunk of answers(messages, options)) whole = whole.concat(chunk);
    const message = new AIMessage({ content: whole.text, tool_calls: whole.tool_calls ?? [] });
    return { generations: [{ text: whole.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for await (const message of answers(messages, options)) {
      const chunk = new ChatGenerationChunk({ message, text: message.text });
      yield chunk;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

async function* answers(
  messages: readonly BaseMessage[],
  { signal, tools = [] }: { readonly signal?: AbortSignal | undefined; readonly tools?: BindToolsInput[] },
): AsyncGenerator<AIMessageChunk> {
  signal?.throwIfAborted();
  const prompts = promptsOf(messages, tools);
  const session = await browserLanguageModel().create({
    initialPrompts: prompts.slice(0, -1),
    ...(signal === undefined ? {} : { signal }),
  });
  try {
    const words = wordsOf(session, prompts.slice(-1), tools, signal);
    yield* tools.length === 0 ? asText(words) : asTextOrCall(words);
  } finally {
    session.destroy();
  }
}

async function* wordsOf(
  session: BrowserSession,
  last: readonly BrowserPrompt[],
  tools: readonly BindToolsInput[],
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const reader = session
    .promptStreaming(last, {
      ...(signal === undefined ? {} : { signal }),
      ...(tools.length === 0 ? {} : { responseConstraint: constraintOf(tools) }),
    })
    .getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
}

async function* asText(words: AsyncIterable<string>): AsyncGenerator<AIMessageChunk> {
  for await (const content of words) yield new AIMessageChunk({ content });
}

/** The answer's text as it comes, or the call once its JSON is whole. JSON that is neither is told as text. */
async function* asTextOrCall(words: AsyncIterable<string>): AsyncGenerator<AIMessageChunk> {
  let json = '';
  let said = '';
  for await (const word of words) {
    json += word;
    const { answer } = replyOf(json);
    if (answer === null || answer.length <= said.length) continue;
    yield new AIMessageChunk({ content: answer.slice(said.length) });
    said = answer;
  }
  const { tool, args } = replyOf(json);
  if (tool === null) {
    if (said === '') yield new AIMessageChunk({ content: json });
    return;
  }
  const call = {
    index: 0,
    id: newCallId(),
    name: tool,
    args: JSON.stringify(args),
    type: 'tool_call_chunk',
  } as const;
  yield new AIMessageChunk({ content: '', tool_call_chunks: [call] });
}

interface Reply {
  readonly answer: string | null;
  readonly tool: string | null;
  readonly args: unknown;
}

/** What stands in JSON that may not be whole yet. */
function replyOf(json: string): Reply {
  const value: unknown = parsePartialJson(json);
  const { answer, tool, arguments: args }: Readonly<Record<string, unknown>> = { ...Object(value) };
  return {
    answer: typeof answer === 'string' ? answer : null,
    tool: typeof tool === 'string' ? tool : null,
    args: args ?? {},
  };
}

function constraintOf(tools: readonly BindToolsInput[]): object {
  const calls = tools.map((tool) => {
    const { name, parameters = { type: 'object' } } = convertToOpenAITool(tool).function;
    return {
      type: 'object',
      properties: { tool: { const: name }, arguments: parameters },
      required: ['tool', 'arguments'],
      additionalProperties: false,
    };
  });
  const answer = {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
    additionalProperties: false,
  };
  return { anyOf: [answer, ...calls] };
}

/** The request in the roles that the browser knows; a tool's answer comes from the user's side. */
function promptsOf(messages: readonly BaseMessage[], tools: readonly BindToolsInput[]): BrowserPrompt[] {
  const system = messages.filter(({ type }) => type === 'system').map(({ text }) => text);
  if (tools.length > 0) system.push(toolsPrompt(tools));
  const said = messages.flatMap((message): BrowserPrompt[] => {
    if (message.type === 'system') return [];
    if (ToolMessage.isInstance(message)) {
      return [{ role: 'user', content: `Result of ${message.name ?? 'the tool'}:\n${message.text}` }];
    }
    if (!AIMessage.isInstance(message)) return [{ role: 'user', content: message.text }];
    const calls = (message.tool_calls ?? []).map(({ name, args }) => ({ tool: name, arguments: args }));
    const replies = [...(message.text === '' ? [] : [{ answer: message.text }]), ...calls];
    if (tools.length === 0) return [{ role: 'assistant', content: message.text }];
    return replies.map((reply) => ({ role: 'assistant', content: JSON.stringify(reply) }));
  });
  return system.length === 0 ? said : [{ role: 'system', content: system.join('\n\n') }, ...said];
}

function toolsPrompt(tools: readonly BindToolsInput[]): string {
  const described = tools.map((tool) => JSON.stringify(convertToOpenAITool(tool).function));
  return [
    'Reply with JSON alone: {"answer": "…"} to answer the user, or {"tool": "…", "arguments": {…}} to call a tool',
    'and see its result first. Tools:',
    ...described,
  ].join('\n');
}

/** `crypto.randomUUID` is missing on insecure origins; `getRandomValues` is not. */
function newCallId(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `call_${random.toString(36)}`;
}
