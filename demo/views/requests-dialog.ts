// What the model was sent, call by call: a dialog over the page, with each part folded and its text as it left.
import { totalOf } from 'threadkeep/langchain';
import { h } from '../dom.js';
import { cropped } from '../marked.js';
import { type KeptRequest, PARTS, piecesOf, type SentPiece } from '../requests.js';
import { visibleText } from '../shown.js';
import { words } from '../words/index.js';

/** How much of the words that a call answered stands in the list, in UTF-16 units. */
const SAID_CHARS = 60;

/** Shows the requests, the newest first. Calls that are made while it is open are not added. */
export function showRequests(requests: readonly KeptRequest[]): void {
  const sent = h('div', { class: 'sent' });
  const choose = h(
    'select',
    { 'aria-label': words.requestChoice },
    ...requests.map((request, at) => h('option', { value: at }, nameOf(request))),
  );
  const show = () => {
    const request = requests[Number(choose.value)];
    sent.scrollTop = 0;
    if (request !== undefined) sent.replaceChildren(...sectionsOf(request));
  };
  choose.addEventListener('change', show);
  show();
  const dialog = h(
    'dialog',
    { class: 'chooser requests', 'aria-labelledby': 'requests-title' },
    h('h2', { id: 'requests-title' }, words.requestsTitle),
    h('p', { class: 'aside' }, requests.length === 0 ? words.noRequests : words.requestsLead),
    requests.length > 0 && choose,
    sent,
    h(
      'div',
      { class: 'row end' },
      h('button', { type: 'button', onclick: () => dialog.close() }, words.closePanel),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function nameOf(request: KeptRequest): string {
  const time = new Intl.DateTimeFormat(words.language, { timeStyle: 'medium' }).format(request.at);
  const last = request.messages.at(-1);
  const said = last?.type === 'human' ? cropped(visibleText(last.content), [], SAID_CHARS) : null;
  return words.requestName(time, totalOf(request.parts), said, last?.name ?? '');
}

function sectionsOf(request: KeptRequest): HTMLElement[] {
  const pieces = piecesOf(request);
  return PARTS.map((part) => {
    const tokens = words.tokens(request.parts[part]);
    if (pieces[part].length === 0)
      return h('p', { class: 'no-part' }, words.windowPart[part], h('span', {}, words.notSent));
    return h(
      'details',
      {},
      h(
        'summary',
        {},
        words.windowPart[part],
        h('span', {}, `${words.pieces(part, pieces[part].length)}${tokens}`),
      ),
      ...pieces[part].map(pieceView),
    );
  });
}

function pieceView({ title, text }: SentPiece): HTMLElement {
  // It scrolls, so it must be reachable by key.
  return h('figure', {}, h('figcaption', {}, title), h('pre', { tabindex: 0 }, text));
}
