// The browser's Prompt API as far as it is used here; the platform's type declarations do not have it yet.
import { words } from '../words/index.js';

export interface BrowserPrompt {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface BrowserSession {
  promptStreaming(
    prompts: readonly BrowserPrompt[],
    options: { readonly signal?: AbortSignal; readonly responseConstraint?: object },
  ): ReadableStream<string>;
  destroy(): void;
}

export interface BrowserLanguageModel {
  availability(): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>;
  create(options: {
    readonly initialPrompts: readonly BrowserPrompt[];
    readonly signal?: AbortSignal;
  }): Promise<BrowserSession>;
}

/** True when the browser has a model of its own, at hand or to be downloaded with the first call. */
export async function hasBrowserModel(): Promise<boolean> {
  const model = languageModel();
  return model !== null && (await model.availability()) !== 'unavailable';
}

/** Throws when the browser has none. */
export function browserLanguageModel(): BrowserLanguageModel {
  const model = languageModel();
  if (model === null) throw new Error(words.modelBrowserMissing);
  return model;
}

function languageModel(): BrowserLanguageModel | null {
  const { LanguageModel } = globalThis as { LanguageModel?: BrowserLanguageModel };
  return LanguageModel ?? null;
}
