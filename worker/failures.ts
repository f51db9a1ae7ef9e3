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

/** A capture for a run that began before its thread was deleted (SPEC D23). */
export function forgotten(): ArchiveError {
  return new ArchiveError(
    'internal',
    'The thread was deleted after this run had begun. A run that begins now may use the thread again.',
  );
}

/** SQLite's primary result codes, of those that mean something to us. */
const SQLITE = { BUSY: 5, LOCKED: 6, IOERR: 10, CORRUPT: 11, FULL: 13, CANTOPEN: 14, NOTADB: 26 } as const;

const REASON_BY_EXCEPTION: ReadonlyMap<string, ArchiveFailure> = new Map([
  ['QuotaExceededError', 'quota'],
  ['NoModificationAllowedError', 'locked'],
  ['SecurityError', 'unsupported'],
  ['NotSupportedError', 'unsupported'],
]);

/** What the pool says when the file system wrote less than it was given: there is no more room. */
const SHORT_WRITE = /write\(\) failure/;

let lastFileError: Error | null = null;

/** Remembers what was behind an I/O error; SQLite's result code does not tell. Anything else is ignored. */
export function noteFileError(...given: readonly unknown[]): void {
  for (const value of given) if (value instanceof Error) lastFileError = value;
}

/** Runs a call of the archive; whatever it throws becomes a failed reply. Never throws. */
export async function replyOf<T>(run: () => Promise<T>): Promise<Reply<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, failure: reasonOf(error), detail: errorText(error) };
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

function reasonOf(error: unknown): ArchiveFailure {
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
      return isForRoom(lastFileError) ? 'quota' : 'internal';
    default:
      return (error instanceof Error && REASON_BY_EXCEPTION.get(error.name)) || 'internal';
  }
}

function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('resultCode' in error)) return null;
  return typeof error.resultCode === 'number' ? error.resultCode & 0xff : null;
}

function isForRoom(error: Error | null): boolean {
  return error !== null && (error.name === 'QuotaExceededError' || SHORT_WRITE.test(error.message));
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = sqliteCode(error) === SQLITE.IOERR ? lastFileError : error.cause;
  const reason = cause instanceof Error ? ` (${cause.name}: ${cause.message})` : '';
  return error instanceof ArchiveError ? error.message + reason : `${error.name}: ${error.message}${reason}`;
}
