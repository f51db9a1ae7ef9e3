// How full the model's window was at its last call, by part, against the trigger.
import type { View } from '../actions.js';
import { fill, h, setText } from '../dom.js';
import type { PageState } from '../store.js';
import { words } from '../words.js';

/** Draws the meter. Its figures are estimates; before the first call it says only where the trigger is. */
export function meterView(): View<PageState> {
  const bar = h('div', { class: 'meter-bar', 'aria-hidden': 'true' });
  const text = h('p', { class: 'meter-text' });
  const element = h('div', { class: 'meter', role: 'group', 'aria-label': words.contextWindow }, bar, text);
  let drawn: unknown = null;
  return {
    element,
    update(state) {
      const open = state.open;
      element.hidden = open === null;
      if (open === null) return;
      const trigger = open.entry.settings.triggerTokens;
      const parts = open.window ?? [];
      const total = parts.reduce((sum, part) => sum + part.tokens, 0);
      setText(text, open.window === null ? words.windowUnknown(trigger) : words.window(total, trigger));
      element.classList.toggle('over', total > trigger);
      element.title = parts
        .map((part) => `${words.windowPart[part.name]}: ${words.number(part.tokens)}`)
        .join('\n');
      if (drawn === open.window) return;
      drawn = open.window;
      const scale = Math.max(trigger, total);
      fill(
        bar,
        ...parts.map((part) => {
          const piece = h('span', { class: `part part-${part.name}` });
          piece.style.setProperty('flex-basis', `${(100 * part.tokens) / scale}%`);
          return piece;
        }),
      );
    },
  };
}
