// A language model whose answers are written down: it streams them, calls tools, throws, and hangs until aborted.

import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';

/** One answer: a text, tool calls with or without a text, an error to throw, or silence until the call is aborted. */
export type Scripted =
  | string
  | {
      /** What is said before the calls; nothing by default. */
      readonly text?: string;
      readonly calls: readonly {
        readonly name: string;
        readonly args: Record<string, unknown>;
        readonly id: string;
      }[];
    }
  | Error
  | 'hang';

/** Answers in order; a function sees the request. When the answers have run out, the model says `done`. */
export type Script = readonly (Scripted | ((messages: readonly BaseMessage[]) => Scripted))[];

export class ScriptedModel extends BaseChatModel {
  /** Every request that the model was sent, in order. */
  readonly requests: (readonly BaseMessage[])[] = [];
  readonly #script: Script;

  readonly #label: string;

  /** The label begins the ids of its answers; two models on one thread need two. */
  constructor(script: Script = [], label = 'answer') {
    super({ maxRetries: 0 });
    this.#script = script;
    this.#label = label;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(
    tools: BindToolsInput[],
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, BaseChatModelCallOptions> {
    return this.withConfig({ tools } as Partial<BaseChatModelCallOptions>);
  }

  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined;
    for await (const chunk of this._streamResponseChunks(messages, options, runManager)) {
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }
    return { generations: whole === undefined ? [] : [whole] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const next = this.#script[this.requests.length] ?? 'done';
    this.requests.push(messages);
    const answer = typeof next === 'function' ? next(messages) : next;
    options.signal?.throwIfAborted();
    if (answer instanceof Error) throw answer;
    if (answer === 'hang') {
      await new Promise((_, reject) => {
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason), { once: true });
      });
    }
    const id = `${this.#label}-${this.requests.length}`;
    if (typeof answer !== 'string') {
      const tool_call_chunks = answer.calls.map(({ name, args, id: call }, index) => ({
        type: 'tool_call_chunk' as const,
        name,
        args: JSON.stringify(args),
        id: call,
        index,
      }));
      yield chunkOf(new AIMessageChunk({ id, content: answer.text ?? '', tool_call_chunks }), '');
      return;
    }
    for (const text of answer.split(/(?<= )/u)) {
      yield chunkOf(new AIMessageChunk({ id, content: text }), text);
      await runManager?.handleLLMNewToken(text);
    }
  }
}

function chunkOf(message: AIMessageChunk, text: string): ChatGenerationChunk {
  return new ChatGenerationChunk({ message, text });
}
