import type { AIMessageChunk } from '@langchain/core/messages';
import { createAgent, tool } from 'langchain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ChatServer, startChatServer } from '../../test/support/chat-server.js';
import { endpointFrom } from './choice.js';
import { endpointModel } from './endpoint.js';
import { troubleOf } from './trouble.js';

let server: ChatServer;
beforeEach(async () => {
  server = await startChatServer();
});
afterEach(() => server.close());

const modelAt = (baseUrl: string, apiKey = '', silenceMs?: number) =>
  endpointModel({ kind: 'endpoint', baseUrl, model: 'stub', apiKey }, silenceMs);

async function troubleAfter(question: string, options: { signal?: AbortSignal; silenceMs?: number } = {}) {
  const { silenceMs, ...call } = options;
  try {
    for await (const _ of await modelAt(server.baseUrl, '', silenceMs).stream(question, call));
  } catch (error) {
    return troubleOf(error) ?? error;
  }
  throw new Error('The call did not fail.');
}

describe('an OpenAI-compatible address', () => {
  test('streams word by word, and is sent the key that was given', async () => {
    const words: string[] = [];
    for await (const chunk of await modelAt(server.baseUrl, 'secret-key').stream('good morning')) {
      if (chunk.text !== '') words.push(chunk.text);
    }
    expect(words).toEqual(['You ', 'wrote: ', 'good ', 'morning']);
    expect(server.requests.map(({ authorization }) => authorization)).toEqual(['Bearer secret-key']);
  });

  test('calls the tools of an agent and goes on with what they answer', async () => {
    const search = tool(({ query }) => `nothing about ${query}`, {
      name: 'history_search',
      description: 'Searches.',
      schema: z.object({ query: z.string() }),
    });
    const agent = createAgent({ model: modelAt(server.baseUrl), tools: [search] });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'SEARCH the berth' }] });
    expect(messages.map(({ type, text }) => [type, text])).toEqual([
      ['human', 'SEARCH the berth'],
      ['ai', ''],
      ['tool', 'nothing about the berth'],
      ['ai', 'The tool says: nothing about the berth'],
    ]);
  });

  test('that fails tells its status and its own words', async () => {
    expect(await troubleAfter('FAIL')).toMatchObject({ kind: 'status', status: 500 });
    expect(await troubleAfter('LOCKED')).toMatchObject({
      kind: 'status',
      status: 401,
      message: expect.stringContaining('Incorrect API key provided.'),
    });
  });

  test('that hangs can be stopped, and is given up after its time', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    expect(await troubleAfter('HANG', { signal: stop.signal })).toMatchObject({ name: /Abort/u });
    expect(await troubleAfter('HANG', { silenceMs: 50 })).toEqual({ kind: 'silent' });
  });

  test('that cuts the connection leaves the first words and an error', async () => {
    const words: AIMessageChunk[] = [];
    let trouble: unknown = null;
    try {
      for await (const chunk of await modelAt(server.baseUrl).stream('CUT'))
        words.push(chunk as AIMessageChunk);
    } catch (error) {
      trouble = troubleOf(error);
    }
    expect(words.map(({ text }) => text).join('')).toBe('You ');
    expect(trouble).toEqual({ kind: 'cut' });
  });

  test('where nothing listens is unreachable', async () => {
    const { baseUrl } = server;
    await server.close();
    await expect(modelAt(baseUrl).invoke('hello').catch(troubleOf)).resolves.toEqual({ kind: 'unreachable' });
    server = await startChatServer();
  });
});

describe('what was typed as an address', () => {
  test.each([
    ['', 'm', 'address'],
    ['localhost:11434/v1', 'm', 'address'],
    ['ftp://host/v1', 'm', 'address'],
    ['http://localhost:11434/v1', ' ', 'model'],
  ])('%s with the model "%s" names the %s', (address, model, wrong) => {
    expect(endpointFrom(address, model, '')).toBe(wrong);
  });

  test('is taken without blanks and without a slash at its end', () => {
    expect(endpointFrom(' http://localhost:11434/v1/ ', ' qwen3 ', ' k ')).toEqual({
      kind: 'endpoint',
      baseUrl: 'http://localhost:11434/v1',
      model: 'qwen3',
      apiKey: 'k',
    });
  });
});
