// The right to run a conversation, which one tab has at a time.
import type { IndexedDBSaver, RunLease } from 'threadkeep/langchain';
import type { Tabs } from './tabs.js';

export interface Claim {
  /** Ends the waiting, and the claim rejects. */
  readonly signal: AbortSignal;
  /** When it aborts, the right is taken from whoever has it. */
  readonly force: AbortSignal;
  /** Another tab has the right, and this one waits for it. */
  waits(): void;
}

/** Waits for another tab's run to end, but not for one of a tab that is no more. Rejects with the signal's reason. */
export async function claimRun(
  saver: IndexedDBSaver,
  tabs: Tabs,
  thread: string,
  { signal, force, waits }: Claim,
): Promise<RunLease> {
  const tab = tabs.id;
  const first = await saver.lease(thread, { tab });
  if (first.outcome === 'leased') return first.lease;
  if (await tabs.isAlive(first.tab)) {
    waits();
    const end = new AbortController();
    const stop = () => end.abort(signal.reason);
    for (const cause of [signal, force]) {
      if (cause.aborted) stop();
      cause.addEventListener('abort', stop);
    }
    void tabs.death(first.tab).then(stop);
    try {
      const waited = await saver.lease(thread, { tab, whenBusy: 'wait', signal: end.signal });
      if (waited.outcome === 'leased') return waited.lease;
    } catch (error) {
      if (!end.signal.aborted) throw error;
      signal.throwIfAborted();
    }
  }
  const taken = await saver.lease(thread, { tab, whenBusy: 'take-over' });
  if (taken.outcome === 'leased') return taken.lease;
  throw new Error(`The conversation is run by the tab ${taken.tab}.`);
}
