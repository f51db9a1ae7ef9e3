// What compaction costs: its share of a model call with nothing to compact, and summary calls against the built-in.
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { isCommand } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, summarizationMiddleware } from 'langchain';
import { test } from 'vitest';
import type { ThreadkeepEvent } from '../src/events.js';
import { summarization } from '../src/langchain/summarization.js';
import { ScriptedModel } from '../test/support/scripted-model.js';
import { type Figure, report, time } from './measure.js';

const SUMMARY = 'The crew moves crates between berths; numbers and places are as told before. '.repeat(3);

function said(at: number, words: number): BaseMessage {
  const content = `Message ${at}: ${'crate moved to the berth at noon, '.repeat(words / 7)}`;
  return at % 2 === 0
    ? new HumanMessage({ id: `m${at}`, content })
    : new AIMessage({ id: `m${at}`, content });
}

const conversation = (length: number): BaseMessage[] => Array.from({ length }, (_, at) => said(at, 56));

type Handler = (request: { readonly messages: BaseMessage[] }) => Promise<AIMessage>;
type Wrap = (request: object, handler: Handler) => Promise<unknown>;

/** A middleware and a run of it, without the agent around: what it answers, when the model does so at once. */
function aRun(thread: string, trigger: number) {
  const summaries = new ScriptedModel([SUMMARY]);
  const { wrapModelCall } = summarization({
    enabled: true,
    model: summaries,
    trigger: { type: 'tokens', value: trigger },
    keep: { type: 'messages', value: 20 },
  });
  const wrap = wrapModelCall as unknown as Wrap;
  const runtime = { configurable: { thread_id: thread }, writer: undefined };
  const model = new ScriptedModel();
  return (messages: BaseMessage[], compaction?: unknown) => {
    const state = { messages, compaction };
    const request = { messages: [...messages], model, tools: [], systemMessage: undefined, state, runtime };
    return wrap(request, async () => new AIMessage('Yes.'));
  };
}

/** The middleware's own work in one model call; the conversation grows by two messages each time. */
async function share(
  run: ReturnType<typeof aRun>,
  messages: BaseMessage[],
  rounds: number,
  record?: unknown,
) {
  return time(
    async () => {
      messages.push(said(messages.length, 56), said(messages.length + 1, 56));
      await run(messages, record);
    },
    { rounds, warmUp: rounds === 1 ? 0 : 5 },
  );
}

const NEVER = 100_000_000;

test('the share of a model call with nothing to compact', async () => {
  const figures: Figure[] = [];
  const medians: number[] = [];
  for (const length of [1_000, 2_000, 5_000, 10_000]) {
    const messages = conversation(length);
    const run = aRun(`share ${length}`, NEVER);
    const first = await share(run, messages, 1);
    const { median, p95 } = await share(run, messages, 100);
    medians.push(median);
    const goal = length === 10_000 ? { median: { atMost: 3 }, p95: { atMost: 10 } } : { median: {}, p95: {} };
    figures.push({ name: `${length} messages, the first call of a page`, value: first.median, unit: 'ms' });
    figures.push({ name: `${length} messages, warm`, value: median, unit: 'ms', ...goal.median });
    figures.push({ name: `${length} messages, warm, 95th percentile`, value: p95, unit: 'ms', ...goal.p95 });
  }
  const slope = ((medians.at(-1) ?? Number.NaN) - (medians[0] ?? Number.NaN)) / 9;
  figures.push({ name: 'a thousand messages more', value: slope, unit: 'ms' });
  report('Share of a model call with nothing to compact', figures);
});

test('the share of a model call with a record to validate', async () => {
  const figures: Figure[] = [];
  for (const length of [1_000, 10_000]) {
    const messages = conversation(length);
    const made = await aRun(`making ${length}`, 10_000)(messages);
    if (!isCommand(made)) throw new Error('No record was made.');
    const record = (made.update as { readonly compaction: unknown }).compaction;
    // As after a reload: every message is an object that nobody has digested yet.
    const reloaded = conversation(length);
    const run = aRun(`validating ${length}`, 30_000);
    const first = await share(run, reloaded, 1, record);
    const { median, p95 } = await share(run, reloaded, 100, record);
    figures.push({
      name: `${length} messages, the first call after a reload`,
      value: first.median,
      unit: 'ms',
    });
    figures.push({ name: `${length} messages, warm`, value: median, unit: 'ms' });
    figures.push({ name: `${length} messages, warm, 95th percentile`, value: p95, unit: 'ms' });
  }
  report('Share of a model call with a record to validate', figures);
});

