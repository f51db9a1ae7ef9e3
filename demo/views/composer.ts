// Where the user writes: send, stop, suggestions, and the context popover.
import type { Actions, View } from '../actions.js';
import { h, keyedList } from '../dom.js';
import { keepDraft, readDraft } from '../drafts.js';
import { icon } from '../icons.js';
import type { PageState } from '../store.js';
import { words } from '../words.js';

/** Draws the composer. The text belongs to the element: no update of the page ever touches it. */
export function composerView(
  actions: Actions,
  notice: string,
): View<PageState> & { restore(text: string): void; focus(): void } {
  const input = h('textarea', {
    id: 'composer-text',
    rows: 1,
    placeholder: words.composerHint,
    'aria-label': words.composer,
    enterkeyhint: 'send',
  });
  const send = h('button', { type: 'submit', class: 'send', 'aria-label': words.send }, icon('send'));
  const stop = h('button', { type: 'button', class: 'send stop', 'aria-label': words.stop }, icon('stop'));
  const form = h('form', { class: 'composer' }, input, send, stop);
  const chips = h('ul', { class: 'suggestions', 'aria-label': words.suggestions });
  const showChips = keyedList(chips);
  const element = h('footer', { class: 'write' }, chips, form, h('p', { class: 'small-print' }, notice));

  let thread: string | null = null;
  let idle = true;
  let wantsFocus = false;
  const typed = () => {
    if (thread !== null) keepDraft(thread, input.value);
    send.disabled = input.value.trim() === '';
  };
  const submit = () => {
    const text = input.value.trim();
    if (text === '' || !idle) return;
    input.value = '';
    typed();
    actions.send(text);
  };
  input.addEventListener('input', typed);
  input.addEventListener('keydown', (event) => {
    // Enter that ends an input method's composition chooses a word and sends nothing.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  stop.addEventListener('click', () => {
    actions.stop();
    input.focus();
  });

  return {
    element,
    /** Puts the cursor into the text, once the composer is there. */
    focus() {
      wantsFocus = true;
    },
    /** Brings back a text that never reached a checkpoint, before what was typed since. */
    restore(text) {
      input.value = input.value === '' ? text : `${text}\n${input.value}`;
      typed();
    },
    update(state) {
      const open = state.open;
      element.hidden = open === null;
      if (open === null) {
        thread = null;
        return;
      }
      if (thread !== open.entry.id) {
        thread = open.entry.id;
        input.value = readDraft(thread);
        typed();
      }
      if (wantsFocus) input.focus();
      wantsFocus = false;
      idle = open.run.kind === 'idle' && open.loaded;
      send.hidden = open.run.kind !== 'idle';
      stop.hidden = open.run.kind === 'idle';
      stop.disabled = open.run.kind === 'stopping';
      chips.hidden = open.entry.suggestions.length === 0;
      showChips(
        open.entry.suggestions.map((text) => ({
          key: text,
          signature: String(idle),
          build: () =>
            h(
              'li',
              {},
              h('button', { type: 'button', disabled: !idle, onclick: () => actions.send(text) }, text),
            ),
        })),
      );
    },
  };
}
