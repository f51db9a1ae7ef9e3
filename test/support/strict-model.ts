// A scripted model behind a strict provider: a request that one would refuse fails the call.
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import { SUMMARY_MESSAGE } from '../../src/langchain/request.js';
import { faultsOf } from '../replay/strict.js';
import { ScriptedModel } from './scripted-model.js';

export class StrictModel extends ScriptedModel {
  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    // A conversation that somebody let an assistant begin is sent as it is; only what we put together is ours.
    const isOurs = messages.some(({ name }) => name === SUMMARY_MESSAGE);
    const faults = faultsOf(messages).filter((fault) => isOurs || !fault.startsWith('the first message'));
    if (faults.length > 0) throw new Error(`400: ${faults.join('; ')}`);
    yield* super._streamResponseChunks(messages, options, runManager);
  }
}