const TRIGGER = 4_000;
const TURNS = 500;
/** A plain estimate, the same for both sides. */
const count = (messages: readonly BaseMessage[]): number =>
  messages.reduce((sum, message) => sum + Math.ceil(message.text.length / 4) + 3, 0);

/** Its options are typed by a schema that takes no model but its own class. */
const builtInSummarization = summarizationMiddleware as unknown as (options: object) => AgentMiddleware;

interface Script {
  readonly name: string;
  /** Tokens. */
  readonly keep: number;
  /** Words of a message of a turn. */
  readonly words: (turn: number) => number;
}

const SCRIPTS: readonly (Script & { readonly atMost: number })[] = [
  // A suffix keeps whole messages: with short ones it comes close to what was asked for.
  { name: 'a small kept tail', keep: 800, words: (turn) => 28 + 7 * ((turn * 5) % 3), atMost: 1.1 },
  { name: 'a large kept tail', keep: 3_900, words: (turn) => 28 + 7 * ((turn * 5) % 9), atMost: 0.2 },
];

/** Plays a script through an agent without a checkpointer, which is given what it answered before. */
async function play(script: Script, middleware: AgentMiddleware, model: ScriptedModel): Promise<void> {
  const agent = createAgent({ model, tools: [], middleware: [middleware] });
  let messages: BaseMessage[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const asked = [...messages, new HumanMessage({ id: `q${turn}`, content: text(script, turn) })];
    const state = await agent.invoke({ messages: asked }, { configurable: { thread_id: script.name } });
    messages = state.messages;
  }
}

const text = ({ words }: Script, turn: number): string =>
  `Turn ${turn}: ${'crate moved to the berth at noon, '.repeat(words(turn) / 7)}`;

const answers = (script: Script): string[] => Array.from({ length: TURNS }, (_, turn) => text(script, turn));

test('summary calls of 500 turns', async () => {
  for (const script of SCRIPTS) {
    const keep = { type: 'tokens', value: script.keep } as const;
    const theirs = new ScriptedModel(Array.from({ length: TURNS }, () => SUMMARY));
    const builtIn = builtInSummarization({
      model: theirs,
      trigger: { tokens: TRIGGER },
      keep: { tokens: script.keep },
      tokenCounter: (messages: BaseMessage[]) => count(messages),
    });
    await play(script, builtIn, new ScriptedModel(answers(script)));

    const ours = new ScriptedModel(Array.from({ length: TURNS }, () => SUMMARY));
    const model = new ScriptedModel(answers(script));
    let compactions = 0;
    const keptAt: number[] = [];
    const onEvent = (event: ThreadkeepEvent): void => {
      if (event.type !== 'context_compacted') return;
      compactions += 1;
      keptAt.push(model.requests.length);
    };
    const options = {
      enabled: true,
      model: ours,
      trigger: { type: 'tokens', value: TRIGGER },
      keep,
    } as const;
    await play(script, summarization({ ...options, tokenCounter: count, onEvent }), model);

    // Of what `keep` asks for, so much as leaves the headroom that the next turns need.
    const allowed = Math.min(script.keep, 0.75 * TRIGGER - count([new HumanMessage(SUMMARY)]));
    const shares = keptAt.map((at) => {
      const request = model.requests[at] ?? [];
      return count(request.filter((message) => message.name !== 'summary')) / allowed;
    });
    report(`500 turns, a trigger of ${TRIGGER} tokens, ${script.name} of ${script.keep}`, [
      { name: 'summary calls', value: ours.requests.length, unit: 'calls' },
      { name: 'summary calls of the built-in middleware', value: theirs.requests.length, unit: 'calls' },
      {
        name: 'against the built-in',
        value: ours.requests.length / theirs.requests.length,
        unit: '×',
        atMost: script.atMost,
      },
      { name: 'compactions', value: compactions, unit: 'compactions' },
      { name: 'least share of keep', value: Math.min(...shares), unit: '×', atLeast: 0.9 },
    ]);
  }
});
