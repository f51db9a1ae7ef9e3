// What each option of compaction does in an agent.
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { anAgent, coveredCountOf, pairs, SUMMARY, texts } from '../../test/support/compacting-agent.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { compactThread } from './compact-thread.js';
import type { SummarizationOptions } from './options.js';
import { summarization } from './summarization.js';
import { CACHED_THREADS, setCachedThreads } from './summary-cache.js';

const opening = (request: readonly { readonly text: string }[] | undefined): string =>
  request?.[0]?.text ?? '';

describe('enabled', () => {
  test('is off unless it is true: every request passes as it is', async () => {
    const { say, model, summaryModel, state } = await anAgent({ options: { enabled: false } });
    await say(pairs(20));
    expect(model.requests[0]).toHaveLength(40);
    expect(summaryModel.requests).toHaveLength(0);
    expect((await state())['compaction']).toBeUndefined();
  });
});

describe('the model that summarises', () => {
  test('may be an instance', async () => {
    const summaries = new ScriptedModel(['From the instance.']);
    const { say, model } = await anAgent({ options: { model: summaries } });
    await say(pairs(10));
    expect(opening(model.requests[0])).toContain('From the instance.');
  });

  test.each([
    ['at once', () => new ScriptedModel(['From a function.'])],
    ['later', () => Promise.resolve(new ScriptedModel(['From a function.']))],
  ])('may be a function that makes one %s', async (_, make) => {
    const { say, model } = await anAgent({ options: { model: make } });
    await say(pairs(10));
    expect(opening(model.requests[0])).toContain('From a function.');
  });

  test('may be a name, which resolveModel finds', async () => {
    const asked: string[] = [];
    const resolveModel = (name: string): ScriptedModel => {
      asked.push(name);
      return new ScriptedModel(['By name.']);
    };
    const { say, model } = await anAgent({ options: { model: 'small', resolveModel } });
    await say(pairs(10));
    expect(asked).toEqual(['small']);
    expect(opening(model.requests[0])).toContain('By name.');
  });

  test('is the run’s own when it is null', async () => {
    const { say, model } = await anAgent({ options: { model: null }, script: ['My own.', 'answer'] });
    await say(pairs(10));
    expect(model.requests).toHaveLength(2);
    expect(opening(model.requests[1])).toContain('My own.');
  });

  test('fails the summary, not the run, when it cannot be had', async () => {
    const { say, model, events } = await anAgent({
      options: { model: () => Promise.reject(new Error('no such model')) },
    });
    await say(pairs(10));
    expect(model.requests[0]).toHaveLength(20);
    expect(events.at(-1)).toMatchObject({ type: 'context_compaction_failed', message: 'no such model' });
  });
});

describe('trigger', () => {
  test.each<readonly [string, SummarizationOptions['trigger'], number]>([
    ['tokens', { type: 'tokens', value: 400 }, 1],
    ['more tokens than there are', { type: 'tokens', value: 5_000 }, 0],
    ['messages, on equality', { type: 'messages', value: 20 }, 1],
    ['one message more than there are', { type: 'messages', value: 21 }, 0],
    ['a fraction of the window', { type: 'fraction', value: 0.4 }, 1],
    ['a larger fraction', { type: 'fraction', value: 0.9 }, 0],
    [
      'any of several',
      [
        { type: 'tokens', value: 5_000 },
        { type: 'messages', value: 12 },
      ],
      1,
    ],
    [
      'none of several',
      [
        { type: 'tokens', value: 5_000 },
        { type: 'messages', value: 50 },
      ],
      0,
    ],
  ])('may be %s', async (_, trigger, calls) => {
    const options = { trigger, windowTokens: 1_000 } as SummarizationOptions;
    const { say, summaryModel } = await anAgent({ options });
    await say(pairs(10));
    expect(summaryModel.requests).toHaveLength(calls);
  });

  test('as a fraction takes the window from the model’s profile', async () => {
    const model = new ScriptedModel(['Of the window.']);
    Object.defineProperty(model, 'profile', { value: { maxInputTokens: 1_000 } });
    const middleware = summarization({
      enabled: true,
      trigger: { type: 'fraction', value: 0.4 },
      keep: { type: 'messages', value: 4 },
    });
    const agent = createAgent({ model, tools: [], middleware: [middleware] });
    await agent.invoke({ messages: pairs(10) }, { configurable: { thread_id: 'profile' } });
    expect(opening(model.requests[1])).toContain('Of the window.');
  });

  test('as a fraction of a window that nobody knows says so, and how to give it', async () => {
    const { say } = await anAgent({ options: { trigger: { type: 'fraction', value: 0.8 } } });
    await expect(say(pairs(1))).rejects.toThrow(
      /windowTokens: undefined given.*the fraction 0\.8 needs it\. Give windowTokens, or a model with profile\.maxInputTokens/su,
    );
  });
});

describe('keep', () => {
  test.each<readonly [string, SummarizationOptions['keep'], number]>([
    ['messages', { type: 'messages', value: 6 }, 6],
    ['tokens', { type: 'tokens', value: 150 }, 5],
    ['a fraction of the window', { type: 'fraction', value: 0.15 }, 5],
  ])('may be %s', async (_, keep, kept) => {
    const options = { keep, windowTokens: 1_000 } as SummarizationOptions;
    const { say, model } = await anAgent({ options });
    await say(pairs(10));
    const request = model.requests[0] ?? [];
    // The summary, and the user's last message where the cut has passed it.
    expect(request.length - 1).toBe(kept);
  });
});

