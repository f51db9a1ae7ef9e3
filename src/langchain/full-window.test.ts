// What fills the window, and what only looks as if it did.
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { createAgent, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anAgent, pairs, SUMMARY, texts, typesOf } from '../../test/support/compacting-agent.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { long } from '../../test/support/tool-work.js';
import type { ThreadkeepEvent } from '../events.js';
import { summarization } from './summarization.js';

const ask = (id: string, content = 'And then?'): HumanMessage => new HumanMessage({ id, content });
const tokens = (value: number) => ({ trigger: { type: 'tokens', value } as const });

describe('dense scripts', () => {
  test('60,000 Chinese characters reach a trigger of 50,000 tokens, and not one of 70,000', async () => {
    const chinese = Array.from({ length: 60 }, (_, at) => ask(`zh${at}`, '请把备份保留到季度末'.repeat(100)));
    const full = await anAgent({ options: tokens(50_000) });
    await full.say(chinese);
    expect(full.summaryModel.requests).toHaveLength(1);
    const roomy = await anAgent({ options: tokens(70_000) });
    await roomy.say(chinese);
    expect(roomy.summaryModel.requests).toHaveLength(0);
  });
});

const BASE64 = 'iVBORw0KGgo'.repeat(36_000);
const WRAPPED = BASE64.replace(/.{76}/gu, '$&\r\n');
const url = `data:image/png;base64,${BASE64}`;
const SHAPES: readonly (readonly [string, object])[] = [
  ['OpenAI’s image_url', { type: 'image_url', image_url: { url, detail: 'high' } }],
  ['OpenAI’s image_url as a text', { type: 'image_url', image_url: url }],
  ['OpenAI’s input_image', { type: 'input_image', image_url: url }],
  ['OpenAI’s input_audio', { type: 'input_audio', input_audio: { data: BASE64, format: 'wav' } }],
  ['OpenAI’s file', { type: 'file', file: { filename: 'a.pdf', file_data: url } }],
  ['Anthropic’s image', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: BASE64 } }],
  [
    'Anthropic’s document',
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: BASE64 } },
  ],
  ['Google’s inlineData', { inlineData: { mimeType: 'image/png', data: BASE64 } }],
  [
    'Google’s inlineData in lines',
    { type: 'inlineData', inlineData: { mimeType: 'image/png', data: WRAPPED } },
  ],
  ['Google’s media', { type: 'media', mimeType: 'image/png', data: BASE64 }],
  [
    'LangChain’s image before version 1',
    { type: 'image', source_type: 'base64', mime_type: 'image/png', data: BASE64 },
  ],
  ['LangChain’s image', { type: 'image', mimeType: 'image/png', data: BASE64 }],
  ['LangChain’s image at a data address', { type: 'image', url }],
  ['LangChain’s audio', { type: 'audio', mimeType: 'audio/wav', data: BASE64 }],
  ['LangChain’s video', { type: 'video', mimeType: 'video/mp4', data: BASE64 }],
  ['LangChain’s file', { type: 'file', mimeType: 'application/pdf', data: BASE64 }],
  ['LangChain’s file in lines', { type: 'file', mimeType: 'application/pdf', data: WRAPPED }],
  [
    'LangChain’s file before version 1',
    { type: 'file', source_type: 'base64', mime_type: 'application/pdf', data: BASE64 },
  ],
];

describe('400 kB of base64', () => {
  test.each(SHAPES)('as %s is a picture, in a question and in a result', async (_, block) => {
    const look = { type: 'text', text: 'Look' };
    const question = new HumanMessage({ id: 'pic', content: [look, block] as never });
    const { say, summaryModel } = await anAgent({ archive: false, options: tokens(2_500) });
    await say([
      ...pairs(2, 900),
      question,
      new AIMessage({ id: 'c', content: '', tool_calls: [{ name: 'look', args: {}, id: 'x' }] }),
      new ToolMessage({ id: 'r', content: [block] as never, tool_call_id: 'x', name: 'look' }),
    ]);
    expect(summaryModel.requests).toHaveLength(0);
    // In a summary's prompt it is named, and no byte of it is there.
    await say([...pairs(50), ask('q')]);
    const [prompt = ''] = texts(summaryModel.requests[0]);
    expect(prompt).toContain('[user] Look');
    expect(prompt).not.toContain('iVBORw0KGgo');
  });

  test('worth of words is no picture', async () => {
    const { say, summaryModel } = await anAgent({ archive: false, options: tokens(2_500) });
    await say([...pairs(2), ask('words', 'words of it '.repeat(1_000))]);
    expect(summaryModel.requests).toHaveLength(1);
  });
});

