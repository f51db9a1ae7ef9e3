// The model that answers on this page: made from the choice that was kept, and anew when another is chosen.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { OfflineChatModel } from 'threadkeep/offline-model';
import { keepChoice, type ModelChoice, OFFLINE, readChoice } from './choice.js';

export interface CurrentModel {
  /** Why the choice of the last visit could not be had, so that the built-in program answers; null when it could. */
  readonly failure: unknown;
  choice(): ModelChoice;
  model(): BaseChatModel;
  /** Takes another model from the next call on; `keeps` says whether it is still chosen after a reload. */
  choose(choice: ModelChoice, keeps: boolean): Promise<void>;
}

/** Pause before each word of the built-in program, so that a person can follow and stop it. */
const WORD_DELAY_MS = 18;

/** Opens what was chosen on the last visit, or the built-in program where that cannot be had. */
export async function openModel(): Promise<CurrentModel> {
  let choice = OFFLINE;
  let model = offline();
  let failure: unknown = null;
  const take = async (next: ModelChoice) => {
    model = await make(next);
    choice = next;
  };
  try {
    await take(await readChoice());
  } catch (error) {
    failure = error;
  }
  return {
    failure,
    choice: () => choice,
    model: () => model,
    async choose(next, keeps) {
      await take(next);
      await keepChoice(keeps ? next : OFFLINE);
    },
  };
}

function offline(): BaseChatModel {
  return new OfflineChatModel({ delayMs: WORD_DELAY_MS });
}

/** Only what is chosen is loaded. */
async function make(choice: ModelChoice): Promise<BaseChatModel> {
  switch (choice.kind) {
    case 'offline':
      return offline();
    case 'endpoint':
      return (await import('./endpoint.js')).endpointModel(choice);
    case 'browser':
      return new (await import('./browser.js')).BrowserChatModel();
  }
}
