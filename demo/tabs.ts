// What the tabs of this page tell each other, and whether one of them lives.

import type { Step } from './step.js';
import { newThreadId } from './threads.js';

/** What a run is about. */
export type RunKind = 'answering' | 'compacting' | 'writing';

/** The answer that streams in. */
export type Live = { readonly id: string; readonly text: string } | null;

export type TabMessage =
  /** A run is on; told as it begins, and to whoever asks. */
  | {
      readonly kind: 'running';
      readonly thread: string;
      readonly tab: string;
      readonly of: RunKind;
      readonly live: Live;
    }
  | { readonly kind: 'live'; readonly thread: string; readonly live: Live }
  | { readonly kind: 'step'; readonly thread: string; readonly step: Step }
  | { readonly kind: 'ended'; readonly thread: string }
  /** Whoever runs it shall say so. */
  | { readonly kind: 'ask'; readonly thread: string }
  /** Whoever runs it shall stop. */
  | { readonly kind: 'stop'; readonly thread: string }
  | { readonly kind: 'deleted'; readonly thread: string }
  /** Another conversation has taken its place. */
  | { readonly kind: 'replaced'; readonly thread: string }
  /** The list of conversations has changed. */
  | { readonly kind: 'list' }
  /** An archive was replaced or removed. */
  | { readonly kind: 'archive' };

export interface Tabs {
  /** Of this page, until it is closed or loaded anew. */
  readonly id: string;
  /** Tells all other tabs. */
  tell(message: TabMessage): void;
  /** True where it cannot be known. */
  isAlive(tab: string): Promise<boolean>;
  /** Resolves when a tab is gone; never where that cannot be known. */
  death(tab: string): Promise<void>;
}

/** Pages of another version speak on a channel of their own. */
const CHANNEL = 'threadkeep-demo/1';
const lockOf = (tab: string) => `${CHANNEL}/tab/${tab}`;

/** Joins the other tabs, for the life of this page. */
export function openTabs(listen: (message: TabMessage) => void): Tabs {
  const id = newThreadId();
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listen(data));
  // Missing on insecure origins, whatever the types say.
  const locks = navigator.locks as LockManager | undefined;
  // The browser lets it go with the page, however that ends.
  void locks?.request(lockOf(id), () => new Promise(() => {}));
  return {
    id,
    tell: (message) => channel.postMessage(message),
    async isAlive(tab) {
      if (locks === undefined) return true;
      const { held = [] } = await locks.query();
      return held.some(({ name }) => name === lockOf(tab));
    },
    async death(tab) {
      if (locks === undefined) return new Promise(() => {});
      await locks.request(lockOf(tab), { mode: 'shared' }, () => {});
    },
  };
}
