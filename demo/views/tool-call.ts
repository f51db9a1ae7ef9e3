// A tool call: folded with arguments and result; the history tools are drawn as what they do.
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { drawRanges, placeRanges } from '../rich-text.js';
import type { ShownCall, ShownMessage, SourcePlace } from '../store.js';
import { words } from '../words/index.js';
import { historyCallView } from './history-call.js';
import { elementId, type TranscriptContext } from './transcript-context.js';

export interface ToolCallParts {
  readonly call: ShownCall;
  readonly result: ShownMessage | null;
  /** The place to highlight, when it lies in the call's result or arguments. */
  readonly place: SourcePlace | null;
  readonly running: boolean;
  readonly context: TranscriptContext;
}

/** Draws one call; unfolded by itself when a highlighted place lies inside. */
export function toolCallView(parts: ToolCallParts): HTMLElement {
  const history = historyCallView(parts);
  if (history === null) return foldedCall(parts);
  history.append(foldedCall(parts, words.call));
  return history;
}

function foldedCall(parts: ToolCallParts, title?: string): HTMLElement {
  const { call, result, context } = parts;
  const argumentText = JSON.stringify(call.args, null, 2) ?? '';
  const state =
    result === null ? (parts.running ? words.running : words.noAnswer) : result.failed ? words.failed : null;
  const inResult = parts.place !== null && parts.place.message === result?.id ? parts.place : null;
  const summary =
    title === undefined
      ? [
          icon('tool'),
          h('span', { class: 'tool-name' }, call.name),
          h('span', { class: 'tool-args' }, oneLine(call.args)),
          state !== null && h('span', { class: 'tool-state' }, state),
        ]
      : [title];
  const fold = h(
    'details',
    {
      class: title === undefined ? 'call' : 'call raw',
      open: parts.place !== null || context.opened.has(call.id),
    },
    h('summary', {}, ...summary),
    h('h4', {}, words.arguments),
    h(
      'pre',
      { class: parts.place !== null && inResult === null ? 'excerpt' : null, tabindex: 0 },
      argumentText,
    ),
    result !== null && h('h4', {}, words.result),
    result !== null &&
      h(
        'pre',
        { id: elementId(result.id), tabindex: 0 },
        ...drawRanges(result.text, inResult === null ? [] : placeRanges(result.text, inResult)),
      ),
  );
  fold.addEventListener('toggle', () => {
    if (fold.open) context.opened.add(call.id);
    else context.opened.delete(call.id);
  });
  return fold;
}

function oneLine(args: unknown): string {
  if (typeof args !== 'object' || args === null) return '';
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
