// Looking into a conversation's history as its agent does, for the user.
import type { ShownHit } from './results.js';
import { messageOf, type Session } from './session.js';
import { words } from './words/index.js';

/** What a search found, or why it could not be made. */
export type Found =
  | { readonly kind: 'hits'; readonly hits: readonly ShownHit[]; readonly status: string }
  | { readonly kind: 'failed'; readonly detail: string };

/** A page of a source. */
export interface FoundPage {
  readonly text: string;
  /** The message of the source; null when it had no id. */
  readonly messageId: string | null;
  readonly nextOffset: number | null;
}

/** Searches what can be reached from the checkpoint that the session shows. Never throws. */
export async function lookUp(session: Session, query: string, role: string | null): Promise<Found> {
  try {
    const found = await session.search(query, role);
    if (found.kind === 'error') return { kind: 'failed', detail: found.error };
    const hits = found.results.map((hit) => ({
      id: hit.id,
      messageId: hit.message_id,
      role: hit.role,
      origin: hit.origin,
      excerpt: hit.excerpt,
      start: hit.excerpt_start,
      end: hit.excerpt_end,
      match: hit.excerpt_match,
      archivedAt: hit.origin === 'archive' ? Date.parse(hit.archived_at) : null,
      position: hit.origin === 'active' ? hit.position : null,
      conversationLength: hit.origin === 'active' ? hit.conversation_length : null,
    }));
    return { kind: 'hits', hits, status: found.status };
  } catch (error) {
    return { kind: 'failed', detail: words.loadFailed(messageOf(error)) };
  }
}

/** Reads a page of a source; null when it cannot be read from there. Never throws. */
export async function readPage(session: Session, source: string, offset: number): Promise<FoundPage | null> {
  try {
    const read = await session.read(source, offset);
    if (read.kind !== 'page') return null;
    const { text, message_id: messageId, next_offset: nextOffset } = read.page;
    return { text, messageId, nextOffset };
  } catch {
    // The reader says that the source cannot be read; what the checkpoint said besides stands on the page already.
    return null;
  }
}
