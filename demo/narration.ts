// What the package tells of a run, as toasts.
import type { ThreadkeepEvent } from 'threadkeep';
import type { Progress, Toasts } from './views/toasts.js';
import { words } from './words/index.js';

export interface Narration {
  onEvent(event: ThreadkeepEvent): void;
  /** The run is over: nothing goes on any more. */
  end(): void;
}

export interface NarrationHooks {
  readonly toasts: Toasts;
  /** Whether the user asked for the compaction, so that its having nothing to do is news. */
  isByHand(): boolean;
  /** A capture went well, or the archive was told to be unavailable. */
  archiveChanged(lost: { failure: string; detail: string } | null): void;
}

/** Look-ups and notes are not told here: the transcript draws them from the checkpoint, as the model saw them. */
export function narrate({ toasts, isByHand, archiveChanged }: NarrationHooks): Narration {
  let progress: Progress | null = null;
  const end = () => {
    progress?.drop();
    progress = null;
  };
  return {
    end,
    onEvent(event) {
      if (event.type === 'context_compacting') {
        end();
        progress = toasts.progress(event.message);
      } else if (event.type === 'context_compacted') {
        const text = compactedText(event);
        if (progress === null) toasts.tell(text);
        else progress.done(text);
        progress = null;
        if (event.archived !== null && event.archived.failure === null) archiveChanged(null);
      } else if (event.type === 'context_compaction_failed') {
        const text = words.compactionFailed(event.message, event.reason);
        if (progress === null) toasts.warn(text);
        else progress.failed(text);
        progress = null;
      } else if (event.type === 'context_compaction_skipped') {
        end();
        // Of itself that is no news: the meter shows a window that stays over its trigger.
        if (isByHand()) toasts.tell(words.nothingToCompact(event.message, event.reason));
      } else if (event.type === 'history_unavailable')
        archiveChanged({ failure: event.failure, detail: event.detail });
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
