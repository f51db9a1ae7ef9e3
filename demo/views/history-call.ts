// The history tools, drawn as what they do: a search with its hits, a page that was read, a note with its source.
import { h } from '../dom.js';
import { type IconName, icon } from '../icons.js';
import { codePoints, cropped } from '../marked.js';
import {
  argument,
  listArgument,
  numberArgument,
  parseNote,
  parseRead,
  parseSearch,
  type ShownHit,
} from '../results.js';
import type { SourcePlace } from '../store.js';
import { words } from '../words/index.js';
import { badge, hitView } from './hit.js';
import { citationsView } from './notes.js';
import type { ToolCallParts } from './tool-call.js';
import type { TranscriptContext } from './transcript-context.js';

/** How many hits stand open; the rest is folded. */
const HITS_SHOWN = 5;
/** Longest piece of a page shown before it is unfolded, in UTF-16 units. */
const PAGE_CHARS = 420;

/** Draws `history_search`, `history_read` and `task_note`; null for any other tool. */
export function historyCallView(parts: ToolCallParts): HTMLElement | null {
  if (parts.call.name === 'history_search') return searchView(parts);
  if (parts.call.name === 'history_read') return readView(parts);
  if (parts.call.name === 'task_note') return noteView(parts);
  return null;
}

function searchView({ call, result, context }: ToolCallParts): HTMLElement {
  const query = argument(call.args, 'query') ?? '';
  const role = argument(call.args, 'role');
  if (result === null) return card('search', 'search', words.searching, [quoted(query)]);
  const answer = parseSearch(result.text);
  if (answer === null)
    return card('search', 'search', words.searched, [quoted(query)], h('pre', {}, result.text));
  if (answer.kind === 'error') return refused('search', 'search', words.lookupRefused, answer);
  const status = words.historyStatus(answer.status);
  const hit = (entry: ShownHit) => hitView(entry, query, context);
  const rest = answer.hits.slice(HITS_SHOWN);
  return card(
    'search',
    'search',
    words.searched,
    [quoted(query), role !== null && note(words.onlyRole(role)), note(words.hits(answer.hits.length))],
    status !== null && h('p', { class: 'aside' }, status),
    answer.hits.length > 0 && h('ol', { class: 'hits' }, ...answer.hits.slice(0, HITS_SHOWN).map(hit)),
    rest.length > 0 &&
      h(
        'details',
        { class: 'more' },
        h('summary', {}, words.moreHits(rest.length)),
        h('ol', { class: 'hits', start: HITS_SHOWN + 1 }, ...rest.map(hit)),
      ),
  );
}

function readView({ call, result, context }: ToolCallParts): HTMLElement {
  if (result === null) return card('read', 'read', words.readingSource, []);
  const answer = parseRead(result.text);
  if (answer === null) return card('read', 'read', words.readSource, [], h('pre', {}, result.text));
  if (answer.kind === 'error') return refused('read', 'read', words.lookupRefused, answer);
  const offset = numberArgument(call.args, 'offset') ?? 0;
  const length = codePoints(answer.text);
  const range = words.readRange(offset, offset + length, answer.nextOffset !== null);
  const place = readPlace(answer.id, answer.messageId, offset, length, context);
  const long = answer.text.length > PAGE_CHARS;
  return card(
    'read',
    'read',
    words.readSource,
    [answer.origin !== null && badge(answer.origin), note(words.speaker(answer.role)), note(range)],
    long
      ? h(
          'details',
          { class: 'read-page' },
          h(
            'summary',
            { class: 'page-line' },
            h('span', { class: 'page-start' }, cropped(answer.text, [], PAGE_CHARS)),
          ),
          h('div', { class: 'page-text' }, answer.text),
        )
      : h('div', { class: 'page-text' }, answer.text),
    place !== null
      ? h(
          'a',
          {
            class: 'quiet',
            href: context.linkTo(place),
            onclick: (event) => {
              event.preventDefault();
              context.actions.showSource(place);
            },
          },
          words.showSource,
        )
      : h('p', { class: 'aside' }, words.notInCheckpoint),
  );
}

/** The hit that led to the source says best where to look; without one it is the page that was read. */
function readPlace(
  source: string,
  message: string | null,
  offset: number,
  length: number,
  context: TranscriptContext,
): SourcePlace | null {
  if (message === null || !context.hasMessage(message)) return null;
  return context.placeOfSource(source) ?? { message, start: offset, end: offset + length, query: '' };
}

function noteView({ call, result, context }: ToolCallParts): HTMLElement {
  const key = argument(call.args, 'key') ?? '';
  const content = argument(call.args, 'content') ?? '';
  if (result === null) return card('note', 'note', words.noting, [h('code', {}, key)]);
  const answer = parseNote(result.text);
  if (answer === null)
    return card('note', 'note', words.noting, [h('code', {}, key)], h('pre', {}, result.text));
  if (answer.kind === 'error') return refused('note', 'note', words.noteRefused, answer);
  const title = answer.status === 'deleted' ? words.noteDeleted : words.noted;
  return card(
    'note',
    'note',
    title,
    [h('code', {}, answer.key)],
    content !== '' && h('p', { class: 'note-text' }, content),
    answer.status !== 'deleted' && citationsView(listArgument(call.args, 'source_ids'), content, context),
  );
}

type Piece = HTMLElement | null | false;

function card(
  kind: string,
  picture: IconName,
  title: string,
  head: readonly Piece[],
  ...body: readonly Piece[]
): HTMLElement {
  return h(
    'section',
    { class: `history ${kind}`, 'aria-label': title },
    h('h4', { class: 'history-head' }, icon(picture), h('span', {}, title), ...head),
    ...body,
  );
}

function refused(
  kind: string,
  picture: IconName,
  title: string,
  answer: { readonly error: string; readonly hint: string | null },
): HTMLElement {
  return card(
    kind,
    picture,
    title,
    [h('code', {}, answer.error)],
    answer.hint !== null && h('p', {}, answer.hint),
  );
}

function quoted(query: string): HTMLElement {
  return h('q', {}, query);
}

function note(text: string): HTMLElement {
  return h('span', { class: 'aside' }, text);
}
