// The model that answers on this page: made from the choice that was kept, and anew when another is chosen.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { OfflineChatModel } from 'threadkeep/offline-model';
import { keepChoice, type ModelChoice, OFFLINE, readChoice } from './choice.js';

export interface CurrentModel {
  choice(): ModelChoice;
  model(): BaseChatModel;
  /** Takes another model from the next call on; `keeps` says whether it is still chosen after a reload. */
  choose(choice: ModelChoice, keeps: boolean): Promise<void>;
}

/** Pause before each word of the built-in program, so that a person can follow and stop it. */
const WORD_DELAY_MS = 18;

/** Opens what was chosen on the last visit; when that cannot be had, the built-in program, and `failed` says why. */
export async function openModel(failed: (error: unknown) => void): Promise<CurrentModel> {
  let choice = OFFLINE;
  let model: BaseChatModel = new OfflineChatModel({ delayMs: WORD_DELAY_MS });
  const take = async (next: ModelChoice) => {
    model = await make(next);
    choice = next;
  };
  try {
    await take(await readChoice());
  } catch (error) {
    failed(error);
  }
  return {
    choice: () => choice,
    model: () => model,
    async choose(next, keeps) {
      await take(next);
      await keepChoice(keeps ? next : OFFLINE);
    },
  };
}

/** Only what is chosen is loaded. */
async function make(choice: ModelChoice): Promise<BaseChatModel> {
  switch (choice.kind) {
    case 'offline':
      return new OfflineChatModel({ delayMs: WORD_DELAY_MS });
    case 'endpoint':
      return (await import('./endpoint.js')).endpointModel(choice);
    case 'browser':
      return new (await import('./browser.js')).BrowserChatModel();
  }
}
