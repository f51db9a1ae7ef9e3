// How full the model's window is, as a bar of its parts with the trigger as a line in it, and as a list of figures.
import { type RequestParts, totalOf } from 'threadkeep/langchain';
import { fill, h } from '../dom.js';
import { PARTS } from '../requests.js';
import { words } from '../words/index.js';

/** Fills a bar. A window over its trigger stretches beyond the line. */
export function drawBar(bar: HTMLElement, window: RequestParts | null, trigger: number): void {
  const scale = Math.max(trigger, window === null ? 0 : totalOf(window));
  const share = (tokens: number) => `${(100 * tokens) / scale}%`;
  const pieces = PARTS.map((name) => {
    const piece = h('span', { class: `part part-${name}` });
    piece.style.setProperty('flex-basis', share(window?.[name] ?? 0));
    return piece;
  });
  const line = h('span', { class: 'trigger-line' });
  line.style.setProperty('inset-inline-start', share(trigger));
  fill(bar, ...(window === null ? [] : pieces), line);
}

/** The figures of the parts, of all of them, and of the trigger. */
export function partsList(window: RequestParts | null, trigger: number): HTMLElement {
  const row = (name: string, tokens: number, kind: string) =>
    h('div', { class: kind }, h('dt', {}, name), h('dd', {}, words.number(tokens)));
  return h(
    'dl',
    { class: 'window-parts' },
    ...(window === null ? [] : PARTS.map((part) => row(words.windowPart[part], window[part], `is-${part}`))),
    window !== null && row(words.windowTotal, totalOf(window), 'total'),
    row(words.windowTrigger, trigger, 'at-trigger'),
  );
}
