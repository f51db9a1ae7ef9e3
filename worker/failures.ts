// From what SQLite, OPFS and Web Locks throw to the reasons that a page can act on.
import type { ArchiveFailure, Reply } from '../src/protocol.js';

/** A failure whose reason is known where it happens. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly failure: ArchiveFailure;

  constructor(failure: ArchiveFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** SQLite's primary result codes, of those that mean something to us. */
const SQLITE = { BUSY: 5, LOCKED: 6, IOERR: 10, CORRUPT: 11, FULL: 13, CANTOPEN: 14, NOTADB: 26 } as const;

const REASON_BY_EXCEPTION: ReadonlyMap<string, ArchiveFailure> = new Map([
  ['QuotaExceededError', 'quota'],
  ['NoModificationAllowedError', 'locked'],
  ['SecurityError', 'unsupported'],
  ['NotSupportedError', 'unsupported'],
]);

/** Room that a browser still grants, below which a failed write is put down to the quota. */
const NO_ROOM_BYTES = 4 * 2 ** 20;

/** Runs a call of the archive; whatever it throws becomes a failed reply. Never throws. */
export async function replyOf<T>(run: () => Promise<T>): Promise<Reply<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, failure: await reasonOf(error), detail: errorText(error) };
  }
}

/** True when a write did not fit under the page ceiling. */
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === SQLITE.FULL;
}

/** True when the file is damaged, is no SQLite file, or holds something else. */
export function isCorrupt(error: unknown): boolean {
  if (error instanceof ArchiveError) return error.failure === 'corrupt';
  const code = sqliteCode(error);
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB;
}

/** True when a connection should not be trusted with the next call. */
export function isConnectionSuspect(error: unknown): boolean {
  return sqliteCode(error) !== null;
}

async function reasonOf(error: unknown): Promise<ArchiveFailure> {
  if (error instanceof ArchiveError) return error.failure;
  if (isCorrupt(error)) return 'corrupt';
  switch (sqliteCode(error)) {
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return 'locked';
    case SQLITE.FULL:
      return 'ceiling';
    // The pool turns an exhausted quota into an I/O error, or into a journal that cannot be opened.
    case SQLITE.IOERR:
    case SQLITE.CANTOPEN:
      return (await isQuotaExhausted()) ? 'quota' : 'internal';
    default:
      return (error instanceof Error && REASON_BY_EXCEPTION.get(error.name)) || 'internal';
  }
}

function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('resultCode' in error)) return null;
  return typeof error.resultCode === 'number' ? error.resultCode & 0xff : null;
}

async function isQuotaExhausted(): Promise<boolean> {
  const storage = globalThis.navigator?.storage;
  if (storage?.estimate === undefined) return false;
  const { quota, usage } = await storage.estimate().catch((): StorageEstimate => ({}));
  return quota !== undefined && usage !== undefined && quota - usage < NO_ROOM_BYTES;
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.name}: ${error.cause.message})` : '';
  return error instanceof ArchiveError
    ? `${error.message}${cause}`
    : `${error.name}: ${error.message}${cause}`;
}
