import { tool } from 'langchain';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { BrowserChatModel } from './browser.js';
import { hasBrowserModel } from './browser-api.js';

/** Stands in for the browser's model: says the given pieces, and remembers what it was asked. */
function aBrowserThatSays(...pieces: readonly string[]) {
  const asked: { prompts: unknown[]; constraint: unknown; destroyed: boolean }[] = [];
  vi.stubGlobal('LanguageModel', {
    availability: async () => 'available',
    create: async ({ initialPrompts }: { initialPrompts: unknown[] }) => {
      const call = { prompts: initialPrompts, constraint: undefined as unknown, destroyed: false };
      asked.push(call);
      return {
        promptStreaming(last: unknown[], options: { signal?: AbortSignal; responseConstraint?: unknown }) {
          call.prompts = [...initialPrompts, ...last];
          call.constraint = options.responseConstraint;
          const left = [...pieces];
          return new ReadableStream<string>({
            async pull(controller) {
              const piece = left.shift();
              if (piece === 'HANG') {
                const { signal } = options;
                await new Promise((_, reject) => {
                  signal?.addEventListener('abort', () => reject(signal.reason));
                });
              }
              if (piece === undefined) controller.close();
              else controller.enqueue(piece);
            },
          });
        },
        destroy() {
          call.destroyed = true;
        },
      };
    },
  });
  return asked;
}

const search = tool(async () => 'found', {
  name: 'history_search',
  description: 'Searches.',
  schema: z.object({ query: z.string() }),
});

afterEach(() => vi.unstubAllGlobals());

describe('the model built into the browser', () => {
  test('streams plain words, and its session ends with the call', async () => {
    const asked = aBrowserThatSays('Good ', 'morning');
    const words: string[] = [];
    for await (const chunk of await new BrowserChatModel().stream('hello')) words.push(chunk.text);
    expect(words.filter((word) => word !== '')).toEqual(['Good ', 'morning']);
    expect(asked).toEqual([
      { prompts: [{ role: 'user', content: 'hello' }], constraint: undefined, destroyed: true },
    ]);
  });

  test('calls a tool by JSON that it is held to', async () => {
    const asked = aBrowserThatSays('{"tool": "history_se', 'arch", "arguments": {"query": "berth"}}');
    const answer = await new BrowserChatModel().bindTools([search]).invoke('Which berth?');
    expect(answer.tool_calls).toMatchObject([{ name: 'history_search', args: { query: 'berth' } }]);
    expect(answer.text).toBe('');
    expect(asked[0]?.constraint).toMatchObject({
      anyOf: [{ required: ['answer'] }, { properties: { tool: { const: 'history_search' } } }],
    });
    expect(asked[0]?.prompts[0]).toMatchObject({
      role: 'system',
      content: expect.stringContaining('history_search'),
    });
  });

  test('streams its answer out of the JSON as it comes', async () => {
    aBrowserThatSays('{"answer": "Berth ', '12, ', 'quay 3"}');
    const words: string[] = [];
    for await (const chunk of await new BrowserChatModel().bindTools([search]).stream('Which berth?')) {
      words.push(chunk.text);
    }
    expect(words.filter((word) => word !== '')).toEqual(['Berth', ' 12,', ' quay 3']);
  });

  test('can be stopped in the midst of an answer', async () => {
    aBrowserThatSays('One ', 'HANG');
    const stop = new AbortController();
    const words: string[] = [];
    const run = async () => {
      for await (const chunk of await new BrowserChatModel().stream('count', { signal: stop.signal })) {
        words.push(chunk.text);
        stop.abort();
      }
    };
    await expect(run()).rejects.toThrow(/abort/iu);
    expect(words).toEqual(['One ']);
  });

  test('is not offered where the browser has none, and says so when asked all the same', async () => {
    expect(await hasBrowserModel()).toBe(false);
    await expect(new BrowserChatModel().invoke('hello')).rejects.toThrow('no built-in model');
  });
});
