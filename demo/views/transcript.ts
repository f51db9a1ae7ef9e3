// The whole conversation, with marks where the model's window begins and where messages were removed.
import type { View } from '../actions.js';
import { h, type Keyed, keyedList, setText } from '../dom.js';
import { icon } from '../icons.js';
import type {
  ArchiveState,
  PageState,
  ShownCompaction,
  ShownMessage,
  SourcePlace,
  ThreadState,
} from '../store.js';
import { words } from '../words.js';
import { liveView, messageView } from './message.js';
import { elementId, type TranscriptContext } from './transcript-context.js';

/** How near to its end, in pixels, the transcript counts as read to the end and follows what arrives. */
const FOLLOW_PX = 96;

/** Draws the open conversation and keeps the reader's place in it. */
export function transcriptView(context: () => TranscriptContext): View<PageState> {
  const list = h('div', { class: 'messages' });
  const show = keyedList(list);
  const live = liveView();
  const below = h('div', { class: 'run-state' });
  const spoken = h('p', { class: 'spoken', role: 'status' });
  const latest = h('button', { type: 'button', class: 'latest', hidden: true }, icon('down'), words.latest);
  const scroller = h(
    'section',
    { class: 'transcript', 'aria-label': words.conversation, tabindex: 0 },
    list,
    below,
  );
  const element = h('div', { class: 'transcript-frame' }, scroller, latest, spoken);

  let shown: string | null = null;
  let placed: SourcePlace | null = null;
  let running = false;
  /** Whether the reader is at the end and wants to stay there. */
  let following = true;
  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight;
    following = true;
    latest.hidden = true;
  };
  scroller.addEventListener('scroll', () => {
    following = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < FOLLOW_PX;
    latest.hidden = following;
  });
  latest.addEventListener('click', toEnd);
  new ResizeObserver(() => {
    if (following) toEnd();
  }).observe(scroller);

  return {
    element,
    update(state) {
      const open = state.open;
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
      show(itemsOf(open, state.place, state.archive, context()));
      if (open.live === null) live.element.remove();
      else {
        live.show(open.live.text, open.messages.at(-1)?.speaker !== 'human');
        if (!live.element.isConnected) list.after(live.element);
      }
      showRunState(below, open, context());
      shown = open.entry.id;
      if (state.place !== null && state.place !== placed && open.loaded) {
        placed = state.place;
        following = false;
        goTo(state.place);
      }
      if (following) toEnd();
    },
  };
}

/** Brings a place into view and gives it the focus, so that a screen reader goes on reading there. */
function goTo(place: SourcePlace): void {
  const message = document.getElementById(elementId(place.message));
  if (message === null) return;
  const fold = message.closest('details');
  if (fold !== null) fold.open = true;
  const target = message.querySelector('mark') ?? message.querySelector('.excerpt') ?? message;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  target.scrollIntoView({ block: 'center', behavior: still ? 'instant' : 'smooth' });
  message.closest<HTMLElement>('article')?.focus({ preventScroll: true });
}

function itemsOf(
  open: ThreadState,
  place: SourcePlace | null,
  archive: ArchiveState,
  context: TranscriptContext,
): readonly Keyed[] {
  const results = new Map<string, ShownMessage>();
  const calls = new Set(open.messages.flatMap((message) => message.calls.map((call) => call.id)));
  for (const message of open.messages) if (message.callId !== null) results.set(message.callId, message);
  const covered = new Set(open.compaction?.covered);
  const boundary = open.messages.findLastIndex((message) => covered.has(message.id));
  const running = open.run.kind === 'answering';

  const items: Keyed[] = [];
  let speaker: string | null = null;
  let asked: ShownMessage | null = null;
  const mark = open.compaction === null ? null : markItem(open.compaction, archive);
  const removed = open.compaction === null ? null : removedItem(open.compaction, archive);
  if (removed !== null) items.push(removed);
  if (mark !== null && boundary < 0) items.push(mark);
  for (const [index, message] of open.messages.entries()) {
    const drawnInCall = message.callId !== null && calls.has(message.callId);
    if (!drawnInCall) {
      const own = message.calls.flatMap((call) => results.get(call.id) ?? []);
      const placed =
        place !== null && (place.message === message.id || own.some(({ id }) => id === place.message));
      const parts = {
        message,
        results,
        place: placed ? place : null,
        outside: covered.has(message.id),
        continued: message.speaker === speaker,
        asked,
        running,
        context,
      };
      items.push({
        key: message.id,
        signature: signatureOf(parts, own),
        build: () => messageView(parts),
      });
      speaker = message.speaker;
      if (message.speaker === 'human') asked = message;
    }
    if (mark !== null && index === boundary) {
      items.push(mark);
      speaker = null;
    }
  }
  return items;
}

