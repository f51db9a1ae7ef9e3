// The one model call that a compaction makes: unseen by the agent's streams, bounded in time, never thrown out of.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage } from '@langchain/core/messages';
import type { ResolvedSummarization } from './options.js';

export type SummaryAnswer =
  | { readonly kind: 'summary'; readonly summary: string }
  | {
      readonly kind: 'failed';
      readonly reason: 'aborted' | 'timeout' | 'error' | 'blank' | 'not-shorter';
      readonly message: string;
    };

/**
 * Asks for a summary. A model that throws, is blank, takes too long or does not listen to its signal is a `failed`,
 * and so is a call that `signal` aborts.
 */
export async function askForSummary(
  options: ResolvedSummarization,
  runModel: BaseChatModel,
  prompt: string,
  signal: AbortSignal | undefined,
): Promise<SummaryAnswer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.summaryTimeoutMs);
  const stop = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  try {
    const summary = await raced(stop, async () => {
      const model = await summaryModel(options, runModel);
      const answer = await model.invoke([new HumanMessage(prompt)], {
        // Without both, the summary's tokens would show in the agent's own streams.
        tags: ['nostream', 'threadkeep:summary'],
        callbacks: [],
        metadata: { threadkeep: 'summary' },
        signal: stop,
      });
      return answer.text.trim();
    });
    if (summary !== '') return { kind: 'summary', summary };
    return { kind: 'failed', reason: 'blank', message: 'The model answered with a blank summary.' };
  } catch (error) {
    if (signal?.aborted === true) {
      return {
        kind: 'failed',
        reason: 'aborted',
        message: 'The run was stopped while the summary was made.',
      };
    }
    if (deadline.signal.aborted) {
      const message = `There was no summary within ${options.summaryTimeoutMs} ms.`;
      return { kind: 'failed', reason: 'timeout', message };
    }
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', reason: 'error', message };
  } finally {
    clearTimeout(timer);
  }
}

/** The work's result, or a rejection as soon as the signal aborts, whether the work listens to it or not. */
async function raced<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function summaryModel(
  { model, resolveModel }: ResolvedSummarization,
  runModel: BaseChatModel,
): Promise<BaseChatModel> {
  if (model === null) return runModel;
  if (typeof model === 'function') return model();
  if (typeof model !== 'string') return model;
  if (resolveModel === undefined) throw new TypeError(`There is no resolveModel for the model ${model}.`);
  return resolveModel(model);
}
