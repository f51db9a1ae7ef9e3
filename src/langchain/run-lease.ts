// Which tab runs a thread: said in the database, renewed while it does, and void soon after it has died.
import type { RunnableConfig } from '@langchain/core/runnables';
import { promisifyRequest, type UseStore } from 'idb-keyval';
import { type Place, threadKey } from './checkpoint-keys.js';
import { configOf } from './checkpoint-places.js';
import { newestId } from './checkpoint-rows.js';

/** How long a lease lasts without being renewed, in milliseconds. */
const LEASE_MS = 6_000;
/** The same for a hidden page: browsers let its timers run once a minute only. */
const HIDDEN_LEASE_MS = 90_000;
const RENEW_MS = 1_500;
/** How often the end of another tab's lease is looked for. */
const POLL_MS = 250;

export interface LeaseOptions {
  /** What people call this tab; another tab that wants to run the thread shows it to them. */
  readonly tab: string;
  /**
   * What to do when another tab runs the thread: `tell` answers at once with its name, `wait` waits until it has
   * ended or died, `take-over` ends its lease.
   *
   * @default 'tell'
   */
  readonly whenBusy?: 'tell' | 'wait' | 'take-over';
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** A thread that this tab runs. */
export interface RunLease {
  /**
   * Aborted with a `LeaseLostError` when another tab took over, or the thread was deleted or replaced: within two
   * seconds in a visible page. To be given to the run, which then ends.
   */
  readonly signal: AbortSignal;
  /** To be called when the run has ended. Others may have the thread from then on. */
  release(): Promise<void>;
}

export type LeaseOutcome =
  | { readonly outcome: 'leased'; readonly lease: RunLease }
  | {
      readonly outcome: 'busy';
      /** The name of the tab that runs the thread. */
      readonly tab: string;
      /** Since when, in milliseconds since 1970. */
      readonly since: number;
      /**
       * Names the checkpoint that the other tab's run began with. A run with this config is a branch beside it, and
       * neither reads the other's messages. Null when the thread had none.
       */
      readonly branch: RunnableConfig | null;
    };

/** Why a lease ended. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  /** The tab that took over; null when the thread was deleted or replaced. */
  readonly tab: string | null;

  constructor(thread: string, tab: string | null) {
    const cause = tab === null ? 'was deleted or replaced' : `is run by the tab "${tab}" now`;
    super(`Thread "${thread}" ${cause}. This run has ended; what it had stored stays.`);
    this.tab = tab;
  }
}

interface LeaseRow {
  readonly tab: string;
  readonly token: string;
  readonly since: number;
  readonly expiresAt: number;
  /** The newest checkpoint when it began. */
  readonly from: string | null;
}

/** See `IndexedDBSaver.lease`. */
export async function leaseThread(
  use: UseStore,
  place: Place,
  user: string,
  { tab, whenBusy = 'tell', signal }: LeaseOptions,
): Promise<LeaseOutcome> {
  const token = newToken();
  for (;;) {
    signal?.throwIfAborted();
    const other = await use('readwrite', (store) => take(store, place, tab, token, whenBusy === 'take-over'));
    if (other === null) return { outcome: 'leased', lease: keep(use, place, token) };
    if (whenBusy !== 'wait') {
      const branch = other.from === null ? null : configOf(user, place, other.from);
      return { outcome: 'busy', tab: other.tab, since: other.since, branch };
    }
    await pause(POLL_MS, signal);
  }
}

/** Takes the lease in the given transaction; answers whose it is when it is another's. */
async function take(
  store: IDBObjectStore,
  place: Place,
  tab: string,
  token: string,
  isForced: boolean,
): Promise<LeaseRow | null> {
  const key = threadKey('lease', place);
  const [held, from] = await Promise.all([
    promisifyRequest<LeaseRow | undefined>(store.get(key)),
    newestId(store, place),
  ]);
  const now = Date.now();
  const isFree = held === undefined || held.expiresAt <= now || held.token === token;
  if (!isFree && !isForced) return held;
  store.put({ tab, token, since: now, expiresAt: now + lifeMs(), from } satisfies LeaseRow, key);
  return null;
}

function keep(use: UseStore, place: Place, token: string): RunLease {
  const lost = new AbortController();
  const key = threadKey('lease', place);
  const ifOurs = (change: (store: IDBObjectStore, row: LeaseRow) => void) =>
    use('readwrite', async (store) => {
      const row = await promisifyRequest<LeaseRow | undefined>(store.get(key));
      if (row?.token === token) change(store, row);
      return row;
    });
  const renew = async (): Promise<void> => {
    const row = await ifOurs((store, ours) => store.put({ ...ours, expiresAt: Date.now() + lifeMs() }, key));
    if (row?.token === token) return;
    clearInterval(timer);
    lost.abort(new LeaseLostError(place.thread, row?.tab ?? null));
  };
  // A renewal that fails is made up for by the next one; meanwhile the lease may run out, which others then see.
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
  return {
    signal: lost.signal,
    async release() {
      clearInterval(timer);
      await ifOurs((store) => store.delete(key));
    },
  };
}

/** `crypto.randomUUID` is missing on insecure origins; `getRandomValues` is not. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function lifeMs(): number {
  // There is no document in a worker and in Node.
  const { document: page } = globalThis as { readonly document?: Document };
  return page?.visibilityState === 'hidden' ? HIDDEN_LEASE_MS : LEASE_MS;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
