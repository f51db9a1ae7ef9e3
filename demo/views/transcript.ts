// The whole conversation, with marks where the model's window begins and where messages were removed.
import type { Actions, View } from '../actions.js';
import { h, setText } from '../dom.js';
import { icon } from '../icons.js';
import type { PageState, SourcePlace, ThreadState } from '../store.js';
import { words } from '../words/index.js';
import { compactionMark } from './compaction-mark.js';
import { findBar } from './find-bar.js';
import { liveView } from './message.js';
import { elementId, type TranscriptContext } from './transcript-context.js';
import { rowOf, rowsMemo } from './transcript-rows.js';
import { windowedList } from './windowed-list.js';

/** How near to its end, in pixels, the transcript counts as read to the end and follows what arrives. */
const FOLLOW_PX = 96;

/** Draws the open conversation and keeps the reader's place in it. */
export function transcriptView(actions: Actions, context: () => TranscriptContext): View<PageState> {
  const live = liveView();
  const below = h('div', { class: 'run-state' });
  const spoken = h('p', { class: 'spoken', role: 'status' });
  const latest = h('button', { type: 'button', class: 'latest', hidden: true }, icon('down'), words.latest);
  const scroller = h(
    'section',
    { class: 'transcript', 'aria-label': words.conversation, tabindex: 0 },
    below,
  );
  const list = windowedList(scroller);
  scroller.prepend(list.element);
  const mark = compactionMark(actions);
  const rows = rowsMemo(mark.element);
  const find = findBar(actions, list.isPartial);
  const element = h('div', { class: 'transcript-frame' }, find.element, scroller, latest, spoken);

  let shown: string | null = null;
  let placed: SourcePlace | null = null;
  let running = false;
  /** Whether the reader is at the end and wants to stay there. */
  let following = true;
  const toEnd = () => {
    list.toEnd();
    following = true;
    latest.hidden = true;
  };
  const followOrNot = () => {
    following = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < FOLLOW_PX;
    latest.hidden = following;
  };
  scroller.addEventListener('scroll', followOrNot);
  // Who opens a fold wants to read it, wherever the end is then.
  scroller.addEventListener('toggle', followOrNot, true);
  latest.addEventListener('click', toEnd);
  new ResizeObserver(() => {
    if (following) toEnd();
  }).observe(scroller);

  return {
    element,
    update(state) {
      const open = state.open;
      find.update(state);
      element.hidden = open === null;
      if (open === null) {
        shown = null;
        return;
      }
      const asked = open.run.kind === 'answering' && !running;
      if (asked) setText(spoken, words.answering);
      // Read aloud once it is whole, not word by word.
      if (running && open.run.kind === 'idle') setText(spoken, open.messages.at(-1)?.text ?? '');
      running = open.run.kind === 'answering' || open.run.kind === 'stopping';
      if (shown !== open.entry.id) placed = null;
      if (shown !== open.entry.id || asked) following = true;
      const hadFocus = mark.element.contains(document.activeElement);
      mark.update(open, context());
      list.show(rows(open, state.place, state.archive, context()), following);
      // The mark may have gone: who took the compaction back goes on reading.
      if (hadFocus && !mark.element.isConnected) scroller.focus({ preventScroll: true });
      if (open.live === null) live.element.remove();
      else {
        live.show(open.live.text, open.messages.at(-1)?.speaker !== 'human');
        if (!live.element.isConnected) list.element.after(live.element);
      }
      showRunState(below, open, context());
      shown = open.entry.id;
      if (state.place !== null && state.place !== placed && open.loaded) {
        placed = state.place;
        following = false;
        if (list.reveal(rowOf(state.place.message, open))) goTo(state.place, list.isPartial());
      }
      if (following) toEnd();
    },
  };
}

/** Brings a place into view and gives it the focus, so that a screen reader goes on reading there. */
function goTo(place: SourcePlace, isFar: boolean): void {
  const message = document.getElementById(elementId(place.message));
  if (message === null) return;
  const fold = message.closest('details');
  if (fold !== null) fold.open = true;
  const target = message.querySelector('mark') ?? message.querySelector('.excerpt') ?? message;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  target.scrollIntoView({ block: 'center', behavior: still || isFar ? 'instant' : 'smooth' });
  // Who steps through the places of a search goes on stepping.
  if (document.activeElement?.closest('.find') == null)
    message.closest<HTMLElement>('article')?.focus({ preventScroll: true });
}

function showRunState(element: HTMLElement, open: ThreadState, context: TranscriptContext): void {
  const idle = open.run.kind === 'idle';
  const state = idle && open.unfinished && open.loaded ? 'unfinished' : open.run.kind;
  // While words stream in, they are the sign of life.
  const isThinking = state === 'answering' && open.live === null;
  const isEmpty = open.loaded && idle && open.messages.length === 0;
  const of = open.run.kind === 'elsewhere' ? open.run.of : '';
  const signature = `${state}|${of}|${isThinking}|${isEmpty}|${open.error ?? ''}`;
  if (element.dataset['signature'] === signature) return;
  element.dataset['signature'] = signature;
  const resume = h('button', { type: 'button', onclick: () => context.actions.resume() }, words.resume);
  if (open.error !== null) {
    element.replaceChildren(
      h('p', { role: 'alert', class: 'failure' }, open.error),
      ...(state === 'unfinished' ? [resume] : []),
    );
  } else if (state === 'unfinished') element.replaceChildren(h('p', {}, words.unfinished), resume);
  else if (open.run.kind === 'elsewhere' && open.run.of !== 'writing') {
    element.replaceChildren(
      h('p', {}, open.run.of === 'answering' ? words.answeringElsewhere : words.compactingElsewhere),
      h('button', { type: 'button', onclick: () => context.actions.stopOther() }, words.stopOther),
    );
  } else if (open.run.kind === 'waiting') {
    element.replaceChildren(...waitingParts(open.run.text, context));
  } else if (isThinking) {
    element.replaceChildren(h('p', { class: 'thinking', 'aria-hidden': 'true' }));
  } else if (isEmpty) element.replaceChildren(h('p', { class: 'aside' }, words.newHint));
  else element.replaceChildren();
}

/** What waits for another tab, and the ways out of waiting. */
function waitingParts(text: string | null, { actions }: TranscriptContext): readonly HTMLElement[] {
  const button = (label: string, run: () => void) => h('button', { type: 'button', onclick: run }, label);
  return [
    h('p', {}, text === null ? words.waitingToWrite : words.waitingToSend),
    ...(text === null ? [] : [h('p', { class: 'waiting-text' }, text)]),
    button(words.takeOver, () => actions.stopOther()),
    button(words.doNotWait, () => actions.stop()),
  ];
}
