// The notebook: what the agent wrote down, and the messages that it names as sources.
import type { View } from '../actions.js';
import { fill, h, keyedList } from '../dom.js';
import type { PageState } from '../store.js';
import { words } from '../words.js';
import type { TranscriptContext } from './transcript-context.js';

/** Draws the notes of the open conversation. */
export function notesView(context: () => TranscriptContext): View<PageState> {
  const list = h('ul', { class: 'note-list' });
  const show = keyedList(list);
  const empty = h('p', { class: 'aside' }, words.noNotes);
  const element = h('div', {}, empty, list);
  return {
    element,
    update(state) {
      const notes = state.open?.notes ?? [];
      empty.hidden = notes.length > 0;
      show(
        notes.map((note) => ({
          key: note.key,
          signature: JSON.stringify([note, note.sources.map((id) => context().placeOfSource(id))]),
          build: () =>
            h(
              'li',
              { class: 'note' },
              h('h3', {}, note.key),
              h('p', { class: 'note-text' }, note.content),
              citationsView(note.sources, context()),
            ),
        })),
      );
    },
  };
}

/** Links to the messages that a note cites; an id whose message is gone stays as text. */
export function citationsView(sources: readonly string[], context: TranscriptContext): HTMLElement {
  const element = h('p', { class: 'cites' });
  if (sources.length === 0) {
    fill(element, words.uncited);
    return element;
  }
  element.append(`${words.cites} `);
  for (const source of sources) element.append(citation(source, context), ' ');
  return element;
}

function citation(source: string, context: TranscriptContext): HTMLElement {
  const short = `${source.slice(0, 7)}…`;
  const place = context.placeOfSource(source);
  if (place === null) return h('code', { title: source }, short);
  const link = h('a', { href: context.linkTo(place), title: source }, h('code', {}, short));
  link.addEventListener('click', (event) => {
    event.preventDefault();
    context.actions.showSource(place);
  });
  return link;
}
