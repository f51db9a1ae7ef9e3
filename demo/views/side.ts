// The side bar: the conversations of this browser, and opening another one.
import type { Actions, View } from '../actions.js';
import { h, keyedList } from '../dom.js';
import { icon } from '../icons.js';
import type { PageState } from '../store.js';
import { words } from '../words.js';

/** Draws the list. Each conversation is a link, so it can be opened in another tab. */
export function sideView(
  actions: Actions,
  linkTo: (thread: string) => string,
  pickFile: () => void,
): View<PageState> {
  const list = h('ul', { class: 'thread-list' });
  const show = keyedList(list);
  const empty = h('p', { class: 'aside' }, words.noConversations);
  const sample = h(
    'button',
    { type: 'button', onclick: () => actions.openSample() },
    icon('sample'),
    words.openSampleShort,
  );
  const file = h('button', { type: 'button', onclick: pickFile }, icon('open'), words.openFileShort);
  const close = h(
    'button',
    { type: 'button', class: 'icon-button only-drawer', 'aria-label': words.closePanel },
    icon('close'),
  );
  close.addEventListener('click', () => actions.showPanel('none'));
  const buttons = h('div', { class: 'side-actions' }, file, sample);
  const element = h(
    'nav',
    { class: 'side', id: 'side', 'aria-label': words.conversations },
    h('header', {}, h('p', { class: 'brand' }, words.brand), close),
    h('h2', {}, words.conversations),
    empty,
    list,
    buttons,
  );
  return {
    element,
    update(state) {
      empty.hidden = state.threads.length > 0;
      // The empty page offers both in its middle; once is enough.
      buttons.hidden = state.open === null;
      sample.disabled = state.busy;
      file.disabled = state.busy;
      show(
        state.threads.map((entry) => {
          const current = entry.id === state.open?.entry.id;
          return {
            key: entry.id,
            signature: `${current}|${entry.title}`,
            build: () =>
              h(
                'li',
                {},
                h(
                  'a',
                  {
                    href: linkTo(entry.id),
                    'aria-current': current ? 'page' : null,
                    onclick: () => actions.showPanel('none'),
                  },
                  h('span', {}, entry.title),
                ),
              ),
          };
        }),
      );
    },
  };
}
