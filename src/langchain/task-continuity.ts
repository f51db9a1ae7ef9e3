// The middleware that lets a model remember a task beyond its context: three tools and a durable context.
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { getCurrentTaskInput, StateSchema } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import type { Continuity } from '../continuity.js';
import { type DurableSection, renderDurableContext } from '../core/durable-context.js';
import { normalizeHistory } from '../core/history.js';
import { MAX_BATCHES, MAX_RECORD_CHARS, MAX_RECORDS_PER_BATCH } from '../core/limits.js';
import { normalizeNotes } from '../core/notes.js';
import { ContinuityError, integerOption } from '../errors.js';
import type { EventListener } from '../events.js';
import { withContract } from './durable-tokens.js';
import { identify } from './identity.js';
import { toMessages } from './messages.js';
import { taskHistory, taskNotes } from './state.js';
import { pendingHistory } from './summary-cache.js';
import { createContinuityTools, type ResolveToolArguments, refuseDoubles } from './tools.js';

/** The limits of the `task_continuity` block; see `readTaskContinuityConfig`. */
export interface TaskContinuityLimits {
  /** Off unless exactly true. */
  readonly enabled?: boolean;
  /** 1 to 64 batches a thread, 32 by default. */
  readonly maxBatches?: number;
  /** 1 to 1,024 records a batch, 256 by default. */
  readonly maxRecordsPerBatch?: number;
  /** 1,000 to 64,000 characters a record, 16,000 by default. */
  readonly maxRecordChars?: number;
}

/** A part of the agent's own state that the model should see in every request. It stays its owner's. */
export interface StateSection {
  /** The state's key, like `todos`. */
  readonly key: string;
  /** Shown above the content; by default made from the key. */
  readonly heading?: string;
}

export interface TaskContinuityOptions extends TaskContinuityLimits {
  /** Made with `createContinuity`; its limits are the ones that count. */
  readonly continuity: Continuity;
  /** The user of runs that name none; `local` by default. */
  readonly user?: string;
  /** State to show in the durable context; `goal` comes first, whatever the order. */
  readonly sections?: readonly (string | StateSection)[];
  /**
   * The agent's own tools, or their names. LangChain takes no two tools of one name, and a middleware cannot see
   * the agent's tools when it is made: where one of these has the name of ours, ours is not added.
   */
  readonly existingTools?: readonly (string | { readonly name?: unknown })[];
  readonly resolveToolArguments?: ResolveToolArguments;
  readonly onEvent?: EventListener;
}

/** The middleware's name in an agent. */
export const TASK_CONTINUITY = 'taskContinuity';

const stateSchema = new StateSchema({ taskHistory, taskNotes });

/**
 * Adds `task_note`, `history_search` and `history_read`, and puts notes and their history's status into every
 * request. When `enabled` is not exactly true it adds nothing: no tool, no state, no word.
 *
 * Place it after the compaction's middleware: what it adds belongs in front of what compaction leaves. It makes
 * no model call and writes nothing but notes. Throws a `ContinuityError` for limits outside of their ranges.
 */
export function taskContinuity(options: TaskContinuityOptions) {
  checkLimits(options);
  // Of one type with what follows, so that an agent's types do not hang on a setting.
  if (options.enabled !== true) return createMiddleware<typeof stateSchema>({ name: TASK_CONTINUITY });
  const { continuity, user, onEvent, resolveToolArguments } = options;
  const taken = namesOf(options.existingTools ?? []);
  const tools = createContinuityTools({ continuity, user, onEvent, resolveToolArguments, taken });
  const sections = (options.sections ?? []).map(sectionOf);

  return createMiddleware<typeof stateSchema>({
    name: TASK_CONTINUITY,
    stateSchema,
    tools,
    wrapModelCall: async (request, handler) => {
      refuseDoubles(request.tools);
      const { taskHistory: stored, taskNotes: notes } = request.state;
      const { user: owner, thread, namespace } = identify(request.runtime, { user });
      // The call that has just compacted sees its own compaction, though no checkpoint holds it yet.
      const pending = thread === null ? undefined : pendingHistory(owner, thread, namespace);
      const text = renderDurableContext({
        ...sectionsOf(sections, request.runtime),
        continuity: { notes: normalizeNotes(notes), history: normalizeHistory(pending ?? stored) },
      });
      const answer = handler({
        ...request,
        systemMessage: withContract(request.systemMessage),
        messages: withData(request.messages, text),
      });
      // While the model is thinking: its first search should not be the one that reads the whole conversation.
      void continuity.prepare(toMessages(request.state.messages));
      return answer;
    },
  });
}

