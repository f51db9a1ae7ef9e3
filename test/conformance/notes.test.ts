// The reference's own answers for notes, their channel, their places, and the durable context (e).
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Command, isCommand, Overwrite, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { afterAll, describe, expect, test } from 'vitest';
import { createContinuity } from '../../src/continuity.js';
import { boundText, renderDurableContext } from '../../src/core/durable-context.js';
import { normalizeHistory } from '../../src/core/history.js';
import { mergeNotes, normalizeNotes } from '../../src/core/notes.js';
import { taskNotes } from '../../src/langchain/state.js';
import { createContinuityTools } from '../../src/langchain/tools.js';
import { memoryArchive } from '../../worker/memory.js';
import { saysSame } from './lookup-compare.js';
import type { VectorMessage } from './lookup-vectors.js';
import { readVectors } from './text-vectors.js';

interface NoteVector {
  readonly name: string;
  readonly kind: string;
  readonly input: unknown;
  readonly expected: unknown;
}

const WHOLE_JSON = 'D14: the notes section is whole JSON; notes go from the oldest until it fits';

/** Where our answer is another one by decision: case name → why, and what we answer instead. */
const DEPARTURES: ReadonlyMap<string, { readonly reason: string; readonly check: (ours: unknown) => void }> =
  new Map([
    [
      'normalize 47',
      {
        reason: 'a JavaScript object lists keys that are whole numbers before all others',
        check: (ours: unknown) => expect(Object.keys(Object(ours))).toEqual(['1', '3', '5', '9']),
      },
    ],
    ['render 8', { reason: WHOLE_JSON, check: expectNewestNotes }],
    ['render 9', { reason: WHOLE_JSON, check: expectNewestNotes }],
  ]);

function expectNewestNotes(ours: unknown): void {
  const json = /^<durable_context_data>\n## Task working notes\n(.*)\n<\/durable_context_data>$/s.exec(
    String(ours),
  );
  const { notes } = JSON.parse(json?.[1] ?? '') as { readonly notes: object };
  expect(Object.keys(notes)).toEqual(['n2', 'n3', 'n4', 'n5', 'n6', 'n7']);
}

const tally = { ran: 0, held: 0, departed: 0 };
afterAll(() => console.log(`e_notes: ran ${tally.ran}, held ${tally.held}, departed ${tally.departed}`));

const { cases } = readVectors('e_notes') as unknown as { readonly cases: readonly NoteVector[] };

describe('notes answer like the reference', () => {
  test.each(cases.map((vector) => [`${vector.kind}: ${vector.name}`, vector] as const))(
    '%s',
    async (_, vector) => {
      tally.ran += 1;
      const ours = await answerOf(vector);
      const departure = DEPARTURES.get(vector.name);
      if (departure === undefined) {
        if (!isAlike(vector.expected, ours)) expect(ours).toEqual(vector.expected);
        tally.held += 1;
      } else {
        expect(isAlike(vector.expected, ours), `departs no more: ${departure.reason}`).toBe(false);
        departure.check(ours);
        tally.departed += 1;
      }
    },
  );
});

/** Mappings are lists of pairs in order; hints of our own in errors are not looked at. */
function isAlike(expected: unknown, ours: unknown): boolean {
  const isPairs = Array.isArray(expected) && expected.every((item) => Array.isArray(item));
  const answer = isPairs && typeof ours === 'object' && ours !== null ? Object.entries(ours) : ours;
  return saysSame(expected, answer);
}

async function answerOf({ kind, input, expected }: NoteVector): Promise<unknown> {
  const given = plain(input);
  const fields = (given ?? {}) as Readonly<Record<string, unknown>>;
  switch (kind) {
    case 'normalize_task_notes':
      return normalizeNotes(given);
    case 'merge_task_notes':
      return mergeNotes(fields['left'], fields['right']);
    case 'TaskNotesChannel':
      return channelAfter(fields['supersteps'] as readonly (readonly unknown[])[]);
    case 'bound_text':
      return boundText(String(fields['text']), Number(fields['cap']));
    case 'normalize_task_history':
      return normalizeHistory(given) ?? {};
    case 'render_durable_context_data':
      return rendered(fields);
    case 'task_note':
      return noteResult(fields, { id: 'call-1', args: fields['args'] });
    case 'batch_reservation':
      return reservations(fields, expected as readonly { readonly tool_call_id: string }[]);
    default:
      throw new Error(`No rule for ${kind}.`);
  }
}

