// The end of a thread: checkpoints, archive and what is remembered of it here, all of it, once and for good.
import type { Archive, ArchiveFailure, Scope } from '../protocol.js';
import type { IndexedDBSaver } from './checkpoint.js';
import { forgetThread } from './summary-cache.js';

/** Where a thread has left something. */
export interface ThreadStores {
  readonly saver: IndexedDBSaver;
  readonly archive: Pick<Archive, 'forget'>;
}

/** How a deletion ended. `pending`: the checkpoints are gone, and the archive goes with the next `finishDeletions`. */
export type DeletionOutcome =
  | { readonly outcome: 'deleted' }
  | { readonly outcome: 'pending'; readonly failure: ArchiveFailure; readonly detail: string };

/**
 * Deletes a thread: its checkpoints, its archive, and the summary that this page remembers.
 *
 * The checkpoints go first, in one transaction that also notes what is left to do. Runs that are under way, in this
 * tab or another, write nothing more into either; a run that begins later may use the id again. Rejects when the
 * checkpoints cannot be removed: then nothing was.
 */
export async function deleteThread(
  { saver, archive }: ThreadStores,
  { user = saver.user, thread }: { readonly user?: string; readonly thread: string },
): Promise<DeletionOutcome> {
  const scope = { user, thread };
  await saver.deleteThread(scope, { isUnfinished: true });
  forgetThread(user, thread);
  return forgetArchive({ saver, archive }, scope);
}

/**
 * Finishes deletions that were interrupted, by a closed page or an archive that did not answer; to be called when a
 * page starts. What a thread of the same id has archived since stays. Answers how many are left. Rejects when the checkpoint store cannot be read.
 */
export async function finishDeletions(stores: ThreadStores): Promise<number> {
  let left = 0;
  for (const { user, thread, at } of await stores.saver.unfinishedDeletions()) {
    const { outcome } = await forgetArchive(stores, { user, thread }, at);
    if (outcome === 'pending') left += 1;
  }
  return left;
}

async function forgetArchive(
  { saver, archive }: ThreadStores,
  scope: Scope,
  before?: number,
): Promise<DeletionOutcome> {
  const reply = await archive.forget(scope, before);
  if (!reply.ok) return { outcome: 'pending', failure: reply.failure, detail: reply.detail };
  await saver.settleDeletion(scope);
  return { outcome: 'deleted' };
}
