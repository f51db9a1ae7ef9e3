// How full the model's window was at its last call, or would be at the next one, by part, against the trigger.
import { totalOf } from 'threadkeep/langchain';
import type { View } from '../actions.js';
import { h, setText } from '../dom.js';
import type { PageState } from '../store.js';
import { words } from '../words/index.js';
import { drawBar } from './window-parts.js';

/** Draws the meter. Its figures are estimates; until they are counted it says only where the trigger is. */
export function meterView(): View<PageState> {
  const bar = h('div', { class: 'meter-bar', 'aria-hidden': 'true' });
  const text = h('p', { class: 'meter-text' });
  const element = h('div', { class: 'meter', role: 'group', 'aria-label': words.contextWindow }, bar, text);
  let drawn = '';
  return {
    element,
    update(state) {
      const open = state.open;
      element.hidden = open === null;
      if (open === null) return;
      const trigger = open.entry.settings.triggerTokens;
      const total = open.window === null ? 0 : totalOf(open.window);
      setText(text, open.window === null ? words.windowUnknown(trigger) : words.window(total, trigger));
      element.classList.toggle('over', total > trigger);
      const now = JSON.stringify([open.window, trigger]);
      if (drawn === now) return;
      drawn = now;
      drawBar(bar, open.window, trigger);
    },
  };
}
