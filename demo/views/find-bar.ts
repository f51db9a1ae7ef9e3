// A search bar for conversations that are too long to stand in the page whole: there the browser's own sees a part.
import type { Actions, View } from '../actions.js';
import { h, setText } from '../dom.js';
import { findText, MOST_FOUND } from '../find.js';
import { icon } from '../icons.js';
import type { PageState, ShownMessage, SourcePlace } from '../store.js';
import { words } from '../words/index.js';

/** Opens with the browser's own key while `isNeeded`; Enter steps on, Shift+Enter back, Escape closes. */
export function findBar(actions: Actions, isNeeded: () => boolean): View<PageState> {
  const input = h('input', {
    type: 'text',
    'aria-label': words.find,
    placeholder: words.find,
    autocomplete: 'off',
  });
  const count = h('span', { class: 'aside', role: 'status' });
  const button = (picture: 'up' | 'down' | 'close', label: string, onclick: () => void) =>
    h(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick },
      icon(picture),
    );
  const element = h(
    'search',
    { class: 'find', hidden: true },
    input,
    count,
    button('up', words.findBack, () => step(-1)),
    button('down', words.findOn, () => step(1)),
    button('close', words.findClose, () => close()),
  );

  let messages: readonly ShownMessage[] = [];
  let thread: string | null = null;
  let found: readonly SourcePlace[] = [];
  let at = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell = () => {
    if (input.value === '') setText(count, '');
    else if (found.length === 0) setText(count, words.findNone);
    else setText(count, words.findCount(at + 1, found.length, found.length === MOST_FOUND));
  };
  const go = () => {
    const place = found[at];
    if (place !== undefined) actions.showFound(place);
    tell();
  };
  const search = () => {
    clearTimeout(timer);
    timer = undefined;
    found = findText(messages, input.value);
    at = found.length === 0 ? -1 : 0;
    if (at < 0) actions.showFound(null);
    go();
  };
  const step = (by: number) => {
    if (timer !== undefined) search();
    else if (found.length > 0) {
      at = (at + by + found.length) % found.length;
      go();
    }
  };
  const close = () => {
    clearTimeout(timer);
    timer = undefined;
    element.hidden = true;
    actions.showFound(null);
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, 150);
  });
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === input) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    // A second press gets the browser's own search, for the rest of the page.
    if (thread === null || !isNeeded() || document.activeElement === input) return;
    event.preventDefault();
    element.hidden = false;
    input.focus();
    input.select();
  });

  return {
    element,
    update({ open }) {
      const isOther = thread !== (open?.entry.id ?? null);
      thread = open?.entry.id ?? null;
      messages = open?.messages ?? [];
      if (isOther && !element.hidden) element.hidden = true;
    },
  };
}