/** Vectors with keys that are whole numbers come as maps; checkpoints hold objects. */
function plain(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}

function rendered(fields: Readonly<Record<string, unknown>>): string {
  const { summary_text: summary, task_notes: notes, task_history: history } = fields;
  const continuity = { notes: normalizeNotes(notes), history: normalizeHistory(history) };
  return renderDurableContext({
    summary: typeof summary === 'string' ? summary : null,
    ...(notes === null ? {} : { continuity }),
  });
}

/** A real graph: the writes of a superstep are nodes side by side. */
async function channelAfter(supersteps: readonly (readonly unknown[])[]): Promise<unknown> {
  const graph = new StateGraph(new StateSchema({ taskNotes })) as unknown as {
    addNode(name: string, run: () => unknown): void;
    addEdge(from: string | string[], to: string): void;
    compile(): { invoke(input: object): Promise<{ readonly taskNotes?: unknown }> };
  };
  let before: string[] = [START];
  for (const [step, listed] of supersteps.entries()) {
    const [first, second] = listed;
    const writes = first === '__overwrite__' ? [new Overwrite(second)] : listed;
    const names = writes.map((_, index) => `write-${step}-${String.fromCharCode(97 + index)}`);
    for (const [index, name] of names.entries()) {
      graph.addNode(name, () => ({ taskNotes: writes[index] }));
      if (before[0] === START) graph.addEdge(START, name);
      else graph.addEdge(before, name);
    }
    before = names;
  }
  return (await graph.compile().invoke({})).taskNotes ?? {};
}

interface Call {
  readonly id: string;
  readonly args: unknown;
}

/** Each call that the reference answered, in its order; a call that is in no message is made all the same. */
async function reservations(
  fields: Readonly<Record<string, unknown>>,
  expected: readonly { readonly tool_call_id: string }[],
): Promise<unknown> {
  const messages = fields['messages'] as readonly VectorMessage[];
  const left: Call[] = messages.flatMap((message) => message.tool_calls ?? []);
  const answered: unknown[] = [];
  for (const { tool_call_id: id } of expected) {
    const at = left.findIndex((call) => call.id === id);
    const [call] = at < 0 ? [{ id, args: { key: id, content: 'new note' } }] : left.splice(at, 1);
    if (call !== undefined) answered.push({ tool_call_id: id, result: await noteResult(fields, call) });
  }
  return answered;
}

/** The real tool, called as LangChain's tool node calls it. */
async function noteResult(fields: Readonly<Record<string, unknown>>, { id, args }: Call): Promise<unknown> {
  const resolved = (fields['resolved_tool_call_args'] ?? {}) as Readonly<Record<string, unknown>>;
  const tools = createContinuityTools({
    continuity: createContinuity({ archive: await memoryArchive() }),
    resolveToolArguments: (call) => resolved[call.id ?? ''],
  });
  const messages = ((fields['messages'] ?? []) as readonly VectorMessage[]).map(aLangChainMessage);
  const state = { messages, taskNotes: fields['task_notes'] };
  const call = { type: 'tool_call' as const, name: 'task_note', id, args: args as Record<string, unknown> };
  const config = { toolCallId: id, state, configurable: { thread_id: 'thread-a', user_id: 'alice' } };
  const [taskNote] = tools as readonly { invoke(call: object, config: object): Promise<unknown> }[];
  const output = await taskNote?.invoke(call, config);
  if (ToolMessage.isInstance(output)) return JSON.parse(String(output.content));
  if (!isCommand(output) || !(output instanceof Command)) throw new Error('Neither a message nor a command.');
  const update = output.update as { readonly messages: readonly ToolMessage[]; readonly taskNotes: unknown };
  const [message] = update.messages;
  return {
    update: { task_notes: update.taskNotes },
    tool_message: JSON.parse(String(message?.content)),
    tool_call_id: message?.tool_call_id,
  };
}

function aLangChainMessage({
  type,
  id,
  content,
  tool_calls: calls = [],
  tool_call_id,
}: VectorMessage): BaseMessage {
  const fields = { id: id ?? '', content: String(content) };
  if (type === 'tool') return new ToolMessage({ ...fields, tool_call_id: tool_call_id ?? '' });
  if (type !== 'ai') return new HumanMessage(fields);
  const toolCalls = calls.map((call) => ({ ...call, args: call.args as Record<string, unknown> }));
  return new AIMessage({ ...fields, tool_calls: toolCalls });
}
