// The archive inspector: what is archived of the conversation, its limits, the room of this device, and what to do with it.
import type { ArchiveDetails, Reply } from 'threadkeep';
import type { Actions, View } from '../actions.js';
import { fill, h } from '../dom.js';
import type { Inspection, Told } from '../inspection.js';
import { RETENTION } from '../retention.js';
import type { PageState, ThreadState } from '../store.js';
import { whenOf } from '../when.js';
import { words } from '../words/index.js';
import { gaugeView } from './gauge.js';

const PAGE_BYTES = 4_096;

/** Draws the inspector. It looks anew whenever a run has ended, a batch has come, or its own buttons have done something. */
export function archiveView(actions: Actions): View<PageState> {
  const held = h('div', { class: 'archive-part' });
  const room = h('div', { class: 'archive-part' });
  const button = (text: string, run: () => Promise<Told>, kind: string | null = null) => {
    const element = h('button', { type: 'button', class: kind }, text);
    element.addEventListener('click', () => void act(element, run));
    return element;
  };
  const save = button(words.archiveExport, () => actions.exportArchive());
  const input = h('input', { type: 'file', accept: '.sqlite,application/vnd.sqlite3', hidden: true });
  const load = h('button', { type: 'button', onclick: () => input.click() }, words.archiveImport);
  const remove = button(words.archiveDelete, () => actions.deleteArchive(), 'danger');
  const keep = button(words.lastingAsk, () => actions.keepStorage());
  const told = h('div', { class: 'told-here', role: 'status' });
  const element = h(
    'div',
    { class: 'archive' },
    h('h3', {}, words.archiveOfThis),
    held,
    h('div', { class: 'row' }, save, load, remove),
    told,
    h('h3', {}, words.roomOfDevice),
    room,
    keep,
    input,
  );
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    // The same file can be chosen again.
    input.value = '';
    if (file !== undefined) void act(load, () => actions.importArchive(file));
  });

  let open: ThreadState | null = null;
  /** What the figures on the page were read for. */
  let known = '';
  let turn = 0;

  async function act(pressed: HTMLButtonElement, run: () => Promise<Told>): Promise<void> {
    pressed.disabled = true;
    const outcome = await run();
    pressed.disabled = false;
    if (outcome !== null) fill(told, ...saidOf(outcome));
    await look();
    // What it was pressed for may leave it without a purpose.
    if (document.activeElement === document.body)
      (pressed.disabled || pressed.hidden ? load : pressed).focus();
  }

  async function look(): Promise<void> {
    turn += 1;
    const own = turn;
    const reply = await actions.inspect();
    if (own === turn && open !== null && reply !== null) draw(reply, open);
  }

  function draw(reply: Reply<Inspection>, state: ThreadState): void {
    const isThere = reply.ok && reply.value.details !== null;
    save.disabled = !isThere;
    remove.disabled = !isThere;
    keep.hidden = !reply.ok || reply.value.isLasting !== false;
    if (!reply.ok) {
      fill(held, h('p', { class: 'failure' }, words.archiveFailure[reply.failure]), detailOf(reply.detail));
      fill(room);
      return;
    }
    fill(held, ...heldOf(reply.value, state));
    fill(room, ...roomOf(reply.value));
  }

  return {
    element,
    update(state) {
      open = state.open;
      if (open === null) return;
      const { id } = open.entry;
      const now = [
        id,
        open.run.kind === 'idle',
        open.batches.join(),
        state.archive.kind,
        state.archives,
      ].join('|');
      if (now === known) return;
      if (!known.startsWith(`${id}|`)) {
        fill(told);
        if (held.childElementCount === 0) fill(held, h('p', { class: 'aside' }, words.reading));
      }
      known = now;
      if (open.run.kind === 'idle') void look();
    },
  };
}

function heldOf({ details, bytes }: Inspection, { batches }: ThreadState): readonly HTMLElement[] {
  if (details === null) return [h('p', { class: 'aside' }, words.nothingArchived)];
  const sources = details.batches.reduce((sum, batch) => sum + batch.sources, 0);
  return [
    h('p', { class: 'archive-sum' }, words.archiveHolds(sources, bytes)),
    gaugeView({
      label: words.gaugeBatches,
      value: details.batches.length,
      max: RETENTION.maxBatches,
      text: words.ofMost(details.batches.length, RETENTION.maxBatches),
    }),
    gaugeView({
      label: words.gaugePages,
      value: details.pages,
      max: details.ceilingPages,
      text: words.ofMost(details.pages, details.ceilingPages),
    }),
    h(
      'p',
      { class: 'aside' },
      words.retention(
        RETENTION.maxRecordsPerBatch,
        RETENTION.maxRecordChars,
        details.ceilingPages * PAGE_BYTES,
      ),
    ),
    batchList(details, new Set(batches)),
  ];
}

/** The newest first, as everywhere on the page. */
function batchList({ batches }: ArchiveDetails, reachable: ReadonlySet<string>): HTMLElement {
  const now = Date.now();
  return h(
    'ol',
    { class: 'batches', 'aria-label': words.gaugeBatches },
    ...batches.toReversed().map((batch, index) =>
      h(
        'li',
        {},
        h(
          'time',
          {
            datetime: new Date(batch.capturedAt).toISOString(),
            title: new Date(batch.capturedAt).toLocaleString(words.language),
          },
          whenOf(batch.capturedAt, now, words.language),
        ),
        h('span', { class: 'batch-size' }, words.batchHolds(batch.sources, batch.bytes)),
        (!reachable.has(batch.id) || (index === batches.length - 1 && batches.length > 1)) &&
          h(
            'span',
            { class: 'batch-state' },
            reachable.has(batch.id) ? words.batchNextToGo : words.batchNotReachable,
          ),
      ),
    ),
  );
}

function roomOf({ archives, usage, quota, isLasting }: Inspection): readonly HTMLElement[] {
  return [
    ...(usage === null || quota === null
      ? [h('p', { class: 'aside' }, words.roomUnknown)]
      : [gaugeView({ label: words.gaugeRoom, value: usage, max: quota, text: words.ofRoom(usage, quota) })]),
    h('p', { class: 'aside' }, words.archivesHold(archives.count, archives.bytes)),
    h(
      'p',
      { class: 'lasting' },
      isLasting === null ? words.lastingUnknown : isLasting ? words.lastingYes : words.lastingNo,
    ),
  ];
}

function saidOf(told: NonNullable<Told>): readonly (HTMLElement | null)[] {
  return told.ok ? [h('p', {}, told.text)] : [h('p', { class: 'failure' }, told.text), detailOf(told.detail)];
}

/** What the machine said, for those who want it. */
function detailOf(detail: string): HTMLElement | null {
  return detail === ''
    ? null
    : h('details', {}, h('summary', {}, words.details), h('p', { class: 'aside' }, detail));
}
