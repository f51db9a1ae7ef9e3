// How full the model's window was at its last call, or would be at the next one, by part, against the trigger.
import { totalOf } from 'threadkeep/langchain';
import type { View } from '../actions.js';
import { fill, h, setText } from '../dom.js';
import type { PageState } from '../store.js';
import { words } from '../words.js';

/** Parts of a request, in the order in which they are sent. */
const PARTS = ['system', 'tools', 'notes', 'summary', 'messages'] as const;

/** Draws the meter. Its figures are estimates; until they are counted it says only where the trigger is. */
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
      const parts =
        open.window === null ? [] : PARTS.map((name) => ({ name, tokens: open.window?.[name] ?? 0 }));
      const total = open.window === null ? 0 : totalOf(open.window);
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
