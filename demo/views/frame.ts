// The page as a whole: side bar, conversation, notebook, and the drawers that the outer two become on a narrow page.
import type { View } from '../actions.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import type { PageState } from '../store.js';
import { words } from '../words/index.js';

type Part = View<PageState>;

export interface Parts {
  readonly side: Part;
  readonly line: Part;
  readonly meter: Part;
  readonly context: Part;
  readonly notice: Part;
  readonly past: Part;
  readonly refusal: Part;
  readonly welcome: Part;
  readonly notes: Part;
  readonly composer: Part;
  readonly transcript: Part;
}

/** Puts the parts in their places; `update` reaches each of them, in the order of `parts`. */
export function frameView(set: (patch: Partial<PageState>) => void, parts: Parts): Part {
  const title = h('h1');
  const menu = drawerButton('threads-button', 'menu', words.conversations, 'side');
  const notes = drawerButton('notes-button', 'notebook', words.beside, 'notebook');
  const head = h(
    'header',
    { class: 'head' },
    menu,
    h('div', { class: 'head-text' }, title, parts.line.element),
    parts.meter.element,
    parts.context.element,
    notes,
  );
  const element = h(
    'div',
    { class: 'page' },
    parts.side.element,
    h(
      'main',
      { class: 'talk' },
      head,
      h('div', { class: 'notices' }, parts.refusal.element, parts.notice.element, parts.past.element),
      parts.welcome.element,
      parts.transcript.element,
      parts.composer.element,
    ),
    parts.notes.element,
    h('div', { class: 'backdrop', onclick: () => set({ panel: 'none' }) }),
  );

  let panel: PageState['panel'] = 'none';
  const toggle = (which: 'threads' | 'notes') => set({ panel: panel === which ? 'none' : which });
  menu.addEventListener('click', () => toggle('threads'));
  notes.addEventListener('click', () => toggle('notes'));
  document.addEventListener('keydown', (event) => {
    // In a question over the drawer it answers the question alone.
    const isAsking = event.target instanceof Element && event.target.closest('dialog') !== null;
    if (event.key === 'Escape' && panel !== 'none' && !isAsking) set({ panel: 'none' });
  });

  return {
    element,
    update(state) {
      const open = state.open;
      const bare = open === null && state.threads.length === 0;
      title.textContent = open?.entry.title ?? words.brand;
      document.title = open === null ? words.brand : `${open.entry.title} – ${words.brand}`;
      element.dataset['panel'] = state.panel;
      element.dataset['run'] = open?.run.kind ?? 'idle';
      element.classList.toggle('empty', open === null);
      element.classList.toggle('bare', bare);
      head.hidden = bare;
      notes.hidden = open === null;
      menu.setAttribute('aria-expanded', String(state.panel === 'threads'));
      notes.setAttribute('aria-expanded', String(state.panel === 'notes'));
      for (const part of Object.values<Part>({ ...parts })) part.update(state);
      if (panel === state.panel) return;
      // The focus goes into the drawer that opens, and back to its button when it closes.
      if (state.panel === 'threads') parts.side.element.querySelector('button')?.focus();
      else if (state.panel === 'notes') parts.notes.element.querySelector('button')?.focus();
      else if (parts.side.element.contains(document.activeElement)) menu.focus();
      else if (parts.notes.element.contains(document.activeElement)) notes.focus();
      panel = state.panel;
    },
  };
}

function drawerButton(
  name: string,
  picture: 'menu' | 'notebook',
  label: string,
  controls: string,
): HTMLElement {
  return h(
    'button',
    {
      type: 'button',
      class: `icon-button opens-drawer ${name}`,
      'aria-label': label,
      'aria-controls': controls,
    },
    icon(picture),
  );
}
