// The page's end of the archive: starts the worker, turns its death, its silence and its absence into replies.
import { ContinuityError } from './errors.js';
import type { Archive, ArchiveFailure, ArchiveKeeper, Reply } from './protocol.js';
import { type ArchiveCall, startSession, type WorkerSession } from './worker-session.js';

export interface ArchiveOptions {
  /**
   * Makes the worker, where a bundler needs other words than
   * `new Worker(new URL('../worker/main.js', import.meta.url), { type: 'module' })`. Called again when a worker
   * has died. The script is this package's `./worker`.
   */
  readonly worker?: () => Worker;
  /**
   * Milliseconds until a call is answered with `deadline`.
   *
   * @default 30_000
   */
  readonly deadlineMs?: number;
}

export interface ArchiveClient extends Archive, ArchiveKeeper {
  /** Ends the worker, its locks and all timers. Pending calls fail with `worker-lost`, later ones with `internal`. */
  dispose(): void;
}

/** Longer than a worker waits for another tab, and than the largest capture takes on a slow machine. */
const DEADLINE_MS = 30_000;

/**
 * Opens the archive of this page; the worker starts with the first call.
 *
 * No call throws and none waits for ever: a worker that cannot start is `unsupported`, one that dies is
 * `worker-lost` and the next call starts another. Throws a `ContinuityError` for a deadline that is no positive
 * number of milliseconds.
 */
export function openArchive(options: ArchiveOptions = {}): ArchiveClient {
  const { worker = packagedWorker, deadlineMs = DEADLINE_MS } = options;
  if (!Number.isFinite(deadlineMs) || deadlineMs <= 0) {
    throw new ContinuityError(
      'invalid-option',
      `deadlineMs: ${String(deadlineMs)} given; a positive number of milliseconds is allowed. ` +
        `Leave it out for ${DEADLINE_MS}.`,
    );
  }
  let session: WorkerSession | null = null;
  let isDisposed = false;

  async function call<T>(ask: ArchiveCall<T>): Promise<Reply<T>> {
    if (isDisposed) return failed('internal', 'This archive was disposed of. Open another one.');
    if (session === null || session.hasEnded) session = startSession(worker);
    return session.call(ask, deadlineMs);
  }

  return {
    info: () => call((archive) => archive.info()),
    capture: (scope, request) => call((archive) => archive.capture(scope, request)),
    search: (scope, batches, query) => call((archive) => archive.search(scope, batches, query)),
    read: (scope, batches, request) => call((archive) => archive.read(scope, batches, request)),
    holds: (scope, batches, ids) => call((archive) => archive.holds(scope, batches, ids)),
    sources: (scope, batches, request) => call((archive) => archive.sources(scope, batches, request)),
    forget: (scope, before) => call((archive) => archive.forget(scope, before)),
    threads: (user) => call((archive) => archive.threads(user)),
    details: (scope) => call((archive) => archive.details(scope)),
    exportFile: (scope) => call((archive) => archive.exportFile(scope)),
    importFile: (scope, file, from) => call((archive) => archive.importFile(scope, file, from)),
    dispose() {
      isDisposed = true;
      session?.end('worker-lost', 'The archive was disposed of while the call was under way.');
    },
  };
}

/** Bundlers look for this very form, and `tsc` leaves it alone. */
function packagedWorker(): Worker {
  return new Worker(new URL('../worker/main.js', import.meta.url), { type: 'module', name: 'threadkeep' });
}

function failed(failure: ArchiveFailure, detail: string): Reply<never> {
  return { ok: false, failure, detail };
}
