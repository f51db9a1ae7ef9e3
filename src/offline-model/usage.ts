// An estimate of tokens, reported with every answer as a provider would report its count.
import type { UsageMetadata } from '@langchain/core/messages';

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** UTF-16 units per token of Latin-like text. */
const UNITS_PER_TOKEN = 4;
/** What a message costs beyond its text. */
const MESSAGE_TOKENS = 4;

/** Tokens of one text: about one for a Han, Kana or Hangul character, a quarter for any other. */
export function tokensOf(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0;
  return dense + Math.ceil((text.length - dense) / UNITS_PER_TOKEN);
}

/** Usage of one call whose request and answer were these texts. */
export function usageOf(request: readonly string[], answer: string): UsageMetadata {
  const input_tokens = request.reduce((sum, text) => sum + tokensOf(text) + MESSAGE_TOKENS, 0);
  const output_tokens = tokensOf(answer);
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
}
