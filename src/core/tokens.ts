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
    // The first half of a character beyond the basic plane; Han extensions begin with D840. The second is no more.
    else if (unit >= 0xd840 && unit <= 0xd888) {
      dense += 1;
      at += 1;
    } else units += 1;
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
  let tokens = MESSAGE_TOKENS;
  // Some providers repeat a call among the content's blocks; it is sent once.
  const skipped = message.tool_calls.length > 0 ? CALL_BLOCKS : NO_BLOCKS;
  tokens += contentTokens(message.content, charsPerToken, skipped);
  if (message.name !== null) tokens += textTokens(message.name, charsPerToken);
  if (message.tool_call_id !== null) tokens += textTokens(message.tool_call_id, charsPerToken);
  if (message.tool_calls.length > 0) tokens += jsonTokens(message.tool_calls, charsPerToken);
  return tokens;
}

const CALL_BLOCKS: ReadonlySet<string> = new Set([
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'input_json_delta',
]);
const NO_BLOCKS: ReadonlySet<string> = new Set();

function contentTokens(content: unknown, charsPerToken: number, skipped: ReadonlySet<string>): number {
  if (typeof content === 'string') return textTokens(content, charsPerToken);
  if (!Array.isArray(content)) return valueTokens(content, charsPerToken, 0);
  let tokens = 0;
  for (const block of content) {
    const type = typeOf(block);
    if (type === null || !skipped.has(type)) tokens += valueTokens(block, charsPerToken, 0);
  }
  return tokens;
}

/** Block types that are pictures or sound whatever else stands in them. */
const MEDIA_TYPE = /image|audio|video|media/u;
/** A string this long that is nothing but base64, in one line or in lines of a usual length, is a file, not words. */
const ENCODED_CHARS = 512;
const ENCODED = /^(?:data:[^,]*,)?[A-Za-z0-9+/=_-]{60,}(?:\r?\n[A-Za-z0-9+/=_-]+)*\s*$/u;
/** Deeper values are not looked at: no provider's blocks are. */
const MAX_DEPTH = 16;

/** Tokens of a block or a part of one: words as words, a picture or a file as a flat sum. */
function valueTokens(value: unknown, charsPerToken: number, depth: number): number {
  if (typeof value === 'string') {
    const isFile = value.length >= ENCODED_CHARS && ENCODED.test(value);
    return isFile ? IMAGE_TOKENS : textTokens(value, charsPerToken);
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return 0;
  if (ArrayBuffer.isView(value)) return IMAGE_TOKENS;
  const type = typeOf(value);
  if (type !== null && MEDIA_TYPE.test(type)) return IMAGE_TOKENS;
  let tokens = 0;
  for (const [key, part] of Object.entries(value)) {
    // What a block is called is no part of what it says.
    if (key !== 'type') tokens += valueTokens(part, charsPerToken, depth + 1);
  }
  return tokens;
}

function typeOf(block: unknown): string | null {
  if (typeof block !== 'object' || block === null || !('type' in block)) return null;
  return typeof block.type === 'string' ? block.type : null;
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
