// What the page knows: plain data, replaced and never changed in place, with a word to whoever draws it.
import type { RequestParts } from 'threadkeep/langchain';
import type { ModelChoice } from './models/choice.js';
import type { Moment } from './moments.js';
import type { KeptRequest } from './requests.js';
import type { ListedThread, ThreadEntry } from './threads.js';

export type Speaker = 'human' | 'ai' | 'tool' | 'other';

export interface ShownCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

/** A message as the page draws it. `text` is the visible text, whose code points the offsets of hits count. */
export interface ShownMessage {
  readonly id: string;
  readonly speaker: Speaker;
  readonly text: string;
  /** Blocks that are no text, such as images: they are there, and not drawn. */
  readonly otherParts: number;
  readonly calls: readonly ShownCall[];
  /** The call that a tool message answers; null elsewhere. */
  readonly callId: string | null;
  /** True for an answer that the user stopped: it may end in mid-sentence. */
  readonly stopped: boolean;
  readonly failed: boolean;
}

/** The compaction record of the checkpoint: which messages the summary stands for. */
export interface ShownCompaction {
  readonly summary: string;
  readonly covered: readonly string[];
  readonly pruned: readonly string[];
}

export interface ShownNote {
  readonly key: string;
  readonly content: string;
  readonly sources: readonly string[];
}

/** What one checkpoint holds. */
export interface Snapshot {
  readonly messages: readonly ShownMessage[];
  readonly compaction: ShownCompaction | null;
  readonly notes: readonly ShownNote[];
  /** Batches of the archive that can be reached from there; some may have expired. */
  readonly batches: readonly string[];
  /** True when a run ended before its answer: a reload, a stop or an error in between. */
  readonly unfinished: boolean;
}

/** An earlier checkpoint that is looked at. */
export interface Past {
  readonly checkpoint: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Timeline {
  readonly moments: readonly Moment[];
  /** True when there are earlier checkpoints that were not looked at. */
  readonly hasMore: boolean;
}

export type Run =
  | { readonly kind: 'idle' }
  | { readonly kind: 'answering' }
  | { readonly kind: 'compacting' }
  /** Something small is written into the checkpoint, at the user's word. */
  | { readonly kind: 'writing' }
  | { readonly kind: 'stopping' }
  /** Another tab runs the conversation. */
  | { readonly kind: 'elsewhere'; readonly of: 'answering' | 'compacting' | 'writing' }
  /** What this tab is to do waits for another tab's run; the text that waits, null where it is no message. */
  | { readonly kind: 'waiting'; readonly text: string | null };

/** The open conversation. */
export interface ThreadState extends Snapshot {
  readonly entry: ThreadEntry;
  readonly loaded: boolean;
  readonly run: Run;
  /** The answer that streams in, until its message stands in the checkpoint. */
  readonly live: { readonly id: string; readonly text: string } | null;
  /** Estimated tokens of what the model was sent last or would be sent next; null until they are counted. */
  readonly window: RequestParts | null;
  /** What the model was sent at the last calls of this page, the newest first. */
  readonly requests: readonly KeptRequest[];
  /** The earlier checkpoint whose messages, notes and window these are; null for the newest. */
  readonly past: Past | null;
  /** Null until someone asks for it. */
  readonly timeline: Timeline | null;
  readonly error: string | null;
}

export type ArchiveState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'persistent' }
  | { readonly kind: 'memory'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly failure: string; readonly detail: string };

/** A place in the transcript that a link points at. Offsets are code points of the source's text. */
export interface SourcePlace {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** Words to mark inside; the search that found the place. */
  readonly query: string;
}

export type Tab = 'notes' | 'timeline' | 'search' | 'archive';

export interface PageState {
  readonly archive: ArchiveState;
  /** Which model answers. */
  readonly model: ModelChoice;
  readonly threads: readonly ListedThread[];
  readonly open: ThreadState | null;
  readonly place: SourcePlace | null;
  /** The message of the open conversation that is being written anew; null when none is. */
  readonly editing: string | null;
  /** True while a file is read or a conversation is written into its checkpoint. */
  readonly busy: boolean;
  /** Why the last file could not be opened; null after the next success or when dismissed. */
  readonly refused: string | null;
  /** How often another tab has replaced or removed an archive. */
  readonly archives: number;
  /** What stands beside the conversation. */
  readonly tab: Tab;
  /** Which side panel a narrow page shows over the conversation. */
  readonly panel: 'none' | 'threads' | 'notes';
}

/** A value and whoever wants to know of its changes. */
export interface Store<T> {
  get(): T;
  set(patch: Partial<T>): void;
}

/** Listeners hear of a change at once; drawing is theirs to batch. */
export function createStore<T extends object>(initial: T, listener: (state: T) => void): Store<T> {
  let state = initial;
  return {
    get: () => state,
    set(patch) {
      state = { ...state, ...patch };
      listener(state);
    },
  };
}
