// What a conversation's archive holds, how much room there is, and what a person does with an archive as a whole.
import type { ArchiveDetails, ArchiveFailure, Reply } from 'threadkeep';
import type { Services } from './agent.js';
import { fileNameOf, saveFile } from './files.js';
import { messageOf } from './session.js';
import { words } from './words/index.js';

/** The archive of one conversation, and the room of this page's origin. */
export interface Inspection {
  /** Null when the conversation has no archive. */
  readonly details: ArchiveDetails | null;
  /** Bytes of the conversation's archive on disk. */
  readonly bytes: number;
  /** Archives of all conversations, and their bytes. */
  readonly archives: { readonly count: number; readonly bytes: number };
  /** As the browser estimates them, in bytes; null where it does not tell. */
  readonly usage: number | null;
  readonly quota: number | null;
  /** Whether the browser has promised not to clear this page's storage by itself; null where it cannot promise. */
  readonly isLasting: boolean | null;
}

/** How something that a person asked for ended; null when that person thought better of it. */
export type Told =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly text: string; readonly detail: string }
  | null;

/** Looks into the archive of a conversation. Never throws. */
export async function inspect({ archive, saver }: Services, thread: string): Promise<Reply<Inspection>> {
  const [list, details] = await Promise.all([
    archive.threads(saver.user),
    archive.details({ user: saver.user, thread }),
  ]);
  if (!list.ok) return list;
  if (!details.ok) return details;
  const { threads, usage, quota } = list.value;
  return {
    ok: true,
    value: {
      details: details.value,
      bytes: threads.find(({ scope }) => scope.thread === thread)?.bytes ?? 0,
      archives: { count: threads.length, bytes: threads.reduce((sum, { bytes }) => sum + bytes, 0) },
      usage,
      quota,
      isLasting: await isLasting(),
    },
  };
}

/** Hands the archive of a conversation over as a file. */
export async function exportArchive(
  { archive, saver }: Services,
  entry: { readonly id: string; readonly title: string },
): Promise<Told> {
  const reply = await archive.exportFile({ user: saver.user, thread: entry.id });
  if (!reply.ok) return failed(words.archiveNotExported, reply);
  if (reply.value === null) return { ok: false, text: words.noArchive, detail: '' };
  const name = `${fileNameOf(entry.title)}.sqlite`;
  saveFile(name, new Blob([reply.value], { type: 'application/vnd.sqlite3' }));
  return { ok: true, text: words.saved(name) };
}

/** Replaces the archive of a conversation by a file's; a file that does not prove itself changes nothing. */
export async function importArchive({ archive, saver }: Services, thread: string, file: File): Promise<Told> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    // Moved, or not for this page to read.
    return { ok: false, text: words.fileUnread(file.name), detail: messageOf(error) };
  }
  const reply = await archive.importFile({ user: saver.user, thread }, bytes);
  if (!reply.ok) return failed(words.archiveNotImported(file.name), reply);
  return { ok: true, text: words.archiveImported(reply.value.batches.length, reply.value.sources) };
}

/** Removes the archive of a conversation, and nothing else of it. */
export async function deleteArchive({ archive, saver }: Services, thread: string): Promise<Told> {
  const reply = await archive.forget({ user: saver.user, thread });
  return reply.ok ? { ok: true, text: words.archiveDeleted } : failed(words.archiveNotDeleted, reply);
}

/** Asks the browser not to clear this page's storage by itself. */
export async function askToLast(): Promise<Told> {
  const isGranted = await storageManager()?.persist?.();
  return isGranted === true
    ? { ok: true, text: words.lastingGranted }
    : { ok: false, text: words.lastingRefused, detail: '' };
}

function failed(text: string, { failure, detail }: { failure: ArchiveFailure; detail: string }): Told {
  return { ok: false, text: `${text} ${words.archiveFailure[failure]}`, detail };
}

async function isLasting(): Promise<boolean | null> {
  return (await storageManager()?.persisted?.()) ?? null;
}

/** Missing on insecure origins, whatever the types say. */
function storageManager(): Partial<StorageManager> | undefined {
  return navigator.storage as StorageManager | undefined;
}
