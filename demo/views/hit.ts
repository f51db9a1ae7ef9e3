// One hit of a search in the history: where it comes from, the words around it, and the way to its source.
import { h } from '../dom.js';
import { cropped, queryWords, wordRanges } from '../marked.js';
import type { ShownHit } from '../results.js';
import { drawRanges } from '../rich-text.js';
import { whenOf } from '../when.js';
import { words } from '../words/index.js';
import type { TranscriptContext } from './transcript-context.js';

/** Longest piece of an excerpt shown for a hit, in UTF-16 units. */
const HIT_CHARS = 180;

/** Draws a hit; `more` is what else it offers when its message is no longer in the conversation. */
export function hitView(
  hit: ShownHit,
  query: string,
  context: TranscriptContext,
  more: HTMLElement | null = null,
): HTMLElement {
  const found = queryWords(query);
  const shown = cropped(hit.excerpt, found, HIT_CHARS);
  const marks = wordRanges(shown, found).map((range) => ({ ...range, tag: 'mark' as const }));
  const text = h('span', { class: 'hit-text' }, ...drawRanges(shown, marks));
  const head = h(
    'span',
    { class: 'hit-head' },
    hit.origin !== null && badge(hit.origin),
    h('span', {}, words.speaker(hit.role)),
    ageOf(hit),
    !hit.match && h('span', {}, words.fallback),
  );
  const message = hit.messageId;
  if (message === null || !context.hasMessage(message)) {
    const gone = hit.origin === 'active' && h('span', { class: 'aside' }, words.removedSince);
    return h('li', { class: 'hit' }, head, text, gone, more);
  }
  const place = { message, start: hit.start, end: hit.end, query };
  const link = h('a', { href: context.linkTo(place) }, head, text);
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    context.actions.showSource(place);
  });
  return h('li', { class: 'hit' }, link);
}

/** How old a text is: when it was archived, or how far up in the conversation it stands. */
function ageOf({ archivedAt, position, conversationLength }: ShownHit): HTMLElement | null {
  if (archivedAt !== null) {
    const when = whenOf(archivedAt, Date.now(), words.language);
    return h('time', { datetime: new Date(archivedAt).toISOString() }, words.archivedWhen(when));
  }
  if (position === null || conversationLength === null) return null;
  return h('span', {}, words.positionOf(position, conversationLength));
}

/** Where a text came from: the live conversation, or the archive alone. */
export function badge(origin: 'active' | 'archive'): HTMLElement {
  return h(
    'span',
    { class: `badge ${origin}` },
    h('span', { class: 'spoken' }, words.origin),
    words.originOf[origin],
  );
}
