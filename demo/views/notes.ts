// The notebook: what the agent wrote down, and the messages that it names as sources.
import type { Actions, View } from '../actions.js';
import { fill, h, keyedList } from '../dom.js';
import { icon } from '../icons.js';
import type { PageState } from '../store.js';
import { words } from '../words/index.js';
import type { TranscriptContext } from './transcript-context.js';

/** Draws the notes of the open conversation. */
export function notesView(actions: Actions, context: () => TranscriptContext): View<PageState> {
  const list = h('ul', { class: 'note-list' });
  const show = keyedList(list);
  const empty = h('p', { class: 'aside' }, words.noNotes);
  const element = h('div', { tabindex: -1 }, empty, list);
  return {
    element,
    update(state) {
      const { open } = state;
      const notes = open?.notes ?? [];
      // While a run is on, a click is without effect: the button stays, and so does the focus.
      const isOpen = open?.past === null && !open.unfinished;
      empty.hidden = notes.length > 0;
      const hadFocus = list.contains(document.activeElement);
      show(
        notes.map((note) => ({
          key: note.key,
          signature: JSON.stringify([note, isOpen, note.sources.map((id) => context().placeOfSource(id))]),
          build: () =>
            h(
              'li',
              { class: 'note' },
              h('div', { class: 'note-head' }, h('h3', {}, note.key), isOpen && removal(note.key, actions)),
              h('p', { class: 'note-text' }, note.content),
              citationsView(note.sources, note.content, context()),
            ),
        })),
      );
      if (hadFocus && !list.contains(document.activeElement))
        (list.querySelector<HTMLElement>('button') ?? element).focus();
    },
  };
}

function removal(key: string, actions: Actions): HTMLElement {
  const label = words.removeNote(key);
  return h(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      'aria-label': label,
      title: label,
      onclick: () => actions.removeNote(key),
    },
    icon('close'),
  );
}

/** Ways to the messages that a note cites; `said` is what is looked for in them. */
export function citationsView(
  sources: readonly string[],
  said: string,
  context: TranscriptContext,
): HTMLElement {
  const element = h('p', { class: 'cites' });
  if (sources.length === 0) {
    fill(element, words.uncited);
    return element;
  }
  element.append(`${words.cites} `);
  for (const source of sources) element.append(citation(source, said, context), ' ');
  return element;
}

function citation(source: string, said: string, context: TranscriptContext): HTMLElement {
  const short = `${source.slice(0, 7)}…`;
  const place = context.placeOfSource(source);
  if (place === null) {
    // No look-up of the conversation tells where it stands; it is looked up when somebody wants to go there.
    const onclick = () => context.actions.showCited(source, said);
    return h('button', { type: 'button', class: 'link', title: source, onclick }, h('code', {}, short));
  }
  const link = h('a', { href: context.linkTo(place), title: source }, h('code', {}, short));
  link.addEventListener('click', (event) => {
    event.preventDefault();
    context.actions.showSource(place);
  });
  return link;
}