/**
 * Reads the document's YAML block, parsed: `{ task_continuity: { enabled: true, max_batches: 32, … } }`, or what
 * stands under that key. Throws a `ContinuityError` for unknown keys and for values outside of their ranges.
 */
export function readTaskContinuityConfig(block: unknown): TaskContinuityLimits {
  const inner = isObject(block) && 'task_continuity' in block ? block['task_continuity'] : block;
  if (inner === null || inner === undefined) return { enabled: false };
  if (!isObject(inner)) {
    throw new ContinuityError(
      'invalid-option',
      `task_continuity: ${String(inner)} given; a block is needed.`,
    );
  }
  for (const key of Object.keys(inner)) {
    if (CONFIG_KEYS.includes(key)) continue;
    throw new ContinuityError(
      'invalid-option',
      `task_continuity.${key} is unknown; allowed are ${CONFIG_KEYS.join(', ')}.`,
    );
  }
  const { enabled = false } = inner;
  if (typeof enabled !== 'boolean') {
    throw new ContinuityError(
      'invalid-option',
      `enabled: ${String(enabled)} given; true or false is allowed.`,
    );
  }
  return {
    enabled,
    maxBatches: integerOption('max_batches', inner['max_batches'], MAX_BATCHES),
    maxRecordsPerBatch: integerOption(
      'max_records_per_batch',
      inner['max_records_per_batch'],
      MAX_RECORDS_PER_BATCH,
    ),
    maxRecordChars: integerOption('max_record_chars', inner['max_record_chars'], MAX_RECORD_CHARS),
  };
}

const CONFIG_KEYS = ['enabled', 'max_batches', 'max_records_per_batch', 'max_record_chars'];

function checkLimits(options: TaskContinuityOptions): void {
  const { retention } = options.continuity;
  const limits = {
    maxBatches: integerOption('maxBatches', options.maxBatches, MAX_BATCHES),
    maxRecordsPerBatch: integerOption(
      'maxRecordsPerBatch',
      options.maxRecordsPerBatch,
      MAX_RECORDS_PER_BATCH,
    ),
    maxRecordChars: integerOption('maxRecordChars', options.maxRecordChars, MAX_RECORD_CHARS),
  };
  for (const key of ['maxBatches', 'maxRecordsPerBatch', 'maxRecordChars'] as const) {
    if (options[key] === undefined || limits[key] === retention[key]) continue;
    throw new ContinuityError(
      'invalid-option',
      `${key}: ${limits[key]} given, but the continuity was made with ${retention[key]}. ` +
        'Give it to createContinuity as `retention`, which is where archives are written.',
    );
  }
}

function namesOf(tools: NonNullable<TaskContinuityOptions['existingTools']>): ReadonlySet<string> {
  const names = tools.map((one) => (typeof one === 'string' ? one : one.name));
  return new Set(names.filter((name) => typeof name === 'string'));
}

const HEADINGS: ReadonlyMap<string, string> = new Map([
  ['goal', 'Active goal'],
  ['todos', 'Todos'],
  ['delegations', 'Delegations'],
]);

function sectionOf(given: string | StateSection): Required<StateSection> {
  const { key, heading } = typeof given === 'string' ? { key: given, heading: undefined } : given;
  return { key, heading: heading ?? HEADINGS.get(key) ?? key };
}

function sectionsOf(
  sections: readonly Required<StateSection>[],
  runtime: { readonly configurable?: Record<string, unknown> },
): { readonly goal?: DurableSection; readonly sections: readonly DurableSection[] } {
  if (sections.length === 0) return { sections: [] };
  // A middleware's own view of the state holds its own keys alone; declaring others' would take them over.
  const state: unknown = getCurrentTaskInput({ configurable: runtime.configurable ?? {} });
  const contentOf = (key: string): unknown => (isObject(state) ? state[key] : undefined);
  const goal = sections.find(({ key }) => key === 'goal');
  return {
    ...(goal === undefined ? {} : { goal: { heading: goal.heading, content: contentOf('goal') } }),
    sections: sections
      .filter((section) => section !== goal)
      .map(({ key, heading }) => ({ heading, content: contentOf(key) })),
  };
}

function withData(messages: readonly BaseMessage[], text: string): BaseMessage[] {
  if (text === '') return [...messages];
  const data = new HumanMessage({
    content: text,
    additional_kwargs: { hide_from_ui: true, durable_context_data: true },
  });
  const first = messages.findIndex((message) => message.getType() !== 'system');
  const at = first < 0 ? messages.length : first;
  return [...messages.slice(0, at), data, ...messages.slice(at)];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
