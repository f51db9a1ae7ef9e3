// One message of the transcript, with its tool calls and what they returned.
import { h } from '../dom.js';
import { codePoints } from '../marked.js';
import { drawRanges, markdownRanges, placeRanges } from '../rich-text.js';
import type { ShownMessage, SourcePlace } from '../store.js';
import { words } from '../words.js';
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
  /** Whether a run is on, so that a call without result is one that runs. */
  readonly running: boolean;
  readonly context: TranscriptContext;
}

/** Draws a message. Text is text: nothing a model, tool or file wrote becomes markup. */
export function messageView(parts: MessageParts): HTMLElement {
  const { message, place, context } = parts;
  const own = place !== null && place.message === message.id ? place : null;
  const body: HTMLElement[] = [];
  if (message.text !== '') body.push(textView(message, own));
  if (message.otherParts > 0) body.push(h('p', { class: 'aside' }, words.otherParts(message.otherParts)));
  for (const call of message.calls) {
    const result = parts.results.get(call.id) ?? null;
    const inCall = callPlace(message, result, place);
    body.push(toolCallView({ call, result, place: inCall, running: parts.running, context }));
  }
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
  );
}

/** Draws the answer while it streams. */
export function liveView(): { element: HTMLElement; show(text: string, continued: boolean): void } {
  const text = h('div', { class: 'text' });
  const element = h(
    'article',
    { class: 'message ai live', 'aria-label': words.agent, 'aria-busy': 'true' },
    h('h3', { class: 'who' }, words.agent),
    text,
  );
  return {
    element,
    show(value, continued) {
      element.classList.toggle('continued', continued);
      // Appending keeps a selection alive and costs the new characters only.
      const shown = text.textContent;
      if (value.startsWith(shown)) text.append(value.slice(shown.length));
      else text.textContent = value;
    },
  };
}

function textView(message: ShownMessage, place: SourcePlace | null): HTMLElement {
  const markdown = message.speaker === 'ai' ? markdownRanges(message.text) : [];
  const placed = place === null ? [] : placeRanges(message.text, place);
  return h('div', { class: 'text' }, ...drawRanges(message.text, [...markdown, ...placed]));
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
