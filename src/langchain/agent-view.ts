// What a page can see of an agent and a thread of it, from outside of any run.
import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { ContinuityError } from '../errors.js';
import { type CompactionCall, compactionCall } from './compaction-call.js';
import { DEFAULT_USER } from './identity.js';
import { optionsOf, SUMMARIZATION } from './summarization.js';
import { TASK_CONTINUITY } from './task-continuity.js';

/** An agent made with `createAgent` and `threadkeep` (or `summarization`) among its middleware. */
export interface CompactableAgent {
  readonly options: {
    readonly model?: unknown;
    readonly systemPrompt?: unknown;
    readonly tools?: readonly unknown[];
    readonly middleware?: readonly object[];
  };
  readonly graph: {
    getState(config: object): Promise<{ readonly values: unknown; readonly tasks: readonly unknown[] }>;
    updateState(config: object, values: object, ...asNode: string[]): Promise<unknown>;
  };
}

/** Whose thread. */
export interface ThreadTarget {
  readonly thread: string;
  /** By default the one that the middleware was made with, or else `local`. */
  readonly user?: string;
  /** The id of the checkpoint to look at; the thread's latest by default. What is written then begins a branch. */
  readonly checkpoint?: string;
}

/** A thread as one of its checkpoints has it, ready for a compaction. */
export interface ThreadView {
  readonly call: CompactionCall;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether requests carry task notes. */
  readonly hasNotes: boolean;
  /**
   * Writes into the thread. A thread at rest stays at rest; one that waits for its user, or whose run was cut off,
   * goes on waiting.
   */
  write(update: object): Promise<void>;
}

/**
 * Reads a thread. Throws a `ContinuityError` for an agent without our middleware, and what the checkpointer throws;
 * `name` is the caller's, for the message.
 */
export async function viewThread(
  name: string,
  agent: CompactableAgent,
  target: ThreadTarget,
  signal?: AbortSignal,
): Promise<ThreadView> {
  const options = agent.options.middleware?.map(optionsOf).find((found) => found !== undefined);
  if (options === undefined) {
    throw new ContinuityError(
      'invalid-option',
      `${name}: this agent has no enabled summarization among its middleware; make it with threadkeep({ summarization: { enabled: true, … } }).`,
    );
  }
  const user = target.user ?? options.user ?? DEFAULT_USER;
  const at = target.checkpoint === undefined ? {} : { checkpoint_id: target.checkpoint };
  const config = { configurable: { thread_id: target.thread, user_id: user, ...at } };
  const state = await agent.graph.getState(config);
  const values = (state.values ?? {}) as Readonly<Record<string, unknown>>;
  const hasNotes = agent.options.middleware?.some(isDurableContext) === true;
  const call = compactionCall(options, {
    identity: { user, thread: target.thread, namespace: '' },
    messages: messagesOf(values['messages']),
    stored: { compaction: values['compaction'], taskHistory: values['taskHistory'] },
    model: agent.options.model as CompactionCall['model'],
    system: systemOf(agent.options.systemPrompt),
    tools: toolsOf(agent.options),
    durable: hasNotes ? values : null,
    runBeganAt: Date.now(),
    signal,
    emit: (event) => options.onEvent?.(event),
  });
  // `next` leaves out a step whose outcome is stored but not yet in a checkpoint; `tasks` has it.
  const asNode = state.tasks.length === 0 ? [`${SUMMARIZATION}.after_agent`] : [];
  return {
    call,
    values,
    hasNotes,
    async write(update) {
      await agent.graph.updateState(config, update, ...asNode);
    },
  };
}

function messagesOf(value: unknown): readonly BaseMessage[] {
  return Array.isArray(value) ? value : [];
}

/** The continuity middleware when it is enabled: then it brings tools. */
function isDurableContext(middleware: object): boolean {
  return (
    Reflect.get(middleware, 'name') === TASK_CONTINUITY && Array.isArray(Reflect.get(middleware, 'tools'))
  );
}

function systemOf(prompt: unknown): SystemMessage | undefined {
  if (prompt instanceof SystemMessage) return prompt;
  return typeof prompt === 'string' && prompt !== '' ? new SystemMessage(prompt) : undefined;
}

function toolsOf({ tools = [], middleware = [] }: CompactableAgent['options']): readonly unknown[] {
  const added = middleware.map((one): unknown => Reflect.get(one, 'tools')).filter(Array.isArray);
  return [...tools, ...added.flat()];
}