function signatureOf(
  parts: {
    message: ShownMessage;
    place: SourcePlace | null;
    outside: boolean;
    continued: boolean;
    running: boolean;
    asked: ShownMessage | null;
    context: TranscriptContext;
  },
  results: readonly ShownMessage[],
): string {
  const waiting = parts.running && results.length < parts.message.calls.length;
  // Links of hits and notes depend on what is still in the checkpoint.
  const links = parts.message.calls.length > 0 ? parts.context.revision : '';
  return JSON.stringify([
    parts.message.text.length,
    parts.asked?.id,
    parts.message.calls.length,
    results.map((result) => [result.id, result.text.length]),
    parts.place,
    parts.outside,
    parts.continued,
    waiting,
    links,
  ]);
}

/** Where the model's window begins: opens to the summary that stands for what came before. */
function markItem(compaction: ShownCompaction, archive: ArchiveState): Keyed {
  const key = 'mark';
  const count = compaction.covered.length + compaction.pruned.length;
  return {
    key,
    signature: JSON.stringify([count, compaction.summary, archive.kind]),
    build: () =>
      h(
        'aside',
        { class: 'mark', 'aria-label': words.contextWindow },
        h(
          'details',
          {},
          h('summary', { class: 'mark-line' }, icon('fold'), h('span', {}, words.left(count))),
          h('h4', {}, words.summaryTitle),
          h('div', { class: 'text summary' }, compaction.summary),
        ),
      ),
  };
}

function removedItem(compaction: ShownCompaction, archive: ArchiveState): Keyed | null {
  const count = compaction.pruned.length;
  if (count === 0) return null;
  const text = archive.kind === 'persistent' ? words.removed(count) : words.removedAndLost(count);
  return {
    key: 'removed',
    signature: text,
    build: () => h('p', { class: 'removed' }, text),
  };
}

function showRunState(element: HTMLElement, open: ThreadState, context: TranscriptContext): void {
  const idle = open.run.kind === 'idle';
  const state = idle && open.unfinished && open.loaded ? 'unfinished' : open.run.kind;
  // While words stream in, they are the sign of life.
  const isThinking = state === 'answering' && open.live === null;
  const isEmpty = open.loaded && idle && open.messages.length === 0;
  const signature = `${state}|${isThinking}|${isEmpty}|${open.error ?? ''}`;
  if (element.dataset['signature'] === signature) return;
  element.dataset['signature'] = signature;
  const resume = h('button', { type: 'button', onclick: () => context.actions.resume() }, words.resume);
  if (open.error !== null) {
    element.replaceChildren(
      h('p', { role: 'alert', class: 'failure' }, open.error),
      ...(state === 'unfinished' ? [resume] : []),
    );
  } else if (state === 'unfinished') element.replaceChildren(h('p', {}, words.unfinished), resume);
  else if (isThinking) {
    element.replaceChildren(h('p', { class: 'thinking', 'aria-hidden': 'true' }));
  } else if (isEmpty) element.replaceChildren(h('p', { class: 'aside' }, words.newHint));
  else element.replaceChildren();
}
