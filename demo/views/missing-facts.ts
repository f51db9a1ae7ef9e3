// What a summary does not tell of the messages that it stands for, by kind, each to be pinned as a note.
import type { Fact, FactKind } from 'threadkeep/langchain';
import type { Actions } from '../actions.js';
import { fill, h } from '../dom.js';
import { icon } from '../icons.js';
import { cropped } from '../marked.js';
import { placeOfWords } from '../sources.js';
import type { ThreadState } from '../store.js';
import { words } from '../words/index.js';
import type { TranscriptContext } from './transcript-context.js';

const KINDS: readonly FactKind[] = ['rule', 'identifier', 'number', 'name', 'path', 'link'];
/** How many things of a kind stand open; the rest is folded. */
const FACTS_SHOWN = 4;
/** How much of the sentence around a thing is shown, in UTF-16 units. */
const SENTENCE_CHARS = 150;

export interface MissingFacts {
  readonly element: HTMLElement;
  /** Draws these; null for not known yet. */
  show(facts: readonly Fact[] | null): void;
  /** Marks those that are notes of the conversation. */
  update(open: ThreadState, canPin: boolean, context: TranscriptContext): void;
}

/** Makes the list. A button that cannot be used keeps the focus: it is disabled in name alone. */
export function missingFactsView(actions: Actions): MissingFacts {
  const element = h('div', { class: 'missing' });
  let state: { open: ThreadState; canPin: boolean; context: TranscriptContext } | null = null;
  let drawn: { fact: Fact; pin: HTMLButtonElement; isPinned: boolean | null }[] = [];

  const drawButtons = () => {
    if (state === null) return;
    const { open, canPin } = state;
    const notes = new Set(open.notes.map(({ content }) => content));
    for (const entry of drawn) {
      const { fact, pin } = entry;
      const isPinned = notes.has(fact.sentence);
      pin.hidden = open.past !== null && !isPinned;
      pin.setAttribute('aria-disabled', String(isPinned || !canPin));
      if (entry.isPinned === isPinned) continue;
      entry.isPinned = isPinned;
      fill(pin, icon(isPinned ? 'check' : 'pin'), isPinned ? words.pinned : words.pin);
      pin.ariaLabel = isPinned ? words.pinnedFact(fact.text) : words.pinFact(fact.text);
    }
  };

  const factView = (fact: Fact): HTMLElement => {
    const pin = h('button', { type: 'button', class: 'pin' });
    pin.addEventListener('click', () => {
      if (pin.getAttribute('aria-disabled') !== 'true') actions.pin(fact);
    });
    drawn.push({ fact, pin, isPinned: null });
    return h('li', {}, h('div', { class: 'fact' }, ...factText(fact, state, actions)), pin);
  };

  const groupView = (kind: FactKind, facts: readonly Fact[]): HTMLElement => {
    const list = h('ul', { class: 'facts' }, ...facts.slice(0, FACTS_SHOWN).map(factView));
    const rest = facts.slice(FACTS_SHOWN);
    const more =
      rest.length > 0 && h('button', { type: 'button', class: 'link' }, words.moreFacts(rest.length));
    if (more !== false) {
      more.addEventListener('click', () => {
        const first = list.childElementCount;
        list.append(...rest.map(factView));
        drawButtons();
        more.remove();
        list.children[first]?.querySelector<HTMLElement>('a, button')?.focus();
      });
    }
    return h(
      'section',
      { 'aria-label': words.factKind[kind] },
      h('h5', {}, words.factKind[kind], h('span', { class: 'count' }, words.number(facts.length))),
      list,
      more,
    );
  };

  return {
    element,
    show(facts) {
      drawn = [];
      if (facts === null) {
        element.replaceChildren();
        return;
      }
      const groups = KINDS.map((kind) => ({ kind, of: facts.filter((fact) => fact.kind === kind) }));
      fill(
        element,
        h('h4', {}, words.missing),
        h('p', { class: 'aside' }, facts.length === 0 ? words.nothingMissing : words.missingHint),
        ...groups.filter(({ of }) => of.length > 0).map(({ kind, of }) => groupView(kind, of)),
      );
      drawButtons();
    },
    update(open, canPin, context) {
      state = { open, canPin, context };
      drawButtons();
    },
  };
}

/** The thing, and the sentence around it as a way to its message. */
function factText(
  fact: Fact,
  state: { open: ThreadState; context: TranscriptContext } | null,
  actions: Actions,
): HTMLElement[] {
  const isWhole = fact.sentence === fact.text;
  const said = isWhole ? fact.text : cropped(fact.sentence, [fact.text], SENTENCE_CHARS);
  const message = state?.open.messages.find(({ id }) => id === fact.messageId);
  const name = isWhole ? [] : [h('strong', {}, fact.text)];
  if (message === undefined || state === null) return [...name, h('span', {}, said)];
  const place = placeOfWords(message, fact.sentence, isWhole ? '' : fact.text);
  const link = h('a', { href: state.context.linkTo(place) }, said);
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    actions.showSource(place);
  });
  return [...name, link];
}
