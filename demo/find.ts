// Finding a text in a conversation letter by letter, as the browser's own search does where all of it is drawn.
import { codePoints } from './marked.js';
import type { ShownMessage, SourcePlace } from './store.js';

/** So many places are enough to step through. */
export const MOST_FOUND = 1_000;

/** Where a text stands in the messages, in their order, whatever its case; at most `MOST_FOUND` places. */
export function findText(messages: readonly ShownMessage[], query: string): readonly SourcePlace[] {
  if (query === '') return [];
  const pattern = new RegExp(query.replace(/[\\^$*+?.()|[\]{}]/gu, '\\$&'), 'giu');
  const found: SourcePlace[] = [];
  for (const { id, text } of messages) {
    for (const match of text.matchAll(pattern)) {
      const start = codePoints(text.slice(0, match.index));
      found.push({ message: id, start, end: start + codePoints(match[0]), query: '' });
      if (found.length === MOST_FOUND) return found;
    }
  }
  return found;
}
