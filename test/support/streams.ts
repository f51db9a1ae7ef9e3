// Everything that an agent's streams tell while it compacts, put down as text: where a summary's tokens would show.
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { summarization } from '../../src/langchain/summarization.js';
import { ScriptedModel } from './scripted-model.js';

/** What the summariser says; the answer is `ANSWER`. */
export const SECRET = 'SECRET SUMMARY';
export const ANSWER = 'the answer';

const talk = Array.from({ length: 20 }, (_, at) => {
  const content = `m${at} says something about the boats in the harbour, at some length, so that it counts.`;
  return at % 2 === 0 ? new HumanMessage({ content }) : new AIMessage({ content });
});

let threads = 0;

/** One model for both, which is the harder case: its first answer is the summary. */
function anAgent() {
  threads += 1;
  const model = new ScriptedModel([SECRET, ANSWER]);
  const middleware = summarization({
    enabled: true,
    trigger: { type: 'tokens', value: 400 },
    keep: { type: 'messages', value: 4 },
  });
  const agent = createAgent({ model, tools: [], checkpointer: new MemorySaver(), middleware: [middleware] });
  return { agent, model, config: { configurable: { thread_id: `streams-${threads}` } } };
}

export const MODES = ['values', 'updates', 'messages', 'custom', 'tools'] as const;

/** What was told of messages, tokens and events. */
export interface Told {
  readonly text: string;
  /** Whether the answering model was sent the summary, as it must. */
  readonly isCompacted: boolean;
}

/**
 * Streams in these modes at once, subgraphs included. Of states only the messages are told: their record holds the
 * summary, as it must.
 */
export async function toldInModes(modes: readonly (typeof MODES)[number][]): Promise<Told> {
  const { agent, model, config } = anAgent();
  const told: unknown[] = [];
  const stream = await agent.stream(
    { messages: talk },
    { ...config, streamMode: [...modes], subgraphs: true },
  );
  for await (const [, mode, chunk] of stream) {
    told.push(mode === 'values' || mode === 'updates' ? messagesIn(chunk) : chunk);
  }
  return toldBy(model, told);
}

/** The events of `streamEvents`; of chains' states only the messages are told. */
export async function toldInEvents(version: 'v1' | 'v2'): Promise<Told & { readonly models: number }> {
  const { agent, model, config } = anAgent();
  const told: unknown[] = [];
  const models = new Set<string>();
  for await (const { event, data, run_id: run } of agent.streamEvents(
    { messages: talk },
    { ...config, version },
  )) {
    const { chunk, output } = data as { chunk?: unknown; output?: unknown };
    if (/_(?:chat_model|llm)_/u.test(event)) models.add(run);
    const isState = event.startsWith('on_chain');
    told.push(isState ? [messagesIn(chunk), messagesIn(output)] : [event, chunk, output]);
  }
  return { ...toldBy(model, told), models: models.size };
}

/** The messages of the projected run stream, token by token. */
export async function toldInRun(): Promise<Told> {
  const { agent, model, config } = anAgent();
  const run = await agent.streamEvents({ messages: talk }, { ...config, version: 'v3' });
  const told: string[] = [];
  for await (const message of run.messages) told.push(await message.text);
  return toldBy(model, told);
}

function toldBy(model: ScriptedModel, told: readonly unknown[]): Told {
  return { text: JSON.stringify(told), isCompacted: model.requests[1]?.[0]?.text.includes(SECRET) === true };
}

function messagesIn(chunk: unknown): string[] {
  const parts = [chunk, ...Object.values(Object(chunk))] as ({ messages?: BaseMessage[] } | undefined)[];
  return parts.flatMap((part) => part?.messages ?? []).map(({ text }) => text);
}
