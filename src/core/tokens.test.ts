import { describe, expect, test } from 'vitest';
import type { Message } from './message.js';
import { createTokenEstimate, IMAGE_TOKENS, MESSAGE_TOKENS, textTokens } from './tokens.js';

function said(content: unknown, more: Partial<Message> = {}): Message {
  return {
    type: 'human',
    content,
    id: null,
    name: null,
    additional_kwargs: {},
    tool_calls: [],
    tool_call_id: null,
    ...more,
  };
}

const count = createTokenEstimate();
const PNG = 'iVBORw0KGgo'.repeat(36_000);

describe('the token estimate', () => {
  test('takes four characters of Latin text for a token, and what a caller says for other models', () => {
    expect(textTokens('abcdefgh')).toBe(2);
    expect(textTokens('abcdefghijk'.repeat(3), 3.3)).toBeCloseTo(10);
  });

  test.each([
    ['Han', '漢'],
    ['Kana', 'カ'],
    ['Hangul', '한'],
    ['Han beyond the basic plane', '𠮷'],
  ])('takes every %s character for a token', (_, character) => {
    expect(textTokens(character.repeat(60))).toBeCloseTo(60, -1);
  });

  test('counts 60,000 characters of Chinese as about as many tokens', () => {
    const tokens = count([said('请把备份保留到季度末'.repeat(6_000))]);
    expect(tokens).toBeGreaterThan(57_000);
    expect(tokens).toBeLessThan(63_000);
  });

  test.each([
    ['OpenAI', { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
    ['OpenAI as a bare address', { type: 'image_url', image_url: `data:image/png;base64,${PNG}` }],
    ['OpenAI responses', { type: 'input_image', image_url: `data:image/png;base64,${PNG}` }],
    ['Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
    ['LangChain', { type: 'image', source_type: 'base64', mime_type: 'image/png', data: PNG }],
    ['LangChain as bytes', { type: 'image', mimeType: 'image/png', data: new Uint8Array(400_000) }],
    ['Google', { type: 'media', mimeType: 'image/png', data: PNG }],
  ])('counts a 400 kB image in the block shape of %s as one flat sum', (_, block) => {
    const words = { type: 'text', text: 'What is this?' };
    expect(count([said([words, block])])).toBe(Math.ceil(MESSAGE_TOKENS + 13 / 4 + IMAGE_TOKENS));
  });

  test.each([
    ['inlineData without a type', { inlineData: { mimeType: 'image/png', data: PNG } }],
    [
      'a file',
      { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PNG}` } },
    ],
    [
      'a document',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PNG } },
    ],
    ['Bedrock’s bytes', { image: { format: 'png', source: { bytes: new Uint8Array(300_000) } } }],
    ['lines of base64', { inlineData: { mimeType: 'image/png', data: PNG.replace(/.{76}/gu, '$&\r\n') } }],
    ['a result that holds one', { type: 'tool_result', content: [{ type: 'image', data: PNG }] }],
  ])('knows %s by its encoding', (_, block) => {
    const tokens = count([said([block])]);
    expect(tokens).toBeGreaterThanOrEqual(IMAGE_TOKENS);
    expect(tokens).toBeLessThan(IMAGE_TOKENS + 40);
  });

  test('takes words in lines for words', () => {
    const words = Array.from({ length: 200 }, () => 'crates').join('\n');
    expect(count([said([{ type: 'text', text: words }])])).toBeGreaterThan(300);
    expect(count([said([{ inlineData: { data: words } }])])).toBeLessThan(IMAGE_TOKENS);
  });

  test('counts a document of text by its text', () => {
    const block = { type: 'document', source: { type: 'text', data: 'some words '.repeat(1_000) } };
    expect(count([said([block])])).toBeGreaterThan(2_700);
  });

  test('counts tool calls as JSON, once where the content repeats them', () => {
    const call = { name: 'search', args: { query: 'words '.repeat(100) }, id: 'c1' };
    const plain = count([said('', { type: 'ai', tool_calls: [call] })]);
    const block = { type: 'tool_use', id: 'c1', name: 'search', input: call.args };
    expect(plain).toBeGreaterThan(150);
    expect(count([said([block], { type: 'ai', tool_calls: [call] })])).toBe(plain);
  });

  test('counts each message once, and sums', () => {
    let reads = 0;
    const message = said('');
    const watched = new Proxy(message, {
      get(target, key, receiver) {
        if (key === 'content') reads += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    expect(count([watched, watched])).toBe(2 * MESSAGE_TOKENS);
    expect(count([watched])).toBe(MESSAGE_TOKENS);
    expect(reads).toBe(1);
  });

  test('does not fail on a value that contains itself', () => {
    const args: Record<string, unknown> = {};
    args['self'] = args;
    expect(count([said([args], { tool_calls: [{ name: 'x', args, id: null }] })])).toBeGreaterThan(0);
  });
});
