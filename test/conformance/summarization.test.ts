import { createAgent } from 'langchain';
import { afterAll, describe, expect, test } from 'vitest';
import type { Message } from '../../src/core/message.js';
import { cutoffOf, isOver, thresholdsOf } from '../../src/core/partition.js';
import { planCompaction } from '../../src/core/plan.js';
import { summaryPrompt } from '../../src/core/prompt.js';
import { rescuedSkills, type SkillRules } from '../../src/core/skills.js';
import { createTokenEstimate, textTokens } from '../../src/core/tokens.js';
import type { ThreadkeepEvent } from '../../src/events.js';
import { toMessages } from '../../src/langchain/messages.js';
import { resolveSummarization } from '../../src/langchain/options.js';
import { summarization } from '../../src/langchain/summarization.js';
import { CACHED_THREADS, setCachedThreads } from '../../src/langchain/summary-cache.js';
import { askForSummary } from '../../src/langchain/summary-call.js';
import { ScriptedModel } from '../support/scripted-model.js';
import { compareCall, langchainForm } from './summarization-flow.js';
import { messagesOf, referenceCount, sizesOf } from './summarization-vectors.js';
import { readVectors, type VectorCase } from './text-vectors.js';

interface F extends VectorCase {
  readonly kind: string;
}

/** What we answer instead: checked by a function, or compared like the reference's answer. */
type Departure = { readonly reason: string } & (
  | { readonly check: (vector: F) => void }
  | { readonly instead: unknown }
);

/** Where our answer is another one by decision: a case's name, or a kind with all of its cases. */
const DEPARTURES = new Map<string, Departure>([
  [
    'rescue traversal is not normalised',
    {
      reason: 'D15: /mnt/skills/../etc/passwd is no skill',
      check: (vector) =>
        expect(rescueOf(vector)).toEqual({ summarize: ['h0', 'ai0', 'tm0'], preserved: ['z'] }),
    },
  ],
  [
    'rescue mixed calls split',
    {
      reason: 'D15: the message that reads a skill moves whole, with all of its results',
      check: (vector) =>
        expect(rescueOf(vector)).toEqual({
          summarize: ['h0'],
          preserved: ['ai0', 'tm0', 'tx0_0', 'tx0_1', 'z'],
        }),
    },
  ],
  [
    'transient stale cache: boundary message vanished -> summarise again',
    {
      reason:
        'D2: the cache compares contents without ids; here the boundary has another id and the same words',
      instead: { calls: [{ llm_calls: 1 }, { llm_calls: 0, same_summary: true }] },
    },
  ],
  [
    'kind count_tokens',
    {
      reason:
        'D18: our own estimate (images flat, dense scripts by character); near the reference for plain text',
      check: ({ input, tags, expected }) => {
        const perToken = Number(input['chars_per_token']);
        const messages = messagesOf(input);
        const ours = createTokenEstimate(perToken)(messages);
        expect(ours).toBeGreaterThan(0);
        const isPlain = /^[\0-\x7f]*$/u.test(JSON.stringify(messages.map(({ content }) => content)));
        if (tags.includes('python_repr') || !isPlain) return;
        expect(Math.abs(ours - Number(expected))).toBeLessThanOrEqual(2);
      },
    },
  ],
  [
    'kind count_tokens_scaled',
    {
      reason:
        'D18: reported usage corrects by what it exceeded the estimate by, only for its own composition',
      check: ({ input }) => expect(createTokenEstimate()(messagesOf(input))).toBeGreaterThan(0),
    },
  ],
  [
    'kind trim_for_summary',
    {
      reason: 'D19: the summariser always sees the earliest user message and the newest messages that fit',
      check: ({ input }) => {
        const messages = messagesOf(input);
        const prompt = summaryPrompt({
          prompt: '{messages}',
          previous: null,
          messages,
          maxTokens: Number(input['max_tokens']),
        });
        const opening = messages.find(({ type }) => type === 'human');
        expect(prompt).toContain(String(messages.at(-1)?.content).slice(0, 20));
        if (opening !== undefined) expect(prompt).toContain(String(opening.content).slice(0, 20));
      },
    },
  ],
  [
    'kind trim_section',
    {
      reason: 'D19: one message is shortened in its middle, never to nothing',
      check: ({ input }) => {
        const content = String(input['text']);
        const maxTokens = Number(input['max_tokens']);
        const [message] = messagesOf({ messages: [{ type: 'human', content }] });
        if (message === undefined) throw new Error('no message');
        const prompt = summaryPrompt({
          prompt: '{messages}',
          previous: null,
          messages: [message],
          maxTokens,
        });
        const beside = textTokens('<conversation>\n[user] \n…\n\n</conversation>');
        expect(prompt).toContain(content.slice(0, 3));
        expect(textTokens(prompt) - beside).toBeLessThanOrEqual(Math.max(maxTokens, 201));
      },
    },
  ],
  [
    'kind get_buffer_string',
    {
      reason: 'D19: history is written escaped and line by line with its speaker',
      check: ({ input }) => {
        const messages = messagesOf(input);
        const prompt = summaryPrompt({ prompt: '{messages}', previous: null, messages, maxTokens: null });
        expect(prompt.match(/^\[\w+\] /gmu)).toHaveLength(messages.length);
      },
    },
  ],
]);

