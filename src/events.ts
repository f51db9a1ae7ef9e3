// What the package tells a page about: a closed union, sent to `onEvent` and on the agent's `custom` stream.
import type { ArchiveFailure } from './protocol.js';

/** What the archive did with the messages of one compaction. */
export interface CaptureSummary {
  readonly stored: number;
  readonly omitted: number;
  /** Why nothing could be archived; null when the archive did its work. */
  readonly failure: ArchiveFailure | null;
}

export type ThreadkeepEvent =
  /** A summary call really starts. Silent when a former summary is used again. */
  | { readonly type: 'context_compacting'; readonly message: string }
  | {
      readonly type: 'context_compacted';
      readonly reason: 'trigger' | 'manual';
      /** Messages that the summary stands for, former compactions included. */
      readonly messagesCovered: number;
      /** Messages that this compaction removed from the checkpoint. */
      readonly messagesPruned: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly durationMs: number;
      /** Null when continuity is off. */
      readonly archived: CaptureSummary | null;
    }
  | { readonly type: 'context_compaction_failed'; readonly reason: string; readonly message: string }
  | { readonly type: 'context_compaction_skipped'; readonly reason: string; readonly message: string }
  | {
      readonly type: 'history_searched';
      readonly toolCallId: string;
      readonly query: string;
      readonly hits: number;
      readonly status: string;
    }
  | {
      readonly type: 'history_read';
      readonly toolCallId: string;
      readonly sourceId: string;
      readonly offset: number;
      readonly status: string;
    }
  | {
      readonly type: 'note_saved' | 'note_deleted';
      readonly toolCallId: string;
      readonly key: string;
    }
  | { readonly type: 'history_unavailable'; readonly failure: ArchiveFailure; readonly detail: string };

export type EventListener = (event: ThreadkeepEvent) => void;
