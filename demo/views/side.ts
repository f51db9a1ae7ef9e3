// The side bar: the conversations of this browser, finding one, and beginning another.
import type { Actions, View } from '../actions.js';
import { h, type Keyed, keyedList, setText } from '../dom.js';
import { icon } from '../icons.js';
import { wordRanges } from '../marked.js';
import { drawRanges } from '../rich-text.js';
import type { PageState } from '../store.js';
import type { ListedThread } from '../threads.js';
import { whenOf } from '../when.js';
import { words } from '../words/index.js';
import { languageChoice } from './language.js';
import { menuButton } from './menu.js';

/** Draws the list. Each conversation is a link, so it can be opened in another tab. */
export function sideView(
  actions: Actions,
  linkTo: (thread: string) => string,
  pickFile: () => void,
): View<PageState> {
  const list = h('ul', { class: 'thread-list' });
  const show = keyedList(list);
  const empty = h('p', { class: 'aside' });
  const found = h('p', { class: 'spoken', role: 'status' });
  const begin = h(
    'button',
    { type: 'button', class: 'begin', onclick: () => actions.openNew() },
    icon('plus'),
    words.newThread,
  );
  const sample = h(
    'button',
    { type: 'button', onclick: () => actions.openSample() },
    icon('sample'),
    words.openSampleShort,
  );
  const file = h('button', { type: 'button', onclick: pickFile }, icon('open'), words.openFileShort);
  const load = h('button', { type: 'button', onclick: pickFile }, icon('file'), words.importThread);
  const close = h(
    'button',
    { type: 'button', class: 'icon-button only-drawer', 'aria-label': words.closePanel },
    icon('close'),
  );
  close.addEventListener('click', () => actions.showPanel('none'));
  const search = h('input', {
    type: 'search',
    placeholder: words.findThread,
    'aria-label': words.findThread,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const buttons = h('div', { class: 'side-actions' }, file, load, sample);
  const element = h(
    'nav',
    { class: 'side', id: 'side', 'aria-label': words.conversations },
    h('header', {}, h('p', { class: 'brand' }, words.brand), close),
    begin,
    search,
    h('h2', {}, words.conversations),
    empty,
    found,
    list,
    h('div', { class: 'side-foot' }, buttons, languageChoice()),
  );

  let last: PageState | null = null;
  const drawList = (state: PageState) => {
    const query = search.value.trim();
    const threads = state.threads.filter((thread) => isFound(thread, query));
    empty.hidden = threads.length > 0;
    setText(empty, query === '' ? words.noConversations : words.noThreadFound(query));
    setText(found, query === '' ? '' : words.threadsFound(threads.length));
    show(threads.map((thread) => itemOf(thread, query, state.open?.entry.id === thread.id, actions, linkTo)));
  };
  search.addEventListener('input', () => {
    if (last !== null) drawList(last);
  });
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || search.value === '') return;
    event.stopPropagation();
    event.preventDefault();
    search.value = '';
    if (last !== null) drawList(last);
  });

  return {
    element,
    update(state) {
      last = state;
      search.hidden = state.threads.length === 0;
      // The empty page offers both in its middle; once is enough.
      buttons.hidden = state.open === null;
      sample.disabled = state.busy;
      file.disabled = state.busy;
      load.disabled = state.busy;
      drawList(state);
    },
  };
}

/** Every word of the query stands in the title, as it would for a search in the page. */
function isFound({ title }: ListedThread, query: string): boolean {
  const lower = title.toLowerCase();
  return partsOf(query).every((part) => lower.includes(part));
}

function partsOf(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/\s+/u)
    .filter((part) => part !== '');
}

function itemOf(
  thread: ListedThread,
  query: string,
  isCurrent: boolean,
  actions: Actions,
  linkTo: (thread: string) => string,
): Keyed {
  const when = whenOf(thread.updatedAt, Date.now(), words.language);
  return {
    key: thread.id,
    signature: JSON.stringify([isCurrent, thread.title, when, thread.messages, query]),
    build: () =>
      h(
        'li',
        {},
        h(
          'a',
          {
            href: linkTo(thread.id),
            'aria-current': isCurrent ? 'page' : null,
            onclick: () => actions.showPanel('none'),
          },
          h(
            'span',
            { class: 'thread-title' },
            ...drawRanges(
              thread.title,
              wordRanges(thread.title, partsOf(query)).map((range) => ({ ...range, tag: 'mark' as const })),
            ),
          ),
          h(
            'span',
            { class: 'thread-when' },
            h('time', { datetime: new Date(thread.updatedAt).toISOString() }, when),
            thread.messages > 0 && ` · ${words.messages(thread.messages)}`,
          ),
        ),
        menuButton(words.threadActions(thread.title), () => [
          { text: words.rename, icon: 'pencil', run: () => actions.renameThread(thread.id) },
          { text: words.exportThread, icon: 'file', run: () => actions.exportThread(thread.id) },
          { text: words.delete, icon: 'bin', danger: true, run: () => actions.deleteThread(thread.id) },
        ]),
      ),
  };
}
