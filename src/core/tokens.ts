// How many tokens a request costs, estimated from its text: no tokenizer, no model, the same everywhere.
import type { Message } from './message.js';

/** Characters of Latin-like text that make one token; Anthropic's models cut finer. */
export const CHARS_PER_TOKEN = 4;
export const ANTHROPIC_CHARS_PER_TOKEN = 3.3;
/** What one image costs, whatever its encoding: near what the large models bill for a picture of ordinary size. */
export const IMAGE_TOKENS = 800;
/** What stands around each message: role, separators. */
export const MESSAGE_TOKENS = 4;

/** Tokens of messages, as a whole number or not. */
export type CountTokens = (messages: readonly Message[]) => number;

/**
 * Tokens of a text: `charsPerToken` UTF-16 units make one, and every Han, Kana or Hangul character is one of its own.
 */
export function textTokens(text: string, charsPerToken: number = CHARS_PER_TOKEN): number {
  let dense = 0;
  let units = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x1100) units += 1;
    else if (isDense(unit)) dense += 1;
    // The first half of a character beyond the basic plane; Han extensions begin with D840.
    else if (unit >= 0xd840 && unit <= 0xd888) dense += 1;
    else units += 1;
  }
  return units / charsPerToken + dense;
}

/**
 * A counter that estimates each message once and keeps the figure for as long as the message object lives.
 *
 * Images cost a flat sum in every block shape; tool calls are counted as the JSON they are sent as.
 */
export function createTokenEstimate(charsPerToken: number = CHARS_PER_TOKEN): CountTokens {
  const known = new WeakMap<Message, number>();
  const ofMessage = (message: Message): number => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const tokens = Math.ceil(messageTokens(message, charsPerToken));
    known.set(message, tokens);
    return tokens;
  };
  return (messages) => {
    let total = 0;
    for (const message of messages) total += ofMessage(message);
    return total;
  };
}

function messageTokens(message: Message, charsPerToken: number): number {
  let tokens = MESSAGE_TOKENS + contentTokens(message.content, charsPerToken);
  if (message.name !== null) tokens += textTokens(message.name, charsPerToken);
  if (message.tool_call_id !== null) tokens += textTokens(message.tool_call_id, charsPerToken);
  if (message.tool_calls.length > 0) tokens += jsonTokens(message.tool_calls, charsPerToken);
  return tokens;
}

function contentTokens(content: unknown, charsPerToken: number): number {
  if (typeof content === 'string') return textTokens(content, charsPerToken);
  if (!Array.isArray(content))
    return content === null || content === undefined ? 0 : jsonTokens(content, charsPerToken);
  let tokens = 0;
  for (const block of content) tokens += blockTokens(block, charsPerToken);
  return tokens;
}

function blockTokens(block: unknown, charsPerToken: number): number {
  if (typeof block === 'string') return textTokens(block, charsPerToken);
  if (typeof block !== 'object' || block === null) return 0;
  const { type, text } = block as { readonly type?: unknown; readonly text?: unknown };
  if (typeof type === 'string' && /image|audio|video|file|document|media/u.test(type)) return IMAGE_TOKENS;
  if (typeof text === 'string') return textTokens(text, charsPerToken);
  return jsonTokens(block, charsPerToken);
}

/** Tokens of a value as JSON; one that has none counts as a short note. */
export function jsonTokens(value: unknown, charsPerToken: number = CHARS_PER_TOKEN): number {
  try {
    return textTokens(JSON.stringify(value) ?? '', charsPerToken);
  } catch {
    // A value that contains itself cannot be sent either; whatever stands for it is short.
    return MESSAGE_TOKENS;
  }
}

function isDense(unit: number): boolean {
  return (
    unit <= 0x11ff ||
    (unit >= 0x2e80 && unit <= 0x9fff) ||
    (unit >= 0xa960 && unit <= 0xa97f) ||
    (unit >= 0xac00 && unit <= 0xd7ff) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xff00 && unit <= 0xffef)
  );
}
