// One open conversation: its state on the page, and the one run at a time that may change it.
import { type CompactionReceipt, type Fact, LeaseLostError, type RunLease } from 'threadkeep/langchain';
import { buildAgent, type PageAgent, type Services } from './agent.js';
import { claimRun } from './claim.js';
import { keepSent, readSent, takeSent } from './drafts.js';
import { joinTabs } from './elsewhere.js';
import { troubleOf } from './models/trouble.js';
import { CHECKPOINTS_PER_PAGE, momentsOf } from './moments.js';
import { narrate } from './narration.js';
import { withRequest } from './requests.js';
import { createStore, type Past, type Snapshot, type ThreadState } from './store.js';
import type { RunKind, TabMessage, Tabs } from './tabs.js';
import type { ThreadEntry } from './threads.js';
import type { Toasts } from './views/toasts.js';
import { words } from './words/index.js';

export interface Session {
  state(): ThreadState;
  load(): Promise<void>;
  /** Says something, from the checkpoint that is looked at. */
  send(text: string): Promise<void>;
  /** Goes back to before a message and says this instead; what followed stays on a branch of its own. */
  resend(message: string, text: string): Promise<void>;
  resume(): Promise<void>;
  compact(prune: boolean): Promise<void>;
  /** Ends the run; what there is of an answer is kept. */
  stop(): void;
  /** Ends the run of another tab; who waits for it has the conversation next. */
  stopOther(): void;
  /** A message about this conversation from another tab. */
  hear(message: TabMessage): void;
  /** Ends the run for good: nothing more is written. */
  close(): void;
  configure(entry: ThreadEntry): void;
  /** Looks at an earlier checkpoint, or at the newest again. */
  visit(past: Past | null): Promise<void>;
  /** Makes the checkpoint that is looked at the newest. */
  goOnHere(): Promise<void>;
  /** Reads the timeline; with `more`, further back than before. */
  readTimeline(more?: boolean): Promise<void>;
  /** The agent's own search, in what is looked at. Rejects as reading a checkpoint does. */
  search(query: string, role: string | null): ReturnType<PageAgent['search']>;
  read(source: string, offset: number): ReturnType<PageAgent['read']>;
  /** What the compaction that is looked at did; null where there is none. Rejects as reading a checkpoint does. */
  receipt(): Promise<CompactionReceipt | null>;
  /** Keeps what a summary lost as a note. */
  pin(fact: Fact): Promise<void>;
  /** Takes the last compaction back. */
  undo(): Promise<void>;
  removeNote(key: string): Promise<void>;
  /** The next call asks the model that is chosen now. */
  changeModel(): void;
}

export interface SessionHooks {
  readonly toasts: Toasts;
  readonly tabs: Tabs;
  changed(state: ThreadState): void;
  /** A run is over: the list has another order now. */
  ended(): void;
  /** Brings a text back that was sent and is in no checkpoint. */
  restore(thread: string, text: string): void;
  /** A capture went well, or the archive was told to be unavailable. */
  archiveChanged(lost: { failure: string; detail: string } | null): void;
}

/** How long another tab has for ending its run before the conversation is taken from it, in milliseconds. */
const PATIENCE_MS = 3_000;

const NOTHING: Snapshot = { messages: [], compaction: null, notes: [], batches: [], unfinished: false };

