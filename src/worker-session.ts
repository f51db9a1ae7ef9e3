// The life of one worker, from its start to its death; every call made in it is answered.
import { type Remote, wrap } from 'comlink';
import {
  type ArchiveFailure,
  PROTOCOL_VERSION,
  type Reply,
  type WorkerArchive,
  type WorkerHello,
} from './protocol.js';

/** A call of the archive, without the means to reach it. */
export type ArchiveCall<T> = (archive: Omit<Remote<WorkerArchive>, 'hello'>) => Promise<Reply<T>>;

type Failure = Extract<Reply<never>, { ok: false }>;

export interface WorkerSession {
  /** Never rejects, and resolves within the deadline. */
  call<T>(ask: ArchiveCall<T>, deadlineMs: number): Promise<Reply<T>>;
  /** True when the worker has died, was ended, or could not be started: what is asked next needs another. */
  readonly hasEnded: boolean;
  /** Ends the worker; pending calls get this failure. */
  end(failure: ArchiveFailure, detail: string): void;
}

const NO_WORKER =
  'The worker script did not start: it is missing, blocked by a Content-Security-Policy, served with another type ' +
  'than JavaScript, or failed while it loaded.';

/**
 * A worker that lets a call pass its deadline and has answered nothing for so long is dead or stuck, and is ended.
 * Where there are no Web Locks this is the only sign of death.
 */
const STUCK_MS = 15_000;

/** Starts a worker; a failure to do so is the answer to the calls. */
export function startSession(create: () => Worker): WorkerSession {
  let endWith: (failure: Failure) => void = () => {};
  const ended = new Promise<Failure>((resolve) => {
    endWith = resolve;
  });
  const watch = new AbortController();
  let worker: Worker | null = null;
  let unanswered = 0;
  /** Since when calls wait without a single answer. */
  let silentSince = 0;

  function end(failure: ArchiveFailure, detail: string): void {
    if (watch.signal.aborted) return;
    watch.abort();
    worker?.terminate();
    endWith({ ok: false, failure, detail });
  }

  function start(): Remote<WorkerArchive> | null {
    try {
      if (typeof Worker === 'undefined') throw new Error('There are no workers here.');
      worker = create();
      worker.addEventListener('error', onStartError);
      return wrap<WorkerArchive>(worker);
    } catch (error) {
      end('unsupported', `The worker could not be made. ${errorText(error)}`);
      return null;
    }
  }

  function onStartError(event: Event): void {
    // It becomes a reply, and needs no second report as an uncaught error of the page.
    event.preventDefault();
    const message = event instanceof ErrorEvent && event.message !== '' ? ` (${event.message})` : '';
    end('unsupported', NO_WORKER + message);
  }

  /** After its first answer an uncaught error in the worker is no death; the life lock tells of that. */
  async function greet(remote: Remote<WorkerArchive>): Promise<Remote<WorkerArchive>> {
    const { protocolVersion, lifeLock }: WorkerHello = await remote.hello();
    worker?.removeEventListener('error', onStartError);
    if (protocolVersion !== PROTOCOL_VERSION) {
      end(
        'unsupported',
        `The page speaks version ${PROTOCOL_VERSION} of the archive's protocol and the worker version ` +
          `${protocolVersion}. Serve both from one version of threadkeep, and reload the page.`,
      );
    }
    if (lifeLock !== null) watchLife(lifeLock, watch.signal, () => end('worker-lost', 'The worker died.'));
    return remote;
  }

  const remote = start();
  const greeted = remote === null ? new Promise<never>(() => {}) : greet(remote);
  greeted.catch((error: unknown) => end('internal', `The worker failed to start. ${errorText(error)}`));

  return {
    get hasEnded() {
      return watch.signal.aborted;
    },
    end,
    async call<T>(ask: ArchiveCall<T>, deadlineMs: number): Promise<Reply<T>> {
      if (unanswered === 0) silentSince = performance.now();
      unanswered += 1;
      const answer = greeted
        .then(ask)
        .catch((error: unknown): Failure => ({ ok: false, failure: 'internal', detail: errorText(error) }))
        .finally(() => {
          silentSince = performance.now();
          unanswered -= 1;
        });
      const deadline = startDeadline(deadlineMs);
      const reply = await Promise.race([answer, ended, deadline.passed]);
      deadline.clear();
      if (reply !== null) return reply;
      const silentMs = performance.now() - silentSince;
      if (silentMs >= STUCK_MS) end('worker-lost', `The worker was silent for ${Math.round(silentMs)} ms.`);
      return { ok: false, failure: 'deadline', detail: `No answer within ${deadlineMs} ms.` };
    },
  };
}

/** The browser grants the lock when its holder, the worker, is gone. */
function watchLife(name: string, signal: AbortSignal, onDeath: () => void): void {
  if (signal.aborted) return;
  navigator.locks.request(name, { signal }, onDeath).catch((error: unknown) => {
    // The session has ended in another way.
    if (!signal.aborted) throw error;
  });
}

function startDeadline(ms: number): { readonly passed: Promise<null>; clear(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
