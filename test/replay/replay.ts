// Replays a recorded conversation through a real agent in a page, and says what came of it.
import { type AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { END } from '@langchain/langgraph';
import { createAgent, tool } from 'langchain';
import { openArchive } from 'threadkeep';
import { compactThread, coveredMessages, IndexedDBSaver, threadkeep, toMessages } from 'threadkeep/langchain';
import { OfflineChatModel } from 'threadkeep/offline-model';
import { z } from 'zod';
import { type ImportedConversation, toLangChain } from '../../demo/import/index.js';
import { visibleText } from '../../src/core/message.js';
import { type Scripted, ScriptedModel } from '../support/scripted-model.js';
import { type Probe, probesOf } from './probes.js';
import { faultsOf } from './strict.js';
import { recordingOf } from './turns.js';

export interface ReplayOptions {
  /** Tokens from which a request is compacted. */
  readonly trigger: number;
  /** Messages that stay. */
  readonly keep: number;
  /** Identifiers that are looked for at most. */
  readonly probes: number;
}

/** How many of the probed identifiers stand in a search's first hit, and in one of its eight. */
export interface Recall {
  readonly probed: number;
  readonly first: number;
  readonly eight: number;
}

export interface ReplayReport {
  readonly messages: number;
  readonly compactions: number;
  /** Compactions that failed, with the reason. */
  readonly failures: readonly string[];
  readonly requests: number;
  /** What was wrong with each invalid request. */
  readonly invalid: readonly string[];
  /** While everything stands in the checkpoint. */
  readonly active: Recall;
  /** After what was covered has been pruned from the checkpoint. */
  readonly archive: Recall;
  /** Milliseconds of each turn. */
  readonly turns: readonly number[];
}

const NO_RESULT = 'The recording has no result of this call.';
const NO_ANSWER = 'The recording has no answer here.';
/** More model calls than a recording of 25 MB has. */
const CALLS = 200_000;

/** Needs a page with workers and storage, which is thrown away afterwards. */
export async function replay(
  conversation: ImportedConversation,
  options: ReplayOptions,
): Promise<ReplayReport> {
  const { systemPrompt, messages } = toLangChain(conversation);
  const recording = recordingOf(messages);
  const saver = new IndexedDBSaver({ database: `replay-${crypto.randomUUID()}` });
  const archive = openArchive();
  const thread = { configurable: { thread_id: crypto.randomUUID() } };
  const target = { thread: thread.configurable.thread_id };

  const invalid: string[] = [];
  const failures: string[] = [];
  let compactions = 0;
  let requests = 0;
  let due: Scripted[] = [];
  const answer = (request: readonly BaseMessage[]): Scripted => {
    requests += 1;
    const faults = faultsOf(request);
    if (faults.length > 0) invalid.push(`request ${requests}: ${faults.join('; ')}`);
    return due.shift() ?? NO_ANSWER;
  };
  const agent = createAgent({
    model: new ScriptedModel(new Array<typeof answer>(CALLS).fill(answer)),
    tools: recording.toolNames.map((name) =>
      tool(
        async (_args: unknown, { toolCall }) => recording.resultByCall.get(toolCall?.id ?? '') ?? NO_RESULT,
        { name: toolNameOf(name), description: name, schema: z.looseObject({}) },
      ),
    ),
    ...(systemPrompt === null ? {} : { systemPrompt }),
    checkpointer: saver,
    middleware: threadkeep({
      archive,
      summarization: {
        enabled: true,
        model: new OfflineChatModel(),
        trigger: { type: 'tokens', value: options.trigger },
        keep: { type: 'messages', value: options.keep },
      },
      taskContinuity: { enabled: true },
      onEvent(event) {
        if (event.type === 'context_compacted') compactions += 1;
        if (event.type === 'context_compaction_failed') failures.push(`${event.reason}: ${event.message}`);
      },
    }),
  });
  const stateNow = async () => (await agent.graph.getState(thread)).values;

  const turns: number[] = [];
  for (const { input, answers } of recording.turns) {
    if (!input.some((message) => HumanMessage.isInstance(message))) {
      await agent.graph.updateState(thread, { messages: [...input] }, 'model_request');
      await agent.graph.updateState(thread, null, END);
      continue;
    }
    due = answers.map(scripted);
    const begun = performance.now();
    await agent.invoke({ messages: [...input] }, { ...thread, recursionLimit: 10 * answers.length + 50 });
    turns.push(performance.now() - begun);
  }
  const replayed = compactions;

  // What the requests no longer hold, as a last compaction leaves it.
  await compactThread(agent, target, {});
  const whole = await stateNow();
  const covered = new Set(coveredMessages(whole)?.covered);
  const neutral = toMessages(whole.messages);
  const textById = new Map(neutral.map((message) => [message.id, visibleText(message)]));
  const probes = probesOf(
    neutral.filter(({ id }) => id !== null && covered.has(id)),
    options.probes,
  );
  const search = async (asked: readonly Probe[]): Promise<Recall> => {
    const { config } = await agent.graph.getState(thread);
    const ranks: number[] = [];
    for (const { identifier, query } of asked) {
      due = [{ calls: [{ name: 'history_search', args: { query }, id: crypto.randomUUID() }] }];
      // Each on a branch of its own: no question stands in the way of another.
      const after = await agent.invoke({ messages: [new HumanMessage('Please look it up.')] }, config);
      ranks.push(hitsIn(after.messages).findIndex((id) => textById.get(id)?.includes(identifier) === true));
    }
    const within = (limit: number): number => ranks.filter((rank) => rank >= 0 && rank < limit).length;
    return { probed: asked.length, first: within(1), eight: within(8) };
  };
  const active = await search(probes);
  await agent.graph.updateState(thread, null, END);
  await compactThread(agent, target, { prune: true });
  const left = toMessages((await stateNow()).messages).map(visibleText);
  const archived = await search(
    probes.filter(({ identifier }) => !left.some((text) => text.includes(identifier))),
  );
  archive.dispose();
  await saver.close();
  return {
    messages: whole.messages.length,
    compactions: replayed,
    failures,
    requests,
    invalid,
    active,
    archive: archived,
    turns,
  };
}

/** The package's own tools keep their names. */
function toolNameOf(name: string): string {
  return OWN_TOOLS.has(name) ? `recorded_${name}` : name;
}

const OWN_TOOLS: ReadonlySet<string> = new Set(['task_note', 'history_search', 'history_read']);

function scripted(message: AIMessage): Scripted {
  const calls = message.tool_calls ?? [];
  if (calls.length === 0) return message.text;
  return {
    text: message.text,
    calls: calls.map(({ name, args, id = '' }) => ({ name: toolNameOf(name), args, id })),
  };
}

/** Ids of the messages that the last search found, best first. */
function hitsIn(messages: readonly BaseMessage[]): readonly string[] {
  const answer = messages.findLast((message) => ToolMessage.isInstance(message));
  const { results } = JSON.parse(answer?.text ?? '{"results":[]}') as {
    results: readonly { readonly message_id: string | null }[];
  };
  return results.map(({ message_id }) => message_id ?? '');
}