const { cases } = readVectors('f_summarization') as { readonly cases: readonly F[] };
const KINDS = ['should_summarize', 'cutoff', 'skill_rescue', 'compact_state', 'transient'];
const tally = { ran: 0, held: 0, departed: 0 };
afterAll(() => {
  const reasons = [...DEPARTURES].map(([name, { reason }]) => `  ${name}: ${reason}`);
  console.log(
    [`f_summarization: ran ${tally.ran}, held ${tally.held}, departed ${tally.departed}`, ...reasons].join(
      '\n',
    ),
  );
});

function runKind(kind: string, check: (vector: F) => unknown): void {
  test.each(cases.filter((vector) => vector.kind === kind).map((vector) => [vector.name, vector] as const))(
    '%s',
    async (name, vector) => {
      tally.ran += 1;
      const departure = DEPARTURES.get(name);
      if (departure === undefined) {
        await check(vector);
        tally.held += 1;
        return;
      }
      if ('check' in departure) departure.check(vector);
      else await check({ ...vector, expected: departure.instead });
      tally.departed += 1;
    },
  );
}

test('every case is compared', () => {
  const named = [...DEPARTURES.keys()]
    .filter((name) => name.startsWith('kind '))
    .map((name) => name.slice(5));
  expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set([...KINDS, ...named]));
  expect(cases).toHaveLength(244);
});

describe('other rules of our own', () => {
  const others = cases.filter(({ kind }) => !KINDS.includes(kind));
  test.each(others.map((vector) => [`${vector.kind}: ${vector.name}`, vector] as const))(
    '%s',
    (_, vector) => {
      tally.ran += 1;
      const departure = DEPARTURES.get(`kind ${vector.kind}`);
      if (departure === undefined || !('check' in departure)) throw new Error('No such departure.');
      departure.check(vector);
      tally.departed += 1;
    },
  );
});

describe('the trigger', () => {
  runKind('should_summarize', ({ input, expected }) => {
    const messages = messagesOf(input);
    const tokens = referenceCount(messages);
    const thresholds = thresholdsOf(sizesOf(input['trigger']), input['max_input_tokens'] as number | null);
    const should = isOver({ tokens, messages: messages.length }, thresholds);
    expect({ total_tokens: tokens, should }).toEqual(expected);
  });
});

describe('the cut', () => {
  runKind('cutoff', ({ input, expected }) => {
    const [keep] = thresholdsOf(sizesOf(input['keep']), input['max_input_tokens'] as number | null);
    if (keep === undefined) throw new Error('no keep');
    expect(cutoffOf(messagesOf(input), keep, referenceCount)).toBe(expected);
  });
});

const idsOf = (messages: unknown): unknown[] => (messages as readonly { id: unknown }[]).map(({ id }) => id);

function skillRules(options: Readonly<Record<string, unknown>>): SkillRules {
  return {
    count: Number(options['preserve_recent_skill_count'] ?? 5),
    tokens: Number(options['preserve_recent_skill_tokens'] ?? 25_000),
    tokensPerSkill: Number(options['preserve_recent_skill_tokens_per_skill'] ?? 5_000),
    toolNames: (options['skill_file_read_tool_names'] as string[]) ?? ['read_file', 'read', 'view', 'cat'],
    root: String(options['skills_container_path'] ?? '/mnt/skills'),
  };
}

function rescueOf({ input }: F): { summarize: unknown[]; preserved: unknown[] } {
  const messages = messagesOf(input);
  const cutoff = Number(input['cutoff']);
  const rules = skillRules(input['options'] as Readonly<Record<string, unknown>>);
  const rescued = rescuedSkills(messages.slice(0, cutoff), rules, referenceCount);
  return {
    summarize: idsOf(messages.filter((_, at) => at < cutoff && !rescued.has(at))),
    preserved: idsOf(messages.filter((_, at) => at >= cutoff || rescued.has(at))),
  };
}

