// A thread out of its exported file: under its own name or another, whole or not at all.
import { scopeDigest } from '../core/digest.js';
import type { Archive, ArchiveFailure, ArchiveKeeper, ImportReceipt, Reply, Scope } from '../protocol.js';
import type { IndexedDBSaver } from './checkpoint.js';
import { rescopeRows } from './checkpoint-rescope.js';
import type { TransferRow } from './checkpoint-transfer.js';
import { forgetThread } from './summary-cache.js';
import { openThreadFile, type ThreadFileContent, type ThreadFileProblem } from './thread-file.js';

export interface ImportStores {
  readonly saver: IndexedDBSaver;
  /** Null leaves the file's archive out: what was pruned from the messages is not found. */
  readonly archive: (Pick<Archive, 'forget'> & Omit<ArchiveKeeper, 'threads'>) | null;
}

export interface ImportThreadOptions {
  /** Whose the thread is from now on; the saver's user by default, whoever exported it. */
  readonly user?: string;
  /** Its id from now on; by default the one that it had. */
  readonly thread?: string;
  /** Whether a thread with this id goes for it. By default it stays, and nothing is imported. */
  readonly replace?: boolean;
}

/**
 * How an import ended; but for `imported`, nothing was changed.
 * - `exists`: there is a thread with this id. Give another id, or replace it.
 * - `refused`: the file cannot be trusted or read.
 * - `unavailable`: the archive could not take its part.
 */
export type ImportOutcome =
  | {
      readonly outcome: 'imported';
      readonly user: string;
      readonly thread: string;
      readonly checkpoints: number;
      /** Sources that came with the archive; null when there was none, or it was left out. */
      readonly sources: number | null;
      /** What the application gave along when it exported. As trustworthy as the file. */
      readonly extra: string | null;
    }
  | { readonly outcome: 'exists'; readonly user: string; readonly thread: string }
  | { readonly outcome: 'refused'; readonly problem: ThreadFileProblem; readonly detail: string }
  | { readonly outcome: 'unavailable'; readonly failure: ArchiveFailure; readonly detail: string };

/**
 * Imports a thread that `exportThread` wrote. The file's digest and shape are verified before anything is written.
 *
 * Under another id or user the archive and every reference to it become that thread's, so that searching goes on to
 * work; messages, notes and what they cite stay word for word. Archive and checkpoints are written in one transaction
 * each, the archive first; when the checkpoints cannot be, it is put back. Runs that are going on in a thread that is
 * replaced write nothing more.
 *
 * Rejects when the checkpoint store cannot be read or written, with an `Error` that says what to do; the threads are
 * as before then. A digest is no signature: import files only from people whom you trust.
 */
export async function importThread(
  stores: ImportStores,
  file: Uint8Array,
  options: ImportThreadOptions = {},
): Promise<ImportOutcome> {
  const opened = openThreadFile(file);
  if (!opened.ok) return { outcome: 'refused', problem: opened.problem, detail: opened.detail };
  const { content } = opened;
  const { saver, archive } = stores;
  const to = { user: options.user ?? saver.user, thread: options.thread ?? content.thread };
  const isReplacing = options.replace ?? false;

  const exists = await isTaken(stores, to);
  if (!exists.ok) return unavailable(exists);
  if (exists.value && !isReplacing) return { outcome: 'exists', ...to };

  const before = await (archive?.exportFile(to) ?? NOTHING);
  if (!before.ok) return unavailable(before);
  const receipt = await importArchive(stores, to, content);
  if (!receipt.ok && receipt.failure === 'corrupt') {
    return { outcome: 'refused', problem: 'damaged', detail: receipt.detail };
  }
  if (!receipt.ok) return unavailable(receipt);

  let isWritten = false;
  try {
    isWritten = await saver.putRows(to, await rowsFor(content, to, receipt.value), isReplacing);
  } finally {
    if (!isWritten && receipt.value !== null) await restoreArchive(stores, to, before.value);
  }
  if (!isWritten) return { outcome: 'exists', ...to };
  forgetThread(to.user, to.thread);
  // An archive of the thread that was replaced: nothing refers to it, and the next deletion takes it along.
  if (before.value !== null && content.archive === null) await archive?.forget(to);
  const checkpoints = content.rows.filter(([[kind]]) => kind === 'checkpoint').length;
  return {
    outcome: 'imported',
    ...to,
    checkpoints,
    sources: receipt.value?.sources ?? null,
    extra: content.extra,
  };
}

const NOTHING: Reply<null> = { ok: true, value: null };

/** Whether something of a thread is there that an import would take the place of. */
async function isTaken({ saver, archive }: ImportStores, to: Scope): Promise<Reply<boolean>> {
  const isThread = (await saver.threads({ user: to.user })).some(({ thread }) => thread === to.thread);
  const unfinished = await saver.unfinishedDeletions();
  if (archive !== null && unfinished.some(({ user, thread }) => user === to.user && thread === to.thread)) {
    // Finished later, the deletion would take the imported archive.
    const reply = await archive.forget(to);
    if (!reply.ok) return reply;
    await saver.settleDeletion(to);
  }
  if (isThread || archive === null) return { ok: true, value: isThread };
  const details = await archive.details(to);
  return details.ok ? { ok: true, value: details.value !== null } : details;
}

async function importArchive(
  { archive }: ImportStores,
  to: Scope,
  { archive: bytes, user, thread }: ThreadFileContent,
): Promise<Reply<ImportReceipt | null>> {
  return archive === null || bytes === null ? NOTHING : archive.importFile(to, bytes, { user, thread });
}

async function rowsFor(
  { rows, user, thread }: ThreadFileContent,
  to: Scope,
  receipt: ImportReceipt | null,
): Promise<readonly TransferRow[]> {
  if (user === to.user && thread === to.thread) return rows;
  const batches = new Map(
    receipt?.origins.map((origin, at) => [origin, receipt.batches[at] ?? origin] as const),
  );
  const scopes = { from: scopeDigest(user, thread), to: scopeDigest(to.user, to.thread) };
  return rescopeRows(rows, { ...scopes, batches });
}

async function restoreArchive(
  { archive }: ImportStores,
  to: Scope,
  before: Uint8Array | null,
): Promise<void> {
  await (before === null ? archive?.forget(to) : archive?.importFile(to, before));
}

function unavailable({ failure, detail }: Extract<Reply<never>, { ok: false }>): ImportOutcome {
  return { outcome: 'unavailable', failure, detail };
}