describe('what the summariser is shown', () => {
  const promptWith = async (options: Partial<SummarizationOptions>): Promise<string> => {
    const { say, summaryModel } = await anAgent({ options });
    await say(pairs(30));
    return texts(summaryModel.requests[0]).join();
  };

  test('is trimmed to trimTokensToSummarize', async () => {
    const prompt = await promptWith({ trimTokensToSummarize: 300 });
    expect(prompt).toContain('messages are left out here');
    expect(prompt.length / 4).toBeLessThan(300 + 400);
  });

  test('is everything with trimTokensToSummarize null', async () => {
    const prompt = await promptWith({ trimTokensToSummarize: null });
    expect(prompt.match(/m\d+ says/gu)).toHaveLength(56);
    expect(prompt).not.toContain('left out');
  });

  test('stands in a summaryPrompt of the user’s own', async () => {
    const prompt = await promptWith({ summaryPrompt: 'Only dates, please:\n{messages}\nThat is all.' });
    expect(prompt).toMatch(/^Only dates, please:\n<conversation>.*<\/conversation>\nThat is all\.$/su);
  });
});

describe('skill files', () => {
  const skill = (id: string, path: string, tool = 'read_file') => [
    new AIMessage({ id: `c${id}`, content: '', tool_calls: [{ name: tool, args: { path }, id }] }),
    new ToolMessage({
      id: `r${id}`,
      content: `Skill ${id}: ${'mind the gap '.repeat(8)}`,
      tool_call_id: id,
      name: tool,
    }),
  ];
  const said = [
    ...pairs(1),
    ...skill('a', '/mnt/skills/a/SKILL.md'),
    ...skill('b', '/srv/skills/b.md', 'load'),
    ...skill('c', '/mnt/skills/c/SKILL.md'),
    ...pairs(30, 50),
  ];

  test.each<readonly [string, Partial<SummarizationOptions>, readonly string[]]>([
    ['the five newest by default', {}, ['a', 'c']],
    ['preserveRecentSkillCount', { preserveRecentSkillCount: 1 }, ['c']],
    ['preserveRecentSkillCount of 0', { preserveRecentSkillCount: 0 }, []],
    ['preserveRecentSkillTokens', { preserveRecentSkillTokens: 50 }, ['c']],
    ['preserveRecentSkillTokensPerSkill', { preserveRecentSkillTokensPerSkill: 10 }, []],
    ['skillFileReadToolNames', { skillFileReadToolNames: ['load'], skillsPath: '/srv/skills' }, ['b']],
    ['skillsPath', { skillsPath: '/mnt/skills/a' }, ['a']],
  ])('stay by %s', async (_, options, kept) => {
    const { say, model } = await anAgent({
      archive: false,
      options: { trigger: { type: 'tokens', value: 1_000 }, ...options },
    });
    await say(said);
    expect(opening(model.requests[0])).toContain(SUMMARY);
    const stayed = texts(model.requests[0]).flatMap((text) => /^Skill (\w)/u.exec(text)?.[1] ?? []);
    expect(stayed).toEqual(kept);
  });
});

describe('further options', () => {
  test('tokenCounter replaces the whole estimate, and is given LangChain’s messages', async () => {
    const seen = new Set<string>();
    const { say, summaryModel } = await anAgent({
      options: {
        trigger: { type: 'tokens', value: 100 },
        tokenCounter: (messages) => {
          for (const message of messages) seen.add(message.constructor.name);
          return messages.length * 10;
        },
      },
    });
    await say(pairs(4));
    expect(summaryModel.requests).toHaveLength(0);
    await say([new HumanMessage('Ten of them.')]);
    expect(summaryModel.requests).toHaveLength(1);
    expect([...seen]).toEqual(expect.arrayContaining(['HumanMessage', 'AIMessage']));
  });

  test('compactingMessage is the text of the event, on the custom stream too', async () => {
    const { agent, config, events } = await anAgent({ options: { compactingMessage: 'Making room…' } });
    const told: unknown[] = [];
    const stream = await agent.stream({ messages: pairs(10) }, { ...config, streamMode: 'custom' });
    for await (const event of stream) told.push(event);
    expect(told[0]).toEqual({ type: 'context_compacting', message: 'Making room…' });
    expect(told).toEqual(events);
  });

  test('prune is what compactThread does unless it is told', async () => {
    const kept = await anAgent();
    await kept.say(pairs(6));
    expect((await compactThread(kept.agent, { thread: kept.thread })).pruned).toEqual([]);
    const pruned = await anAgent({ options: { prune: true } });
    await pruned.say(pairs(6));
    expect((await compactThread(pruned.agent, { thread: pruned.thread })).pruned).not.toEqual([]);
    expect(coveredCountOf(await pruned.state())).toBe(0);
  });

  test('cacheSize is how many threads are remembered: the one longest unused costs a call again', async () => {
    const summaries = new ScriptedModel(Array.from({ length: 5 }, () => SUMMARY));
    const middleware = summarization({
      enabled: true,
      model: summaries,
      trigger: { type: 'tokens', value: 400 },
      keep: { type: 'messages', value: 4 },
      cacheSize: 2,
    });
    const agent = createAgent({ model: new ScriptedModel(), tools: [], middleware: [middleware] });
    const callsIn = async (thread: string): Promise<number> => {
      const before = summaries.requests.length;
      await agent.invoke({ messages: pairs(10) }, { configurable: { thread_id: thread } });
      return summaries.requests.length - before;
    };
    try {
      expect([await callsIn('one'), await callsIn('two'), await callsIn('one')]).toEqual([1, 1, 0]);
      expect([await callsIn('three'), await callsIn('one'), await callsIn('two')]).toEqual([1, 0, 1]);
    } finally {
      setCachedThreads(CACHED_THREADS);
    }
  });
});
