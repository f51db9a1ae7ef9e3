// One message of the transcript, with its tool calls and what they returned.
import { h } from '../dom.js';
import { type IconName, icon } from '../icons.js';
import { codePoints, unitIndex } from '../marked.js';
import { drawRanges, placeRanges } from '../rich-text.js';
import type { ShownMessage, SourcePlace } from '../store.js';
import { words } from '../words/index.js';
import { copyButton } from './code-block.js';
import { markdownBlocks } from './markdown.js';
import { toolCallView } from './tool-call.js';
import { elementId, type TranscriptContext } from './transcript-context.js';

export interface MessageParts {
  readonly message: ShownMessage;
  /** Tool messages by the call that they answer. */
  readonly results: ReadonlyMap<string, ShownMessage>;
  /** The place to highlight, when it lies in this message or in one of its results. */
  readonly place: SourcePlace | null;
  /** True when the model no longer sees it word for word. */
  readonly outside: boolean;
  /** True when the message before has the same speaker. */
  readonly continued: boolean;
  /** The user's message that this one answers; null when there is none. */
  readonly asked: ShownMessage | null;
  /** Whether a run is on, so that a call without result is one that runs. */
  readonly running: boolean;
  readonly context: TranscriptContext;
}

/** Draws a message. Text is text: nothing a model, tool or file wrote becomes markup. */
export function messageView(parts: MessageParts): HTMLElement {
  const { message, place, context } = parts;
  const own = place !== null && place.message === message.id ? place : null;
  const body: HTMLElement[] = [];
  if (message.text !== '') body.push(...foldedText(message, own, context));
  if (message.otherParts > 0) body.push(h('p', { class: 'aside' }, words.otherParts(message.otherParts)));
  for (const call of message.calls) {
    const result = parts.results.get(call.id) ?? null;
    const inCall = callPlace(message, result, place);
    body.push(toolCallView({ call, result, place: inCall, running: parts.running, context }));
  }
  if (message.stopped) body.push(h('p', { class: 'aside' }, words.stopped));
  return h(
    'article',
    {
      id: elementId(message.id),
      class: classes('message', message.speaker, parts.outside && 'outside', parts.continued && 'continued'),
      tabindex: -1,
      'aria-label': words.speaker(message.speaker),
    },
    h('h3', { class: 'who' }, words.speaker(message.speaker)),
    ...body,
    toolsOf(parts),
  );
}

/** What can be done with a message. Those that start a run are out of reach while one is on. */
function toolsOf({ message, asked, context: { actions } }: MessageParts): HTMLElement | null {
  if (message.text === '' || (message.speaker !== 'human' && message.speaker !== 'ai')) return null;
  const tools = [copyButton(() => message.text, words.copy)];
  if (message.speaker === 'human') tools.push(tool('pencil', words.edit, () => actions.edit(message.id)));
  else if (message.calls.length === 0 && asked !== null)
    tools.push(tool('retry', words.retry, () => actions.resend(asked.id, asked.text)));
  return h('div', { class: 'message-tools', role: 'group', 'aria-label': words.messageTools }, ...tools);
}

function tool(picture: IconName, label: string, onclick: () => void): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'icon-button starts-run', 'aria-label': label, title: label, onclick },
    icon(picture),
  );
}

/** Draws the answer while it streams: what is whole stays, only its last block is drawn again. */
export function liveView(): { element: HTMLElement; show(text: string, continued: boolean): void } {
  const text = h('div', { class: 'text rich' });
  const element = h(
    'article',
    { class: 'message ai live', 'aria-label': words.agent, 'aria-busy': 'true' },
    h('h3', { class: 'who' }, words.agent),
    text,
  );
  let drawn: readonly string[] = [];
  return {
    element,
    show(value, continued) {
      element.classList.toggle('continued', continued);
      const blocks = markdownBlocks(value);
      const change = blocks.findIndex(({ source }, at) => source !== drawn[at]);
      const same = change < 0 ? blocks.length : change;
      while (text.childNodes.length > same) text.lastChild?.remove();
      text.append(...blocks.slice(same).map(({ build }) => build()));
      drawn = blocks.map(({ source }) => source);
    },
  };
}

/** A longer text is cut where it is drawn, in UTF-16 units: laying out a megabyte of it would stop the page. */
const LONG_CHARS = 12_000;

/** The text, whole or its beginning with a button for the rest. A place that lies in the rest unfolds it. */
function foldedText(
  message: ShownMessage,
  place: SourcePlace | null,
  context: TranscriptContext,
): HTMLElement[] {
  const { id, text } = message;
  const isWhole = text.length <= LONG_CHARS || context.opened.has(id);
  if (isWhole || (place !== null && unitIndex(text, place.end) > LONG_CHARS))
    return [textView(message, place)];
  const cut = text.lastIndexOf('\n', LONG_CHARS);
  const start = text.slice(0, cut > LONG_CHARS / 2 ? cut : LONG_CHARS).replace(/[\uD800-\uDBFF]$/u, '');
  const shown = textView({ ...message, text: start }, place);
  const more = h('button', { type: 'button' }, words.showWhole(text.length));
  more.addEventListener('click', () => {
    context.opened.add(id);
    more.remove();
    shown.replaceWith(textView(message, place));
  });
  return [shown, more];
}

function textView(message: ShownMessage, place: SourcePlace | null): HTMLElement {
  const placed = place === null ? [] : placeRanges(message.text, place);
  if (message.speaker !== 'ai') return h('div', { class: 'text' }, ...drawRanges(message.text, placed));
  return h(
    'div',
    { class: 'text rich' },
    ...markdownBlocks(message.text, placed).map(({ build }) => build()),
  );
}

/** A place beyond the message's own text lies in its calls; one in a tool message lies in the result. */
function callPlace(
  message: ShownMessage,
  result: ShownMessage | null,
  place: SourcePlace | null,
): SourcePlace | null {
  if (place === null) return null;
  if (place.message === result?.id) return place;
  return place.message === message.id && place.end > codePoints(message.text) ? place : null;
}

export function classes(...names: readonly (string | false)[]): string {
  return names.filter((name) => name !== false).join(' ');
}
