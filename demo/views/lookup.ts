// The agent's own search, for the user: what can be found from the checkpoint that is shown.
import type { Actions, View } from '../actions.js';
import { h, setText } from '../dom.js';
import { codePoints } from '../marked.js';
import type { ShownHit } from '../results.js';
import { drawRanges, placeRanges, type Range } from '../rich-text.js';
import type { PageState } from '../store.js';
import { words } from '../words/index.js';
import { hitView } from './hit.js';
import type { TranscriptContext } from './transcript-context.js';

/** Draws the search. Its results belong to the checkpoint in which they were found. */
export function lookupView(actions: Actions, context: () => TranscriptContext): View<PageState> {
  const input = h('input', {
    type: 'search',
    'aria-label': words.lookup,
    placeholder: words.lookupHint,
    autocomplete: 'off',
  });
  const role = h(
    'select',
    { 'aria-label': words.lookupRole },
    ...(['', 'user', 'assistant', 'tool'] as const).map((value) =>
      h('option', { value }, words.lookupRoles[value]),
    ),
  );
  const go = h('button', {}, words.lookupGo);
  const form = h(
    'form',
    { role: 'search', class: 'lookup-form' },
    input,
    h('div', { class: 'row' }, role, go),
  );
  const status = h('p', { class: 'aside', role: 'status' });
  const list = h('ol', { class: 'hits' });
  const reach = h('p', { class: 'aside' });
  const element = h('div', { class: 'lookup' }, form, status, list, reach);

  /** What the results on the page belong to. */
  let place = '';
  let turn = 0;
  const clear = () => {
    turn += 1;
    list.replaceChildren();
    setText(status, '');
  };
  const run = async () => {
    const query = input.value.trim();
    clear();
    if (query === '') return;
    const own = turn;
    const found = await actions.search(query, role.value === '' ? null : role.value);
    if (own !== turn) return;
    if (found.kind === 'failed') {
      setText(status, found.detail);
      return;
    }
    setText(
      status,
      [words.hits(found.hits.length), words.historyStatus(found.status)].filter(Boolean).join('. '),
    );
    list.replaceChildren(
      ...found.hits.map((hit) => hitView(hit, query, context(), readerOf(hit, query, actions))),
    );
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run();
  });
  role.addEventListener('change', () => void run());
  input.addEventListener('input', () => {
    if (input.value === '') clear();
  });

  return {
    element,
    update({ open }) {
      if (open === null) return;
      setText(reach, words.reach(open.batches.length));
      const now = `${open.entry.id}|${open.past?.checkpoint ?? ''}`;
      if (now === place) return;
      const isOther = !place.startsWith(`${open.entry.id}|`);
      place = now;
      if (isOther) {
        input.value = '';
        clear();
      } else void run();
    },
  };
}

/**
 * Reads the source page by page: the only way to a text that has left the conversation. What was found is set apart in
 * it as it would be in the conversation.
 */
function readerOf(hit: ShownHit, query: string, actions: Actions): HTMLElement {
  const text = h('div', { class: 'page-text', tabindex: -1 });
  let offset: number | null = 0;
  const read = async () => {
    const at = offset ?? 0;
    const page = await actions.read(hit.id, at);
    text.append(
      ...(page === null ? [words.sourceGone] : drawRanges(page.text, foundIn(page.text, at, hit, query))),
    );
    offset = page?.nextOffset ?? null;
  };
  const more = h('button', { type: 'button' }, words.readSource);
  more.addEventListener('click', async () => {
    const isFirst = text.firstChild === null;
    more.disabled = true;
    await read();
    // What was found may stand some pages further on.
    while (isFirst && offset !== null && offset <= hit.start) await read();
    more.disabled = false;
    more.textContent = words.readOn;
    more.hidden = offset === null;
    if (isFirst) text.querySelector('mark')?.scrollIntoView({ block: 'center' });
    if (more.hidden) text.focus({ preventScroll: true });
    else more.focus({ preventScroll: true });
  });
  return h('div', { class: 'reader' }, text, more);
}

/** The part of an excerpt that lies in a page, which begins at `offset`. */
function foundIn(page: string, offset: number, hit: ShownHit, query: string): readonly Range[] {
  const start = Math.max(0, hit.start - offset);
  const end = hit.end - offset;
  if (!hit.match || end <= 0 || start >= codePoints(page)) return [];
  return placeRanges(page, { message: '', start, end, query });
}
