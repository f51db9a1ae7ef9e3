// A chat model without a model: it searches the conversation with the bound tools and quotes what it finds.
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type StandardMessageStructure,
  SystemMessage,
} from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { pause } from './pause.js';
import { nextReply, type Reply } from './reply.js';
import { type SummaryRequest, summarize, summaryRequestOf } from './summary.js';
import { turnOf } from './turn.js';
import { usageOf } from './usage.js';

export interface OfflineChatModelFields extends BaseChatModelParams {
  /** Milliseconds before each word, so that a person can watch the answer come and stop it. Default 0. */
  readonly delayMs?: number;
}

export interface OfflineChatModelCallOptions extends BaseChatModelCallOptions {
  readonly tools?: BindToolsInput[];
}

/**
 * An extractive chat model for demos and tests: no network, no key, the same answer to the same request.
 *
 * It answers a question by calling `history_search`, `history_read` and `task_note` when they are bound, and by
 * quoting; it acknowledges a statement; it summarises a `<conversation>` by picking sentences. It is no language
 * model and does not pass for one: show `OFFLINE_MODEL_NOTICE` beside its answers. Structured output is not
 * supported. An aborted signal rejects at once, between two words too.
 */
export class OfflineChatModel extends BaseChatModel<OfflineChatModelCallOptions> {
  readonly delayMs: number;

  /** Throws when `delayMs` is no time. */
  constructor(fields: OfflineChatModelFields = {}) {
    super(fields);
    const delayMs = fields.delayMs ?? 0;
    if (!Number.isFinite(delayMs) || delayMs < 0) {
      throw new RangeError(`OfflineChatModel: delayMs is ${delayMs}; give milliseconds, 0 or more.`);
    }
    this.delayMs = delayMs;
  }

  static override lc_name(): string {
    return 'OfflineChatModel';
  }

  override _llmType(): string {
    return 'threadkeep-offline';
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs: Partial<OfflineChatModelCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, OfflineChatModelCallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined;
    // Without the run's manager: who asked for a whole answer hears of no words.
    for await (const chunk of this._streamResponseChunks(messages, options)) {
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }
    if (whole === undefined) throw new Error('The offline model made no chunk.');
    const { content, tool_calls, usage_metadata, response_metadata } = asChunk(whole);
    const message = new AIMessage({
      content,
      response_metadata,
      ...(tool_calls === undefined ? {} : { tool_calls }),
      ...(usage_metadata === undefined ? {} : { usage_metadata }),
    });
    return { generations: [{ text: whole.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    options.signal?.throwIfAborted();
    const tools = options.tool_choice === 'none' ? [] : (options.tools ?? []);
    for (const chunk of chunksOf(messages, tools)) {
      await pause(this.delayMs, options.signal);
      const generation = new ChatGenerationChunk({ message: chunk, text: chunk.text });
      yield generation;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, {
        chunk: generation,
      });
    }
  }
}

/** The prompt of a summary call, or null for any other request. */
function summaryPromptOf(messages: readonly BaseMessage[], hasTools: boolean): SummaryRequest | null {
  const [only, ...others] = messages.filter((message) => !SystemMessage.isInstance(message));
  // One prompt without tools; a user who writes the same tags in a chat is answered as a user.
  if (hasTools || only === undefined || others.length > 0) return null;
  return summaryRequestOf(only.text);
}

function* chunksOf(
  messages: readonly BaseMessage[],
  tools: readonly BindToolsInput[],
): Generator<AIMessageChunk> {
  const prompt = summaryPromptOf(messages, tools.length > 0);
  const names = new Set(tools.map(toolName));
  const reply: Reply =
    prompt === null ? nextReply(turnOf(messages), names) : { kind: 'text', text: summarize(prompt) };
  const spoken = reply.kind === 'text' ? reply.text : JSON.stringify(reply.args);
  // Nobody reads a summary as it comes, so it comes line by line.
  const parts = spoken.match(prompt === null ? WORDS : LINES) ?? [];
  if (reply.kind === 'text') {
    for (const content of parts) yield new AIMessageChunk({ content });
  } else {
    yield toolChunk({ id: newCallId(), name: reply.tool, args: '' });
    for (const args of parts) yield toolChunk({ args });
  }
  yield new AIMessageChunk<StandardMessageStructure>({
    content: '',
    usage_metadata: usageOf(messages, tools, spoken),
    response_metadata: { model_name: 'threadkeep-offline', model_provider: 'threadkeep' },
  });
}

/** Words with the space after them, Chinese in twos; lines with their end. Joined they are the text. */
const WORDS = /\p{Script=Han}{1,2}|[^\s\p{Script=Han}]+\s*|\s+/gu;
const LINES = /[^\n]*\n|[^\n]+$/gu;

function toolChunk(part: { id?: string; name?: string; args: string }): AIMessageChunk {
  return new AIMessageChunk({
    content: '',
    tool_call_chunks: [{ ...part, index: 0, type: 'tool_call_chunk' }],
  });
}

function toolName(tool: BindToolsInput): string {
  if ('name' in tool && typeof tool.name === 'string') return tool.name;
  if (!('function' in tool)) return '';
  const { function: described } = tool;
  return typeof described === 'object' && described !== null && 'name' in described
    ? String(described.name)
    : '';
}

function asChunk({ message }: ChatGenerationChunk): AIMessageChunk {
  if (AIMessageChunk.isInstance(message)) return message;
  throw new Error('The offline model made a chunk that is no AI message.');
}

/** `crypto.randomUUID` is missing on insecure origins; `getRandomValues` is not. */
function newCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `call_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
