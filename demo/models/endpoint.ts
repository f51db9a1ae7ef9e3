// A model behind an OpenAI-compatible address, asked from this page without a server between.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import type { EndpointChoice } from './choice.js';

/** How long an address may be silent before its first word, in milliseconds: local models load for minutes. */
const SILENCE_MS = 180_000;

/** The chat model of an address. One retry: a person waits, and can ask again. */
export function endpointModel(choice: EndpointChoice, silenceMs = SILENCE_MS): BaseChatModel {
  return new ChatOpenAI({
    model: choice.model,
    // The library insists on a key; servers that ask for none ignore it.
    apiKey: choice.apiKey === '' ? 'none' : choice.apiKey,
    useResponsesApi: false,
    maxRetries: 1,
    timeout: silenceMs,
    configuration: { baseURL: choice.baseUrl, dangerouslyAllowBrowser: true },
  });
}
