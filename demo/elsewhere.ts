// One conversation in several tabs: tells the others of a run here, and shows a run of theirs.
import { stepFrom, stepped } from './step.js';
import type { ShownMessage, Snapshot, Store, ThreadState } from './store.js';
import type { RunKind, TabMessage, Tabs } from './tabs.js';

/** Words that stream in are told this often at most, in milliseconds. */
const LIVE_MS = 60;

export interface Elsewhere {
  /** A message about this conversation from another tab. */
  hear(message: TabMessage): void;
  /** Asks whether another tab runs it. */
  ask(): void;
  began(of: RunKind): void;
  /** Words have come. */
  streamed(): void;
  /** A checkpoint has come. */
  stepped(snapshot: Snapshot): void;
  ended(): void;
}

export interface ElsewhereHooks {
  readonly store: Store<ThreadState>;
  readonly tabs: Tabs;
  /** Ends the run that is on here. */
  stop(): void;
  /** Reads the checkpoint that is shown. */
  refresh(): Promise<void>;
}

/** Joins the tabs that show one conversation. What they tell is shown until the checkpoint itself is read. */
export function joinTabs({ store, tabs, stop, refresh }: ElsewhereHooks): Elsewhere {
  const thread = store.get().entry.id;
  /** What is run here, and what the others were told of it. */
  let own: { readonly of: RunKind; told: readonly ShownMessage[]; last: Snapshot | null } | null = null;
  let toldAt = 0;

  const tellLive = () => {
    toldAt = performance.now();
    tabs.tell({ kind: 'live', thread, live: store.get().live });
  };
  const tellStep = (snapshot: Snapshot) => {
    if (own === null) return;
    tabs.tell({ kind: 'step', thread, step: stepFrom(own.told, snapshot) });
    own.told = snapshot.messages;
    own.last = snapshot;
  };
  const tellRunning = (of: RunKind) =>
    tabs.tell({ kind: 'running', thread, tab: tabs.id, of, live: store.get().live });

  /** Whether what another tab tells may be shown: not over a run of our own, nor over the past. */
  const follows = () => {
    const { run, past } = store.get();
    return (run.kind === 'elsewhere' || run.kind === 'waiting') && past === null;
  };
  const over = async () => {
    if (store.get().run.kind !== 'elsewhere') return;
    await refresh();
    if (store.get().run.kind === 'elsewhere') store.set({ run: { kind: 'idle' } });
    store.set({ live: null });
  };
  const running = (of: RunKind, tab: string) => {
    if (store.get().run.kind !== 'idle') return;
    store.set({ run: { kind: 'elsewhere', of }, error: null });
    void tabs.death(tab).then(over);
  };

  return {
    hear(message) {
      if (message.kind === 'ask' && own !== null) {
        tellRunning(own.of);
        own.told = [];
        if (own.last !== null) tellStep(own.last);
      } else if (message.kind === 'stop' && own !== null) stop();
      else if (message.kind === 'running') {
        running(message.of, message.tab);
        if (follows()) store.set({ live: message.live });
      } else if (message.kind === 'live' && follows()) store.set({ live: message.live });
      else if (message.kind === 'step' && follows()) {
        const { compaction, notes, batches } = message.step;
        const messages = stepped(store.get().messages, message.step);
        if (messages === null) void refresh();
        else {
          const { live } = store.get();
          const hasArrived = messages.some(({ id }) => id === live?.id);
          store.set({ messages, compaction, notes, batches, live: hasArrived ? null : live });
        }
      } else if (message.kind === 'ended') void (store.get().run.kind === 'idle' ? refresh() : over());
    },
    ask: () => tabs.tell({ kind: 'ask', thread }),
    began(of) {
      own = { of, told: store.get().messages, last: null };
      tellRunning(of);
    },
    streamed() {
      if (performance.now() - toldAt >= LIVE_MS) tellLive();
    },
    stepped: tellStep,
    ended() {
      own = null;
      tabs.tell({ kind: 'ended', thread });
    },
  };
}
