// Beside the conversation: its notebook, its timeline, a search of its history and its archive, one at a time.
import type { Actions, View } from '../actions.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import type { PageState, Tab } from '../store.js';
import { words } from '../words/index.js';

/** Draws the panel; the tabs follow the keys that tabs are used with, and only the chosen one's view is kept up. */
export function panelView(actions: Actions, views: Readonly<Record<Tab, View<PageState>>>): View<PageState> {
  const names: readonly Tab[] = ['notes', 'timeline', 'search', 'archive'];
  const tabs = names.map((name) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${name}`,
        'aria-controls': `panel-${name}`,
        onclick: () => actions.showTab(name),
      },
      words.tab[name],
    ),
  );
  const pages = names.map((name) =>
    h(
      'div',
      { role: 'tabpanel', id: `panel-${name}`, class: `tab-page ${name}`, 'aria-labelledby': `tab-${name}` },
      views[name].element,
    ),
  );
  const list = h('div', { role: 'tablist', 'aria-label': words.beside }, ...tabs);
  const close = h(
    'button',
    {
      type: 'button',
      class: 'icon-button only-drawer',
      'aria-label': words.closePanel,
      onclick: () => actions.showPanel('none'),
    },
    icon('close'),
  );
  const element = h('aside', { class: 'notebook', id: 'notebook' }, h('header', {}, list, close), ...pages);
  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((tab) => tab.matches(':focus'));
    const next =
      event.key === 'ArrowRight'
        ? (at + 1) % names.length
        : event.key === 'ArrowLeft'
          ? (at + names.length - 1) % names.length
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? names.length - 1
              : null;
    const name = next === null ? undefined : names[next];
    if (next === null || name === undefined) return;
    event.preventDefault();
    actions.showTab(name);
    tabs[next]?.focus();
  });

  return {
    element,
    update(state) {
      element.hidden = state.open === null;
      element.ariaLabel = words.tab[state.tab];
      for (const [at, name] of names.entries()) {
        const isChosen = name === state.tab;
        tabs[at]?.setAttribute('aria-selected', String(isChosen));
        tabs[at]?.setAttribute('tabindex', isChosen ? '0' : '-1');
        const page = pages[at];
        if (page !== undefined) page.hidden = !isChosen;
        if (isChosen) views[name].update(state);
      }
    },
  };
}
