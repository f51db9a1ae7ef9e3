// The two channels that continuity adds to an agent's state. Every write is normalised before a checkpoint sees it.
import { ReducedValue } from '@langchain/langgraph';
import { z } from 'zod';
import { normalizeHistory, type StoredHistory } from '../core/history.js';
import { mergeNotes, normalizeNotes, type TaskNotes } from '../core/notes.js';

const storedHistory = (value: unknown): StoredHistory => normalizeHistory(value) ?? {};

/**
 * References to the archive. Each write replaces the whole value; null or `{}` clears it, as a branch must.
 *
 * The agent's saved state comes back as input with every run: writing a value again changes nothing.
 */
export const taskHistory = new ReducedValue<StoredHistory | undefined, unknown>(
  z.unknown().transform(storedHistory).optional(),
  {
    inputSchema: z.unknown().transform(storedHistory).optional(),
    reducer: (_current, next) => storedHistory(next),
  },
);

/**
 * Task notes. A write holds notes by key, null for a key to delete; what it does not name stays. Starts empty, so
 * that the first write is merged and normalised like all others; a full replacement is normalised too.
 */
export const taskNotes = new ReducedValue<TaskNotes, unknown>(z.unknown().transform(normalizeNotes), {
  inputSchema: z.unknown().optional(),
  reducer: (current, write) => mergeNotes(current, write),
});
