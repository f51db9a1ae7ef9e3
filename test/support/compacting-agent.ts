// An agent with compaction, a scripted model behind a strict provider, and a real archive in memory.
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { createContinuity } from '../../src/continuity.js';
import type { CompactionRecord } from '../../src/core/record.js';
import type { ThreadkeepEvent } from '../../src/events.js';
import type { SummarizationOptions } from '../../src/langchain/options.js';
import { summarization } from '../../src/langchain/summarization.js';
import { memoryArchive } from '../../worker/memory.js';
import { type Script, ScriptedModel } from './scripted-model.js';
import { StrictModel } from './strict-model.js';

export const SUMMARY = 'The user plans a trip to Oslo.';
let threads = 0;

/** A conversation of pairs, each message about 25 tokens. */
export function pairs(count: number, from = 0): BaseMessage[] {
  return Array.from({ length: count * 2 }, (_, at) => {
    const id = `m${from + at}`;
    const content = `${id} says something about the boats in the harbour, at some length, so that it counts for some tokens.`;
    return at % 2 === 0 ? new HumanMessage({ id, content }) : new AIMessage({ id, content });
  });
}

export interface Setup {
  readonly script?: Script;
  readonly summaries?: Script;
  readonly options?: Partial<SummarizationOptions>;
  readonly tools?: Parameters<typeof createAgent>[0]['tools'];
  readonly responseFormat?: unknown;
  readonly saver?: MemorySaver;
  readonly thread?: string;
  /** False for an agent that archives nothing. */
  readonly archive?: boolean;
}

export async function anAgent(setup: Setup = {}) {
  const model = new StrictModel(setup.script ?? []);
  const summaryModel = new ScriptedModel(setup.summaries ?? [SUMMARY, SUMMARY, SUMMARY, SUMMARY]);
  const events: ThreadkeepEvent[] = [];
  const continuity = setup.archive === false ? null : createContinuity({ archive: await memoryArchive() });
  const options: SummarizationOptions = {
    enabled: true,
    model: summaryModel,
    trigger: { type: 'tokens', value: 400 },
    keep: { type: 'messages', value: 4 },
    ...(continuity === null ? {} : { continuity }),
    onEvent: (event) => events.push(event),
    ...setup.options,
  };
  const agent = createAgent({
    model,
    tools: setup.tools ?? [],
    checkpointer: setup.saver ?? new MemorySaver(),
    middleware: [summarization(options)],
    ...(setup.responseFormat === undefined ? {} : { responseFormat: setup.responseFormat as never }),
  });
  threads += 1;
  const thread = setup.thread ?? `summarization-${threads}`;
  const config = { configurable: { thread_id: thread } };
  const state = async () => (await agent.graph.getState(config)).values as Record<string, unknown>;
  const say = async (messages: BaseMessage[], more: object = {}) =>
    agent.invoke({ messages }, { ...config, ...more });
  return { agent, model, summaryModel, events, continuity, config, thread, state, say };
}

export const texts = (messages: readonly BaseMessage[] | undefined): string[] =>
  (messages ?? []).map((message) => message.text);
export const typesOf = (events: readonly ThreadkeepEvent[]): string[] => events.map(({ type }) => type);
export const coveredCountOf = (state: Readonly<Record<string, unknown>>): number =>
  (state['compaction'] as CompactionRecord | undefined)?.covered.count ?? 0;
