// What the page's user can do with the archive of the open conversation; what removes words asks first.
import type { Actions } from './actions.js';
import type { Services } from './agent.js';
import { askToLast, deleteArchive, exportArchive, importArchive, inspect, type Told } from './inspection.js';
import type { PageState } from './store.js';
import { askArchiveDeletion, askReplacement } from './views/thread-dialogs.js';
import { words } from './words/index.js';

type ArchiveActions = Pick<
  Actions,
  'inspect' | 'exportArchive' | 'importArchive' | 'deleteArchive' | 'keepStorage'
>;

/** Makes the actions; `open` answers the conversation that is on the page, `changed` hears of an archive that is another. */
export function archiveActions(
  services: Services,
  open: () => PageState['open'],
  changed: () => void,
): ArchiveActions {
  const telling = async (work: Promise<Told>): Promise<Told> => {
    const told = await work;
    if (told?.ok === true) changed();
    return told;
  };
  return {
    async inspect() {
      const thread = open()?.entry.id;
      return thread === undefined ? null : inspect(services, thread);
    },
    async exportArchive() {
      const entry = open()?.entry;
      return entry === undefined ? null : exportArchive(services, entry);
    },
    async importArchive(file) {
      const thread = open()?.entry.id;
      if (thread === undefined) return null;
      const now = await inspect(services, thread);
      const batches = (now.ok ? now.value.details?.batches : null) ?? [];
      const sources = batches.reduce((sum, batch) => sum + batch.sources, 0);
      if (
        batches.length > 0 &&
        !(await askReplacement(words.replaceWhat(file.name, batches.length, sources)))
      )
        return null;
      return telling(importArchive(services, thread, file));
    },
    async deleteArchive() {
      const state = open();
      if (state === null) return null;
      const thread = state.entry.id;
      const now = await inspect(services, thread);
      // What cannot be read may be deleted all the same.
      const batches = (now.ok ? now.value.details?.batches : null) ?? [];
      const sources = batches.reduce((sum, batch) => sum + batch.sources, 0);
      const contents = words.deleteArchiveList(
        batches.length,
        sources,
        now.ok ? now.value.bytes : 0,
        state.compaction?.pruned.length ?? 0,
      );
      return (await askArchiveDeletion(contents)) ? telling(deleteArchive(services, thread)) : null;
    },
    keepStorage: askToLast,
  };
}