describe('the rescue of skills', () => {
  runKind('skill_rescue', (vector) => {
    const { summarize, preserved } = vector.expected as Readonly<Record<string, unknown>>;
    expect(rescueOf(vector)).toEqual({ summarize: idsOf(summarize), preserved: idsOf(preserved) });
  });
});

describe('the partition', () => {
  runKind('compact_state', async ({ input, expected }) => {
    const messages = messagesOf(input);
    const previous = input['previous_summary'] as string | null;
    const summary = previous === null ? [] : [summaryForm(previous)];
    const size = {
      tokens: referenceCount([...summary, ...messages]),
      messages: summary.length + messages.length,
    };
    const thresholds = thresholdsOf(sizesOf(input['trigger']), null);
    const [keep] = thresholdsOf(sizesOf(input['keep']), null);
    if (keep === undefined) throw new Error('no keep');
    const plan = planCompaction(
      messages,
      0,
      { end: 0, lifted: [] },
      // This kind is the cut alone: the room under the triggers belongs to the transient flow.
      { keep, thresholds: [], skills: skillRules({}), overhead: 0, summaryTokens: 0, count: referenceCount },
    );
    const options = resolveSummarization({ enabled: true, trigger: { type: 'messages', value: 1 } });
    const model = new ScriptedModel([String(input['model_output'])]);
    const answer = await askForSummary(options, model, 'prompt', undefined);
    const isDue = input['force'] === true || isOver(size, thresholds);
    const ours =
      !isDue || plan === null || answer.kind === 'failed'
        ? null
        : {
            summary_text: answer.summary,
            summarized: idsOf(plan.leaving.map((at) => messages[at])),
            preserved: idsOf(messages.filter((_, at) => !plan.leaving.includes(at))),
          };
    if (ours === null) expect(expected).toBeNull();
    else expect(expected).toMatchObject(ours);
  });
});

const summaryForm = (content: string): Message => ({
  type: 'human',
  content,
  id: null,
  name: 'summary',
  additional_kwargs: {},
  tool_calls: [],
  tool_call_id: null,
});

interface CallInput {
  readonly messages: readonly Partial<Message>[];
  readonly thread: string;
  readonly new_instance?: boolean;
  readonly model_raises?: boolean;
}

describe('the transient flow', () => {
  runKind('transient', async ({ name, input, expected }) => {
    if (input['hook'] === 'before_model') {
      expect(aMiddleware(input, new ScriptedModel(), []).beforeModel).toBeUndefined();
      return;
    }
    setCachedThreads(Number(input['cache_capacity'] ?? CACHED_THREADS));
    const calls = input['calls'] as readonly CallInput[];
    const expectations = (expected as { calls: readonly Readonly<Record<string, unknown>>[] }).calls;
    const isFailing = calls.some(({ model_raises: raises }) => raises === true);
    const summaries = new ScriptedModel(isFailing ? [new Error('down')] : ['ONE', 'TWO', 'THREE', 'FOUR']);
    const events: ThreadkeepEvent[] = [];
    let middleware = aMiddleware(input, summaries, events);
    let formerSummary: string | undefined;
    for (const [index, { messages: given, thread, new_instance: isNew }] of calls.entries()) {
      if (isNew === true) middleware = aMiddleware(input, summaries, events);
      const model = new ScriptedModel();
      const agent = createAgent({ model, tools: [], middleware: [middleware] });
      const messages = messagesOf({ messages: given }).map(langchainForm);
      const asked = summaries.requests.length;
      events.length = 0;
      const result: Readonly<Record<string, unknown>> = await agent.invoke(
        { messages },
        { configurable: { thread_id: `${name} ${thread}` } },
      );
      const request = model.requests[0] ?? [];
      const want = expectations[index] ?? {};
      compareCall(want, {
        messages,
        request,
        summary: request.find((message) => message.name === 'summary')?.text,
        formerSummary,
        llmCalls: summaries.requests.length - asked,
        events,
        stored: result,
      });
      formerSummary = request.find((message) => message.name === 'summary')?.text;
    }
    setCachedThreads(CACHED_THREADS);
  });
});

function aMiddleware(
  input: Readonly<Record<string, unknown>>,
  model: ScriptedModel,
  events: ThreadkeepEvent[],
): ReturnType<typeof summarization> {
  const [keep] = sizesOf(input['keep']);
  return summarization({
    enabled: true,
    model,
    trigger: sizesOf(input['trigger']),
    ...(keep === undefined ? {} : { keep }),
    tokenCounter: (messages) => referenceCount(toMessages(messages)),
    onEvent: (event) => events.push(event),
  });
}
