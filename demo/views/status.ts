// Whether the archive is kept, lives in memory, or is unavailable: a line that is always there, and a notice when it matters.
import type { View } from '../actions.js';
import { h, setText } from '../dom.js';
import type { ArchiveState, PageState } from '../store.js';
import { words } from '../words/index.js';

/** The one-line status, with the reason as its title. */
export function archiveLine(): View<PageState> {
  const text = h('span');
  const element = h('p', { class: 'archive-line', role: 'status' }, text);
  return {
    element,
    update({ archive }) {
      element.dataset['kind'] = archive.kind;
      element.title = noticeOf(archive) ?? '';
      setText(text, lineOf(archive));
    },
  };
}

/** The notice for an archive that does not keep what it is given; what the browser said is folded below it. */
export function archiveNotice(): View<PageState> {
  const text = h('p', { role: 'status' });
  const detail = h('p', { class: 'aside' });
  const fold = h('details', {}, h('summary', {}, words.details), detail);
  const element = h('div', { class: 'notice' }, text, fold);
  return {
    element,
    update({ archive }) {
      const notice = noticeOf(archive);
      element.hidden = notice === null;
      setText(text, notice ?? '');
      fold.hidden = archive.kind !== 'unavailable' || archive.detail === '';
      setText(detail, archive.kind === 'unavailable' ? archive.detail : '');
    },
  };
}

function lineOf(archive: ArchiveState): string {
  if (archive.kind === 'starting') return words.archiveStarting;
  if (archive.kind === 'persistent') return words.archivePersistent;
  if (archive.kind === 'memory') return words.archiveMemory;
  return words.archiveUnavailable;
}

function noticeOf(archive: ArchiveState): string | null {
  if (archive.kind === 'memory') return words.memoryNotice(archive.reason);
  if (archive.kind === 'unavailable') return words.unavailableNotice(archive.failure);
  return null;
}