/** Opens a conversation. Nothing here throws, but the look-ups: what goes wrong is in the state or in a toast. */
export function openSession(first: ThreadEntry, services: Services, hooks: SessionHooks): Session {
  const store = createStore<ThreadState>(
    {
      ...NOTHING,
      entry: first,
      loaded: false,
      run: { kind: 'idle' },
      live: null,
      window: null,
      requests: [],
      past: null,
      timeline: null,
      error: null,
    },
    hooks.changed,
  );
  const narration = narrate({
    toasts: hooks.toasts,
    isByHand: () => store.get().run.kind === 'compacting',
    archiveChanged: hooks.archiveChanged,
  });
  let agent: PageAgent | null = null;
  let abort: AbortController | null = null;
  /** Takes the conversation from another tab that does not let it go. */
  let force = new AbortController();
  /** True from the beginning of a run until its outcome is read. */
  let isUnderWay = false;
  let isClosed = false;
  let depth = CHECKPOINTS_PER_PAGE;

  const build = () => {
    agent ??= buildAgent(store.get().entry, services, {
      onEvent: narration.onEvent,
      onRequest: (request) =>
        store.set({ window: request.parts, requests: withRequest(store.get().requests, request) }),
    });
    return agent;
  };
  const pastId = () => store.get().past?.checkpoint ?? null;

  /** Reads the checkpoint that is looked at; a failure is shown and leaves what is on the page. */
  async function refresh(): Promise<void> {
    try {
      const at = pastId();
      // What is sent while this checkpoint is being read cannot be in it.
      const isOnItsWay = readSent(store.get().entry.id) !== null;
      const snapshot = await build().load(at);
      if (pastId() !== at) return;
      store.set({ ...snapshot, loaded: true });
      if (at === null && isOnItsWay && !isUnderWay) restoreSent(snapshot);
      const window = await build().usage(at);
      if (pastId() === at) store.set({ window });
    } catch (error) {
      store.set({ loaded: true, error: words.loadFailed(messageOf(error)) });
    }
  }

  /** A message that a reload or a stop overtook never reached the checkpoint: back to the composer with it. */
  function restoreSent(snapshot: Snapshot): void {
    const sent = takeSent(store.get().entry.id);
    const last = snapshot.messages.findLast((message) => message.speaker === 'human');
    if (sent !== null && last?.text !== sent) hooks.restore(store.get().entry.id, sent);
  }

  async function readTimeline(more = false): Promise<void> {
    if (more) depth += CHECKPOINTS_PER_PAGE;
    try {
      store.set({ timeline: await momentsOf(services.saver, store.get().entry.id, depth) });
    } catch (error) {
      hooks.toasts.warn(words.loadFailed(messageOf(error)));
    }
  }

  function stop(): void {
    if (abort === null) return;
    store.set({ run: { kind: 'stopping' } });
    abort.abort();
  }

  const others = joinTabs({ store, tabs: hooks.tabs, stop, refresh });

  /** Waits for the right to run the conversation; what another tab did meanwhile is read. */
  async function claim(kind: RunKind, text: string | null, signal: AbortSignal): Promise<RunLease> {
    force = new AbortController();
    let hasWaited = false;
    const lease = await claimRun(services.saver, hooks.tabs, store.get().entry.id, {
      signal,
      force: force.signal,
      waits: () => {
        hasWaited = true;
        store.set({ run: { kind: 'waiting', text } });
        others.ask();
      },
    });
    if (hasWaited) await refresh();
    store.set({ run: { kind }, live: null });
    others.began(kind);
    return lease;
  }

  /** Gives the right back, once what the run wrote is written. */
  async function release(lease: RunLease): Promise<void> {
    try {
      await lease.release();
    } catch (error) {
      // It runs out by itself.
      hooks.toasts.warn(messageOf(error));
    }
    others.ended();
  }

  /** Runs one thing at a time, in all tabs; ends with the checkpoint's own word on what happened. */
  async function exclusively(
    kind: RunKind,
    work: (agent: PageAgent, signal: AbortSignal) => Promise<void>,
    text: string | null = null,
  ): Promise<void> {
    if (abort !== null) return;
    const controller = new AbortController();
    abort = controller;
    isUnderWay = true;
    store.set({ run: { kind }, error: null });
    let error: string | null = null;
    let lease: RunLease | null = null;
    try {
      lease = await claim(kind, text, controller.signal);
      lease.signal.addEventListener('abort', () => controller.abort(lease?.signal.reason));
      await work(build(), controller.signal);
    } catch (thrown) {
      if (!controller.signal.aborted) error = failureOf(thrown);
    }
    narration.end();
    isUnderWay = false;
    if (!isClosed) await refresh();
    if (lease !== null) await release(lease);
    store.set({ live: null });
    abort = null;
    if (error !== null) store.set({ error });
    store.set({ run: { kind: 'idle' } });
    if (isClosed) return;
    if (lease === null || lease.signal.aborted) others.ask();
    if (lease?.signal.aborted === true) hooks.toasts.warn(words.takenOver);
    if (store.get().timeline !== null) void readTimeline();
    hooks.ended();
  }

  function answer(text: string | null, instead: string | null = null): Promise<void> {
    if (text !== null && abort === null) keepSent(store.get().entry.id, text);
    const run = async (built: PageAgent, signal: AbortSignal) => {
      const past = pastId();
      const from = instead === null ? past : await built.goBefore(instead, past);
      store.set({ past: null });
      try {
        for await (const step of built.run(text, signal, from)) {
          if (step.kind === 'token') {
            const live = store.get().live;
            const before = live?.id === step.id ? live.text : '';
            store.set({ live: { id: step.id, text: before + step.text } });
            others.streamed();
            continue;
          }
          const live = store.get().live;
          const arrived = live !== null && step.snapshot.messages.some((message) => message.id === live.id);
          store.set({ ...step.snapshot, live: arrived ? null : live });
          others.stepped(step.snapshot);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      const { live } = store.get();
      // The tab that has taken over goes on from what is stored.
      const isTaken = signal.reason instanceof LeaseLostError;
      if (signal.aborted && !isClosed && !isTaken && live !== null)
        await built.keepPartial(live.id, live.text);
    };
    return exclusively('answering', run, text);
  }

  return {
    state: store.get,
    async load() {
      await refresh();
      others.ask();
    },
    send: (text) => answer(text),
    resend: (message, text) => answer(text, message),
    resume: () => answer(null),
    compact: (prune) =>
      exclusively('compacting', async (built, signal) => {
        await built.compact(prune, signal);
      }),
    stop,
    stopOther() {
      hooks.tabs.tell({ kind: 'stop', thread: store.get().entry.id });
      const asked = force;
      setTimeout(() => asked.abort(), PATIENCE_MS);
    },
    hear: others.hear,
    close() {
      isClosed = true;
      abort?.abort();
    },
    changeModel() {
      agent = null;
    },
    configure(entry) {
      agent = null;
      store.set({ entry });
    },
    async visit(past) {
      if (abort !== null) return;
      store.set({ past, error: null });
      await refresh();
    },
    async goOnHere() {
      const at = pastId();
      if (abort !== null || at === null) return;
      try {
        await build().goTo(at);
        store.set({ past: null });
      } catch (error) {
        hooks.toasts.warn(messageOf(error));
      }
      await refresh();
      others.ended();
      await readTimeline();
    },
    readTimeline,
    search: (query, role) => build().search(query, role, pastId()),
    read: (source, offset) => build().read(source, offset, pastId()),
    receipt: () => build().receipt(pastId()),
    pin: (fact) =>
      exclusively('writing', async (built) => {
        const pinned = await built.pin(fact);
        if (pinned.outcome === 'pinned') hooks.toasts.tell(words.pinnedAs(pinned.key));
        else hooks.toasts.warn(words.notesFull(pinned.limit));
      }),
    undo: () =>
      exclusively('writing', async (built) => {
        const { outcome } = await built.undo();
        if (outcome === 'undone') hooks.toasts.tell(words.undone);
        else if (outcome === 'pruned') hooks.toasts.warn(words.undoPruned);
      }),
    removeNote: (key) =>
      exclusively('writing', async (built) => {
        await built.removeNote(key);
        hooks.toasts.tell(words.noteGone(key));
      }),
  };
}

/** What a person can do about a failed run; an address that does not answer has its own words. */
function failureOf(error: unknown): string {
  const trouble = troubleOf(error);
  return trouble === null ? words.runFailed(messageOf(error)) : words.modelTrouble(trouble, location.origin);
}

/** What an error says, with the cause that a wrapper hides. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isQuotaError(error) || isQuotaError(error.cause)) return words.storageFull;
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

/** The browser gives no more room. What its error is an instance of differs from browser to browser; the name does not. */
function isQuotaError(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError';
}
