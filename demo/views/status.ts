// Whether the archive is kept, lives in memory, or is unavailable: a line that is always there, and a notice when it matters.
import type { View } from '../actions.js';
import { h, setText } from '../dom.js';
import type { ArchiveState, PageState } from '../store.js';
import { words } from '../words.js';

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

/** The notice for an archive that does not keep what it is given. */
export function archiveNotice(): View<PageState> {
  const element = h('p', { class: 'notice', role: 'status' });
  return {
    element,
    update({ archive }) {
      const notice = noticeOf(archive);
      element.hidden = notice === null;
      setText(element, notice ?? '');
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
  if (archive.kind === 'unavailable') return words.unavailableNotice(archive.failure, archive.detail);
  return null;
}
