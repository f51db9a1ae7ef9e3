// Where a conversation forks: the checkpoint before one of its messages, found or made.
import { RemoveMessage } from '@langchain/core/messages';
import type { IndexedDBSaver } from 'threadkeep/langchain';
import { messagesOf, parentOf } from './tuples.js';

/** A checkpoint from which a run may go on, and messages of it that have to go first. */
export interface Fork {
  readonly checkpoint: string;
  readonly remove: readonly string[];
}

/**
 * Looks along a branch, the newest one or that of the checkpoint `from`, for the last checkpoint that does not hold the message. Where there is none, because
 * the message is the first or came with a recording, it is the first one that does, without the message and what
 * follows it. Null when no checkpoint of the branch holds the message.
 */
export async function forkBefore(
  saver: IndexedDBSaver,
  thread: string,
  message: string,
  from?: string,
): Promise<Fork | null> {
  let wanted = from ?? null;
  let holder: Fork | null = null;
  for await (const tuple of saver.list({ configurable: { thread_id: thread, checkpoint_ns: '' } })) {
    // The first checkpoint of the branch, and then, among those of all branches, only its ancestors.
    if (wanted !== null && tuple.checkpoint.id !== wanted) continue;
    wanted = parentOf(tuple);
    // The first checkpoint of a run holds what was said beside the messages, not among them.
    if (tuple.metadata?.source !== 'input') {
      const ids = messagesOf(tuple).map(({ id }) => id);
      const at = ids.indexOf(message);
      if (at >= 0) {
        const remove = ids.slice(at).filter((id) => id !== undefined);
        holder = { checkpoint: tuple.checkpoint.id, remove };
      } else if (holder !== null) return { checkpoint: tuple.checkpoint.id, remove: [] };
    }
    if (wanted === null) break;
  }
  return holder;
}

/** What takes messages out of a state. */
export function removalOf(ids: readonly string[]): readonly RemoveMessage[] {
  return ids.map((id) => new RemoveMessage({ id }));
}
