// Where the user writes: send, stop, suggestions, and the context popover.
import type { Actions, View } from '../actions.js';
import { h, keyedList, setText } from '../dom.js';
import { keepDraft, keepEdit, readDraft, readEdit } from '../drafts.js';
import { icon } from '../icons.js';
import type { PageState, ThreadState } from '../store.js';
import { words } from '../words/index.js';

/** Draws the composer. The text belongs to the element: no update of the page ever touches it. */
export function composerView(
  actions: Actions,
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
  const notice = h('span');
  const choose = h(
    'button',
    { type: 'button', class: 'link', onclick: () => actions.chooseModel() },
    words.chooseModel,
  );
  const editing = h(
    'div',
    { class: 'editing', hidden: true },
    h('p', { id: 'editing-hint' }, words.editing),
    h('button', { type: 'button', onclick: () => actions.cancelEdit() }, words.cancelEdit),
  );
  const element = h(
    'footer',
    { class: 'write' },
    chips,
    editing,
    form,
    h('p', { class: 'small-print' }, notice, ' ', choose),
  );

  let thread: string | null = null;
  let idle = true;
  let wantsFocus = false;
  let edited: string | null = null;
  let open: ThreadState | null = null;
  const canSend = () => idle && input.value.trim() !== '';
  const typed = () => {
    if (thread !== null && edited !== null) keepEdit(thread, { message: edited, text: input.value });
    else if (thread !== null) keepDraft(thread, input.value);
    send.disabled = !canSend();
  };
  const submit = () => {
    if (!canSend()) return;
    const text = input.value.trim();
    if (edited !== null) {
      actions.resend(edited, text);
      return;
    }
    input.value = '';
    typed();
    actions.send(text);
  };
  const ask = (question: string) => {
    if (idle) actions.send(question);
  };
  input.addEventListener('input', typed);
  /** The composer's text is the draft, or the message that is being written anew. */
  const showEdit = (message: string | null) => {
    edited = message;
    editing.hidden = message === null;
    if (message === null) input.removeAttribute('aria-describedby');
    else input.setAttribute('aria-describedby', 'editing-hint');
    const kept = thread === null || message === null ? null : readEdit(thread);
    if (thread !== null && message === null) {
      keepEdit(thread, null);
      input.value = readDraft(thread);
    } else if (kept !== null && kept.message === message) input.value = kept.text;
    else input.value = open?.messages.find(({ id }) => id === message)?.text ?? '';
    typed();
  };
  const editLast = () => {
    const last = open?.messages.findLast(({ speaker }) => speaker === 'human');
    if (idle && last !== undefined) actions.edit(last.id);
  };
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && edited !== null) {
      event.stopPropagation();
      actions.cancelEdit();
    } else if (event.key === 'ArrowUp' && input.value === '' && edited === null) {
      event.preventDefault();
      editLast();
    }
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
      const draft = edited === null ? input.value : readDraft(thread ?? '');
      const both = draft === '' ? text : `${text}\n${draft}`;
      if (edited === null) input.value = both;
      else keepDraft(thread ?? '', both);
      typed();
    },
    update(state) {
      open = state.open;
      element.hidden = open === null;
      if (open === null) {
        thread = null;
        return;
      }
      if (thread !== open.entry.id) {
        thread = open.entry.id;
        edited = null;
        editing.hidden = true;
        input.value = readDraft(thread);
        typed();
      }
      if (edited !== state.editing) showEdit(state.editing);
      if (wantsFocus) input.focus();
      wantsFocus = false;
      setText(notice, words.modelNotice(state.model));
      choose.disabled = open.run.kind !== 'idle';
      // While another tab runs it, what is sent waits its turn.
      idle = (open.run.kind === 'idle' || open.run.kind === 'elsewhere') && open.loaded;
      // Until the conversation is read, nothing can be sent; what was typed waits.
      send.disabled = !canSend();
      const isRun = !['idle', 'writing', 'elsewhere'].includes(open.run.kind);
      send.hidden = isRun;
      stop.hidden = !isRun;
      stop.disabled = open.run.kind === 'stopping';
      input.placeholder = open.past === null ? words.composerHint : words.composerPast;
      chips.hidden = open.entry.suggestions.length === 0 || open.past !== null;
      showChips(
        open.entry.suggestions.map((text) => ({
          key: text,
          signature: '',
          build: () => h('li', {}, h('button', { type: 'button', onclick: () => ask(text) }, text)),
        })),
      );
      // Not `disabled`: the list scrolls, by key too, and the focus stays where it is.
      for (const chip of chips.querySelectorAll('button')) chip.ariaDisabled = String(!idle);
    },
  };
}
