// Whole archives: what is in one, its replacement by an imported one, and the room that is left.
import { type CharRange, namedArgumentRanges } from '../src/core/echo.js';
import type { ArchiveDetails, ArchiveList, ImportReceipt } from '../src/protocol.js';
import { batchesByAge, bytesOfBatch, deleteBatch } from './batches.js';
import { insertRecords } from './capture.js';
import type { ReferenceBatch } from './reference-import.js';
import type { ThreadFile } from './thread-file.js';

export function detailsOf(file: ThreadFile): ArchiveDetails {
  const batches = batchesByAge(file).map((batch) => {
    const { id, capturedAt, sources } = batch;
    return { id, capturedAt, sources, bytes: bytesOfBatch(file, batch) };
  });
  return { batches, pages: file.ceilingPages - file.freePages(), ceilingPages: file.ceilingPages };
}

/** Replaces all that is in the file, or nothing. Throws `ceiling` when the batches are more than a file may hold. */
export function replaceBatches(
  file: ThreadFile,
  batches: readonly ReferenceBatch[],
  now: number,
): ImportReceipt {
  file.transaction(() => {
    for (const batch of batchesByAge(file)) deleteBatch(file, batch);
    const unsearched = ownArguments(batches);
    for (const { id, records, capturedAt } of batches) {
      insertRecords(file, id, records, capturedAt ?? now, unsearched);
    }
    const byAge = batches.toSorted((one, other) => one.created - other.created);
    for (const [place, { id }] of byAge.entries()) {
      file.db.exec('UPDATE batches SET age = ?2 WHERE id = ?1', { bind: [id, place + 1] });
    }
  });
  const sources = batches.reduce((sum, batch) => sum + batch.records.length, 0);
  return { batches: batches.map(({ id }) => id), origins: batches.map(({ origin }) => origin), sources };
}

const OWN_TOOLS = ['history_search', 'history_read', 'task_note'] as const;

/**
 * What is kept but not searched (SPEC D12). A file does not tell which calls went to our tools; but our answers are no
 * sources, so a tool of one of our names is somebody else's where there are answers of it.
 */
function ownArguments(batches: readonly ReferenceBatch[]): Readonly<Record<string, readonly CharRange[]>> {
  const records = batches.flatMap((batch) => batch.records);
  const answering = new Set(records.filter(({ role }) => role === 'tool').map(({ name }) => name));
  const own = new Set<string>(OWN_TOOLS.filter((name) => !answering.has(name)));
  return Object.fromEntries(
    records
      .filter(({ role }) => role === 'ai')
      .map(({ id, text }) => [id, namedArgumentRanges(text, own)] as const)
      .filter(([, ranges]) => ranges.length > 0),
  );
}

/** Removes the batches that were first captured at this time or earlier; answers how many are left. */
export function deleteUntil(file: ThreadFile, time: number): number {
  const batches = batchesByAge(file);
  const old = batches.filter(({ capturedAt }) => capturedAt <= time);
  if (old.length > 0) {
    file.transaction(() => {
      for (const batch of old) deleteBatch(file, batch);
    });
  }
  return batches.length - old.length;
}

/** As the browser estimates it. */
export async function estimatedRoom(): Promise<Pick<ArchiveList, 'usage' | 'quota'>> {
  // Missing in Node and on insecure origins, whatever the types say.
  const { navigator: here } = globalThis as { readonly navigator?: { readonly storage?: StorageManager } };
  const { usage = null, quota = null } = (await here?.storage?.estimate?.()) ?? {};
  return { usage, quota };
}
