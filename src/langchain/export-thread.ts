// One thread as one file: checkpoints, notes, title and archive.
import type { ArchiveFailure, ArchiveKeeper } from '../protocol.js';
import type { IndexedDBSaver } from './checkpoint.js';
import { sealThreadFile } from './thread-file.js';

export interface ExportStores {
  readonly saver: IndexedDBSaver;
  /** Null leaves the archive out: an import has all messages, but what was pruned from them is not found. */
  readonly archive: Pick<ArchiveKeeper, 'exportFile'> | null;
}

export interface ExportRequest {
  /** The saver's by default. */
  readonly user?: string;
  readonly thread: string;
  /** Text of the application's own about the thread, such as its settings; an import gives it back, unread. */
  readonly extra?: string | null;
}

/** `missing`: the saver has no such thread. `unavailable`: the archive could not be read; try again, or leave it out. */
export type ExportOutcome =
  | { readonly outcome: 'exported'; readonly file: Uint8Array<ArrayBuffer> }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'unavailable'; readonly failure: ArchiveFailure; readonly detail: string };

/**
 * Exports a thread as it stands: every checkpoint of every branch, what tasks wrote, notes, title and archive. Not who
 * runs it. The file is sealed with a digest, and holds the conversation in the clear.
 *
 * A run that is going on may be caught between two checkpoints; what it archived later may be in the file, and
 * unreachable there. Rejects when the checkpoint store cannot be read.
 */
export async function exportThread(
  { saver, archive }: ExportStores,
  { user = saver.user, thread, extra = null }: ExportRequest,
): Promise<ExportOutcome> {
  // The checkpoints first: what they refer to is in the archive by then.
  const rows = await saver.rowsOf({ user, thread });
  if (rows === null) return { outcome: 'missing' };
  const reply = (await archive?.exportFile({ user, thread })) ?? { ok: true, value: null };
  if (!reply.ok) return { outcome: 'unavailable', failure: reply.failure, detail: reply.detail };
  const content = { user, thread, exportedAt: Date.now(), rows, archive: reply.value, extra };
  return { outcome: 'exported', file: sealThreadFile(content) };
}
