// The three tools that a model uses to remember: notes, search, exact reading.
import { ToolMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import { type ToolRuntime, tool } from 'langchain';
import { z } from 'zod';
import type { Continuity } from '../continuity.js';
import { OWN_RESULT_MARK } from '../core/echo.js';
import { latestCalls, type NoteCall } from '../core/notes.js';
import { ContinuityError } from '../errors.js';
import type { EventListener, ThreadkeepEvent } from '../events.js';
import type { HistoryView } from '../lookup.js';
import { identify } from './identity.js';
import { toMessages } from './messages.js';
import {
  NOTE_DESCRIPTION,
  noteAnswer,
  READ_DESCRIPTION,
  readAnswer,
  SEARCH_DESCRIPTION,
  searchAnswer,
} from './tool-answers.js';

/** Names of the tools, in the order in which they are installed. */
type ContinuityToolName = 'task_note' | 'history_search' | 'history_read';

/**
 * Gives the arguments that a call of `task_note` really runs with, where an application lets models write handles
 * in place of values; undefined where the call's own arguments count. Asked for every sibling of a parallel batch,
 * so that two names of one key share a place.
 */
export type ResolveToolArguments = (
  call: { readonly id: string | null; readonly name: string; readonly args: unknown },
  runtime: ToolRuntime,
) => unknown;

export interface ContinuityToolOptions {
  readonly continuity: Continuity;
  /** The user of runs that name none. */
  readonly user?: string | undefined;
  readonly onEvent?: EventListener | undefined;
  readonly resolveToolArguments?: ResolveToolArguments | undefined;
  /** Names that are taken by tools of the agent's own: ours of that name is not made. */
  readonly taken?: ReadonlySet<string> | undefined;
}

/**
 * Shown to the model with its exact type, but open when it is parsed: what a model got wrong is answered by the
 * tool itself, in words that it can act on.
 */
const described = (schema: Readonly<Record<string, unknown>>) => z.unknown().optional().meta(schema);

const searchSchema = z
  .object({
    query: described({
      type: 'string',
      description: 'A few distinctive words. The first 500 characters are looked at.',
    }),
    role: described({
      anyOf: [{ type: 'string', enum: ['user', 'assistant', 'tool'] }, { type: 'null' }],
      description: 'Only messages of this author. Leave out for all.',
    }),
  })
  .meta({ required: ['query'] });

const readSchema = z
  .object({
    source_id: described({ type: 'string', description: 'The id of a search hit.' }),
    offset: described({
      type: 'integer',
      minimum: 0,
      default: 0,
      description: 'First character of the page.',
    }),
  })
  .meta({ required: ['source_id'] });

const noteSchema = z
  .object({
    key: described({ type: 'string', description: 'Names the note; an existing one is replaced.' }),
    content: described({ type: 'string', description: 'What to remember. Empty deletes the note.' }),
    source_ids: described({
      anyOf: [{ type: 'array', items: { type: 'string' }, maxItems: 4 }, { type: 'null' }],
      description: 'Ids of the sources that you read for this.',
    }),
  })
  .meta({ required: ['key', 'content'] });

/** Makes the three tools over one archive. A thread's notes and history are found through the run alone. */
export function createContinuityTools(options: ContinuityToolOptions) {
  const { continuity } = options;

  const taskNote = tool(
    async (input: Readonly<Record<string, unknown>>, runtime: ToolRuntime) => {
      const state = stateOf(runtime);
      const callId = runtime.toolCallId;
      const calls = await resolvedCalls(state.view, options, runtime);
      const own = await resolve({ id: callId, name: 'task_note', args: input }, options, runtime);
      const args = isObject(own) ? own : {};
      const outcome = await continuity.checkNote(
        state.view,
        { key: args['key'], content: args['content'], source_ids: args['source_ids'] },
        { notes: state.notes, callId, calls },
      );
      const message = answer('task_note', callId, noteAnswer(outcome));
      if (outcome.kind === 'error') return message;
      const { key } = outcome;
      emit(
        { type: outcome.kind === 'saved' ? 'note_saved' : 'note_deleted', toolCallId: callId, key },
        runtime,
      );
      const write = Object.fromEntries([[key, outcome.kind === 'saved' ? outcome.note : null]]);
      return new Command({ update: { messages: [message], taskNotes: write } });
    },
    { name: 'task_note', description: NOTE_DESCRIPTION, schema: noteSchema },
  );

  const historySearch = tool(
    async (input: Readonly<Record<string, unknown>>, runtime: ToolRuntime) => {
      const query = input['query'];
      const outcome = await continuity.search(stateOf(runtime).view, { query, role: input['role'] });
      emit(
        {
          type: 'history_searched',
          toolCallId: runtime.toolCallId,
          query: typeof query === 'string' ? query : '',
          hits: outcome.kind === 'results' ? outcome.results.length : 0,
          status: outcome.kind === 'results' ? outcome.status : outcome.error,
        },
        runtime,
      );
      return answer('history_search', runtime.toolCallId, searchAnswer(outcome));
    },
    { name: 'history_search', description: SEARCH_DESCRIPTION, schema: searchSchema },
  );

  const historyRead = tool(
    async (input: Readonly<Record<string, unknown>>, runtime: ToolRuntime) => {
      const { source_id: id, offset = 0 } = input;
      const outcome = await continuity.read(stateOf(runtime).view, { id, offset });
      emit(
        {
          type: 'history_read',
          toolCallId: runtime.toolCallId,
          sourceId: typeof id === 'string' ? id : '',
          offset: typeof offset === 'number' ? offset : 0,
          status: outcome.kind === 'page' ? outcome.status : outcome.error,
        },
        runtime,
      );
      return answer('history_read', runtime.toolCallId, readAnswer(outcome));
    },
    { name: 'history_read', description: READ_DESCRIPTION, schema: readSchema },
  );

  const emit = (event: ThreadkeepEvent, runtime: ToolRuntime): void => {
    runtime.writer?.(event);
    options.onEvent?.(event);
  };

  const stateOf = (runtime: ToolRuntime): { readonly view: HistoryView; readonly notes: unknown } => {
    const state = isObject(runtime.state) ? runtime.state : {};
    const { user, thread } = identify(runtime, { user: options.user });
    const messages = toMessages(Array.isArray(state['messages']) ? state['messages'] : []);
    const view: HistoryView = {
      scope: thread === null ? null : { user, thread },
      history: state['taskHistory'],
      messages,
      pendingOwnCalls: new Set(installed.flatMap(({ name }) => latestCalls(messages, name).map(idOf))),
    };
    return { view, notes: state['taskNotes'] };
  };

  const installed = [taskNote, historySearch, historyRead].filter(({ name }) => !options.taken?.has(name));
  for (const one of installed) ownTools.add(one);
  return installed;
}

/** Every tool that was made here; a name alone says nothing. */
const ownTools = new WeakSet<object>();

/**
 * Throws a `ContinuityError` when a request holds a tool of ours and another one of its name, which LangChain refuses
 * in words that name a hook and not what to do. For whichever middleware sees the request first.
 */
export function refuseDoubles(tools: readonly object[]): void {
  const names = new Set(tools.filter((one) => ownTools.has(one)).map(nameOf));
  const double = tools.find((one) => !ownTools.has(one) && names.has(nameOf(one)));
  if (double === undefined) return;
  throw new ContinuityError(
    'invalid-option',
    `existingTools: the agent has a tool named ${String(nameOf(double))} of its own. ` +
      'Name it there, and it is left in its place.',
  );
}

const nameOf = (one: object): unknown => Reflect.get(one, 'name');

const idOf = (call: NoteCall): string => call.id ?? '';

async function resolvedCalls(
  view: HistoryView,
  options: ContinuityToolOptions,
  runtime: ToolRuntime,
): Promise<readonly NoteCall[]> {
  const calls = latestCalls(view.messages, 'task_note');
  return Promise.all(
    calls.map(async ({ id, args }) => ({
      id,
      args: await resolve({ id, name: 'task_note', args }, options, runtime),
    })),
  );
}

async function resolve(
  call: { readonly id: string | null; readonly name: string; readonly args: unknown },
  options: ContinuityToolOptions,
  runtime: ToolRuntime,
): Promise<unknown> {
  const resolved: unknown = await options.resolveToolArguments?.(call, runtime);
  return resolved === undefined ? call.args : resolved;
}

/** An answer that is known for ours wherever it turns up again: the mark is no tool of the user's. */
function answer(name: ContinuityToolName, callId: string, content: string): ToolMessage {
  return new ToolMessage({
    name,
    content,
    tool_call_id: callId,
    additional_kwargs: { [OWN_RESULT_MARK]: name },
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