describe('what is sent beside the messages', () => {
  const tools = Array.from({ length: 40 }, (_, at) =>
    tool(() => '', {
      name: `tool_${at}`,
      description: `Does one of forty things, namely ${at}: ${long(4)}`,
      schema: z.object({ path: z.string().describe('Where it is.'), depth: z.number() }),
    }),
  );

  test('40 tool schemas count', async () => {
    const said = pairs(30);
    const withTools = await anAgent({ archive: false, tools, options: tokens(4_000) });
    await withTools.say(said);
    expect(withTools.summaryModel.requests).toHaveLength(1);
    const bare = await anAgent({ archive: false, options: tokens(4_000) });
    await bare.say(said);
    expect(bare.summaryModel.requests).toHaveLength(0);
  });

  test('a system prompt and 40 tool schemas that fill the window are told of, once, and every call goes on', async () => {
    const model = new ScriptedModel();
    const summaries = new ScriptedModel([SUMMARY, SUMMARY, SUMMARY]);
    const events: ThreadkeepEvent[] = [];
    const agent = createAgent({
      model,
      systemPrompt: `Be kind. ${long(150)}`,
      tools,
      middleware: [
        summarization({
          enabled: true,
          model: summaries,
          ...tokens(1_000),
          keep: { type: 'messages', value: 4 },
          onEvent: (event) => events.push(event),
        }),
      ],
    });
    const config = { configurable: { thread_id: 'prompt' } };
    let messages = [...pairs(3), ask('first')];
    for (const id of ['second', 'third', 'fourth']) {
      ({ messages } = (await agent.invoke({ messages }, config)) as { messages: typeof messages });
      messages = [...messages, ask(id, `${id}?`)];
    }
    expect(summaries.requests).toHaveLength(1);
    expect(typesOf(events)).toEqual([
      'context_compacting',
      'context_compacted',
      'context_compaction_skipped',
    ]);
    expect(events.at(-1)).toMatchObject({ reason: 'still-over' });
    expect(model.requests).toHaveLength(3);
    expect(texts(model.requests[2]).at(-1)).toBe('third?');
  });
});

describe('a tail that is over the trigger by itself', () => {
  test('costs one attempt, with its event, until a tenth of the trigger has come', async () => {
    const { say, summaryModel, events, model } = await anAgent({ archive: false });
    await say([...pairs(4), ask('huge', long(150))]);
    expect(summaryModel.requests).toHaveLength(1);
    expect(typesOf(events)).toEqual([
      'context_compacting',
      'context_compacted',
      'context_compaction_skipped',
    ]);
    await say([ask('n1', 'Short.')]);
    await say([ask('n2', 'Short.')]);
    expect(summaryModel.requests).toHaveLength(1);
    expect(texts(model.requests.at(-1))).toContain('Short.');
    await say([...pairs(1, 90), ask('n3', 'Short.')]);
    expect(summaryModel.requests).toHaveLength(2);
    expect(texts(model.requests.at(-1)).join()).not.toContain(long(150));
  });

  test('with nothing before it asks no model at all, and says so once', async () => {
    const { say, summaryModel, events } = await anAgent({ archive: false });
    await say([ask('huge', long(150))]);
    await say([]);
    expect(summaryModel.requests).toHaveLength(0);
    expect(typesOf(events)).toEqual(['context_compaction_skipped']);
    expect(events[0]).toMatchObject({ reason: 'nothing-to-summarize' });
  });
});
