// From what a checkpoint holds to what the page draws. State is parsed here once; the views trust it.
import { AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { coveredMessages } from 'threadkeep/langchain';
import type { ShownMessage, ShownNote, Snapshot, Speaker } from './store.js';

/** Marks an answer that the user stopped, in its response metadata. */
export const STOPPED = 'stopped_by_user';

const shownByMessage = new WeakMap<BaseMessage, ShownMessage>();

/** Draws up the state of an agent. Hidden messages and those without an id are left out. */
export function snapshotOf(values: unknown, unfinished: boolean): Snapshot {
  const state = isObject(values) ? values : {};
  const messages = Array.isArray(state['messages']) ? state['messages'] : [];
  return {
    messages: messages.flatMap((message: unknown) =>
      message instanceof BaseMessage ? (shown(message) ?? []) : [],
    ),
    compaction: coveredMessages({
      messages: messages.filter((message) => message instanceof BaseMessage),
      compaction: state['compaction'],
    }),
    notes: notesOf(state['taskNotes']),
    batches: batchesOf(state['taskHistory']),
    unfinished,
  };
}

/** The visible text of a message: its string, or its text blocks joined by newlines. */
export function visibleText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: unknown) => {
      if (typeof block === 'string') return block;
      return isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
        ? block['text']
        : '';
    })
    .filter((text) => text !== '')
    .join('\n');
}

function otherParts(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  return content.filter((block: unknown) => isObject(block) && !OWN_PARTS.has(String(block['type']))).length;
}

/** Blocks that are drawn elsewhere, or say nothing to a reader. */
const OWN_PARTS = new Set(['text', 'tool_use', 'tool_call', 'tool_call_chunk']);

function shown(message: BaseMessage): ShownMessage | null {
  const known = shownByMessage.get(message);
  if (known !== undefined) return known;
  if (message.id === undefined || message.additional_kwargs['hide_from_ui'] === true) return null;
  const entry: ShownMessage = {
    id: message.id,
    speaker: speakerOf(message),
    text: visibleText(message.content),
    otherParts: otherParts(message.content),
    calls: AIMessage.isInstance(message)
      ? (message.tool_calls ?? []).map((call, index) => ({
          id: call.id ?? `${message.id}-${index}`,
          name: call.name,
          args: call.args,
        }))
      : [],
    callId: ToolMessage.isInstance(message) ? message.tool_call_id : null,
    stopped: message.response_metadata[STOPPED] === true,
    failed: ToolMessage.isInstance(message) && message.status === 'error',
  };
  shownByMessage.set(message, entry);
  return entry;
}

function speakerOf(message: BaseMessage): Speaker {
  if (HumanMessage.isInstance(message)) return 'human';
  if (AIMessage.isInstance(message) || AIMessageChunk.isInstance(message)) return 'ai';
  return ToolMessage.isInstance(message) ? 'tool' : 'other';
}

function notesOf(value: unknown): readonly ShownNote[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, note]) =>
    isObject(note) && typeof note['content'] === 'string'
      ? [{ key, content: note['content'], sources: strings(note['source_ids']) }]
      : [],
  );
}

function batchesOf(history: unknown): readonly string[] {
  return isObject(history) ? strings(history['batches']) : [];
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
