// One open conversation: its state on the page, and the one run at a time that may change it.
import type { ThreadkeepEvent } from 'threadkeep';
import { buildAgent, type PageAgent, type Services } from './agent.js';
import { keepSent, takeSent } from './drafts.js';
import { createStore, type Snapshot, type ThreadState } from './store.js';
import type { ThreadEntry } from './threads.js';
import type { Progress, Toasts } from './views/toasts.js';
import { words } from './words.js';

export interface Session {
  state(): ThreadState;
  load(): Promise<void>;
  send(text: string): Promise<void>;
  /** Goes back to before a message and says this instead; what followed stays on a branch of its own. */
  resend(message: string, text: string): Promise<void>;
  resume(): Promise<void>;
  compact(prune: boolean): Promise<void>;
  /** Ends the run; what there is of an answer is kept. */
  stop(): void;
  /** Ends the run for good: nothing more is written. */
  close(): void;
  configure(entry: ThreadEntry): void;
}

export interface SessionHooks {
  readonly toasts: Toasts;
  changed(state: ThreadState): void;
  /** A run is over: the list has another order now. */
  ended(): void;
  /** Brings a text back that was sent and is in no checkpoint. */
  restore(thread: string, text: string): void;
  /** A capture went well, or the archive was told to be unavailable. */
  archiveChanged(lost: { failure: string; detail: string } | null): void;
}

const NOTHING: Snapshot = { messages: [], compaction: null, notes: [], unfinished: false };

/** Opens a conversation. Nothing here throws: what goes wrong is in the state or in a toast. */
export function openSession(first: ThreadEntry, services: Services, hooks: SessionHooks): Session {
  const store = createStore<ThreadState>(
    { ...NOTHING, entry: first, loaded: false, run: { kind: 'idle' }, live: null, window: null, error: null },
    hooks.changed,
  );
  let agent: PageAgent | null = null;
  let abort: AbortController | null = null;
  let progress: Progress | null = null;
  let isClosed = false;

  const build = () => {
    agent ??= buildAgent(store.get().entry, services, {
      onEvent,
      onWindow: (window) => store.set({ window }),
    });
    return agent;
  };

  function onEvent(event: ThreadkeepEvent): void {
    switch (event.type) {
      case 'context_compacting':
        progress?.drop();
        progress = hooks.toasts.progress(event.message);
        return;
      case 'context_compacted': {
        const text = compactedText(event);
        if (progress === null) hooks.toasts.tell(text);
        else progress.done(text);
        progress = null;
        if (event.archived !== null && event.archived.failure === null) hooks.archiveChanged(null);
        return;
      }
      case 'context_compaction_failed': {
        const text = words.compactionFailed(event.message);
        if (progress === null) hooks.toasts.warn(text);
        else progress.failed(text);
        progress = null;
        return;
      }
      case 'context_compaction_skipped':
        progress?.drop();
        progress = null;
        // Of itself that is no news: the meter shows a window that stays over its trigger.
        if (store.get().run.kind === 'compacting') hooks.toasts.tell(words.nothingToCompact(event.message));
        return;
      case 'history_unavailable':
        hooks.archiveChanged({ failure: event.failure, detail: event.detail });
        return;
      case 'history_searched':
      case 'history_read':
      case 'note_saved':
      case 'note_deleted':
        // The transcript draws them from the checkpoint, as the model saw them.
        return;
    }
  }

  /** Reads the newest checkpoint; a failure is shown and leaves what is on the page. */
  async function refresh(): Promise<void> {
    try {
      const snapshot = await build().load();
      store.set({ ...snapshot, loaded: true });
      // A message that a reload or a stop overtook never reached the checkpoint: back to the composer with it.
      const sent = takeSent(store.get().entry.id);
      const last = snapshot.messages.findLast((message) => message.speaker === 'human');
      if (sent !== null && last?.text !== sent) hooks.restore(store.get().entry.id, sent);
    } catch (error) {
      store.set({ loaded: true, error: words.loadFailed(messageOf(error)) });
    }
  }

  /** Runs one thing at a time; ends with the checkpoint's own word on what happened. */
  async function exclusively(
    kind: 'answering' | 'compacting',
    work: (agent: PageAgent, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (abort !== null) return;
    const controller = new AbortController();
    abort = controller;
    store.set({ run: { kind }, error: null, live: null });
    let error: string | null = null;
    try {
      await work(build(), controller.signal);
    } catch (thrown) {
      if (!controller.signal.aborted) error = words.runFailed(messageOf(thrown));
    }
    progress?.drop();
    progress = null;
    if (!isClosed) await refresh();
    store.set({ live: null });
    abort = null;
    if (error !== null) store.set({ error });
    store.set({ run: { kind: 'idle' } });
    hooks.ended();
  }

  function answer(text: string | null, instead: string | null = null): Promise<void> {
    const { id } = store.get().entry;
    return exclusively('answering', async (built, signal) => {
      if (text !== null) keepSent(id, text);
      const from = instead === null ? null : await built.goBefore(instead);
      try {
        for await (const step of built.run(text, signal, from)) {
          if (step.kind === 'token') {
            const live = store.get().live;
            const before = live?.id === step.id ? live.text : '';
            store.set({ live: { id: step.id, text: before + step.text } });
            continue;
          }
          const live = store.get().live;
          const arrived = live !== null && step.snapshot.messages.some((message) => message.id === live.id);
          store.set({ ...step.snapshot, live: arrived ? null : live });
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      const { live } = store.get();
      if (signal.aborted && !isClosed && live !== null) await built.keepPartial(live.id, live.text);
    });
  }

  return {
    state: store.get,
    load: refresh,
    send: (text) => answer(text),
    resend: (message, text) => answer(text, message),
    resume: () => answer(null),
    compact: (prune) =>
      exclusively('compacting', async (built, signal) => {
        await built.compact(prune, signal);
      }),
    stop() {
      if (abort === null) return;
      store.set({ run: { kind: 'stopping' } });
      abort.abort();
    },
    close() {
      isClosed = true;
      abort?.abort();
    },
    configure(entry) {
      agent = null;
      store.set({ entry });
    },
  };
}

function compactedText(event: Extract<ThreadkeepEvent, { type: 'context_compacted' }>): string {
  const { messagesCovered, messagesPruned, tokensBefore, tokensAfter, archived, reason } = event;
  const pieces: string[] = [];
  // Pruning alone changes nothing of what the model sees.
  if (tokensAfter !== tokensBefore) pieces.push(words.compacted(messagesCovered, tokensBefore, tokensAfter));
  if (archived?.failure != null) pieces.push(words.notArchived(archived.failure));
  else if (archived !== null && archived.stored > 0) pieces.push(words.archivedToast(archived.stored));
  if (reason === 'manual' && messagesPruned > 0) pieces.push(words.prunedToast(messagesPruned));
  return pieces.length > 0 ? pieces.join(' ') : words.nothingPruned;
}

/** What an error says, with the cause that a wrapper hides. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
