// A gauge: what it measures, how far it has come, and a bar.
import { h } from '../dom.js';

export interface Gauge {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** The figures in words. */
  readonly text: string;
}

/** Draws a gauge. The bar shows a trace of whatever is not nothing, and is never longer than full. */
export function gaugeView({ label, value, max, text }: Gauge): HTMLElement {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  const bar = h('div', { class: 'gauge-bar', 'aria-hidden': 'true' }, h('div'));
  bar.style.setProperty('--share', share === 0 ? '0' : String(Math.max(0.01, share)));
  return h(
    'div',
    {
      class: 'gauge',
      role: 'meter',
      'aria-label': label,
      'aria-valuemin': 0,
      'aria-valuemax': max,
      'aria-valuenow': Math.min(value, max),
      'aria-valuetext': text,
    },
    h('span', { class: 'gauge-label' }, label),
    h('span', { class: 'gauge-text' }, text),
    bar,
  );
}
