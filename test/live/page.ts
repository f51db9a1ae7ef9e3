// The page of the live check: the agent that talks and is compacted, and, after a reload, another that has to remember.
import { type AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { END } from '@langchain/langgraph';
import { createAgent, createMiddleware } from 'langchain';
import { openArchive } from 'threadkeep';
import { compactThread, IndexedDBSaver, threadkeep } from 'threadkeep/langchain';
import { endpointModel } from '../../demo/models/endpoint.js';
import { beginningVerdicts, type Called, endVerdicts, type Verdict } from './judge.js';
import { type Codes, conversationOf, newCodes, SUMMARY_PROMPT, taskOf } from './setting.js';

/** What came of one half of the check. */
export interface LiveReport {
  readonly verdicts: readonly Verdict[];
  /** What the model did, a line each. */
  readonly steps: readonly string[];
}

interface State {
  readonly messages: readonly BaseMessage[];
  readonly taskNotes?: Readonly<Record<string, { readonly source_ids: readonly string[] }>>;
}

const THREAD = 'paint-workshop';
/** A model that takes more turns is lost. */
const STEPS = 80;
const ANSWER_MS = 180_000;
const CODES = 'codes';

/** The key is added on the way: it never comes into the page. */
const modelOf = (model: string) =>
  endpointModel({ kind: 'endpoint', baseUrl: `${location.origin}/model`, model, apiKey: '' }, ANSWER_MS);

function anAgent(name: string) {
  const saver = new IndexedDBSaver();
  const archive = openArchive();
  const requests: string[] = [];
  const agent = createAgent({
    model: modelOf(name),
    tools: [],
    systemPrompt:
      'You keep the log of a paint workshop. You look up what you no longer see; you never guess.',
    checkpointer: saver,
    middleware: [
      ...threadkeep({
        archive,
        summarization: {
          enabled: true,
          trigger: { type: 'tokens', value: 20_000 },
          keep: { type: 'messages', value: 4 },
          summaryPrompt: SUMMARY_PROMPT,
          summaryTimeoutMs: ANSWER_MS,
        },
        taskContinuity: { enabled: true },
      }),
      createMiddleware({
        name: 'sent',
        wrapModelCall: (request, handler) => {
          requests.push([request.systemMessage, ...request.messages].map(({ text }) => text).join('\n'));
          return handler(request);
        },
      }),
    ],
  });
  const config = { configurable: { thread_id: THREAD }, recursionLimit: STEPS };
  const stateNow = async (): Promise<State> => (await agent.graph.getState(config)).values;
  return { agent, archive, saver, requests, config, stateNow };
}

/** Writes the conversation, compacts it, and takes what is archived out of the checkpoint. */
export async function begin(name: string): Promise<LiveReport> {
  const codes = newCodes();
  localStorage.setItem(CODES, JSON.stringify(codes));
  const { agent, archive, saver, config, stateNow } = anAgent(name);
  const messages = conversationOf(codes);
  await agent.graph.updateState(config, { messages }, 'model_request');
  await agent.graph.updateState(config, null, END);
  const compacted = await compactThread(agent, { thread: THREAD }, { prune: true });
  const info = await archive.info();
  const state = await stateNow();
  await saver.close();
  archive.dispose();
  const summary = summaryOf(state);
  return {
    verdicts: beginningVerdicts({
      codes,
      compacted,
      isPersistent: info.ok && info.value.persistent,
      summary,
      left: state.messages.map(({ text }) => text),
    }),
    steps: [
      `${messages.length} messages were written; ${compacted.pruned.length} left the checkpoint.`,
      `Summary: ${summary}`,
    ],
  };
}

/** A new agent over the stored thread gets the task. */
export async function finish(name: string): Promise<LiveReport> {
  const codes: Codes = JSON.parse(localStorage.getItem(CODES) ?? '{}');
  const { agent, requests, config, stateNow } = anAgent(name);
  let failure: string | null = null;
  try {
    const input = { messages: [new HumanMessage(taskOf(codes))] };
    // As a page asks: word for word. The state is read when all is said.
    for await (const _word of await agent.stream(input, { ...config, streamMode: 'messages' }));
  } catch (error) {
    failure = String(error);
  }
  const state = await stateNow();
  const task = state.messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const done = state.messages.slice(task + 1);
  const calls = callsOf(done);
  const answer = done.at(-1);
  const said = answer === undefined || ToolMessage.isInstance(answer) ? '' : answer.text;
  const steps = calls.map(({ name: tool, args, result }) => `${tool}(${JSON.stringify(args)}) → ${result}`);
  return {
    verdicts: endVerdicts({
      codes,
      failure,
      firstRequest: requests[0] ?? '',
      calls,
      notes: state.taskNotes ?? {},
      answer: said,
    }),
    steps: [...steps, `Answer: ${said}`],
  };
}

function summaryOf(state: object): string {
  const record: unknown = Reflect.get(state, 'compaction');
  const summary: unknown = typeof record === 'object' && record !== null && Reflect.get(record, 'summary');
  return typeof summary === 'string' ? summary : '';
}

/** Every tool call in order, with the model's turn that made it. */
function callsOf(messages: readonly BaseMessage[]): Called[] {
  const results = new Map(
    messages
      .filter((message) => ToolMessage.isInstance(message))
      .map((message) => [message.tool_call_id, message.text]),
  );
  return messages.flatMap((message, turn) =>
    ((message as AIMessage).tool_calls ?? []).map(({ id = '', name, args }) => ({
      turn,
      name,
      args,
      result: results.get(id) ?? '',
    })),
  );
}

Object.assign(globalThis, { liveCheck: { begin, finish } });
