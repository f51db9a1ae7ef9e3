// The list of conversations: what a checkpoint does not say, kept beside it in IndexedDB.
import { createStore, del, set, update, values } from 'idb-keyval';

/** When the context is compacted, and how much of it stays. */
export interface ContextSettings {
  readonly triggerTokens: number;
  readonly keepMessages: number;
}

export interface ThreadEntry {
  readonly id: string;
  readonly title: string;
  /** The recording's system message: the agent's instructions, needed to build it again after a reload. */
  readonly systemPrompt: string | null;
  readonly settings: ContextSettings;
  readonly suggestions: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const store = createStore('threadkeep-demo', 'threads');

/** All conversations, the newest first. */
export async function listThreads(): Promise<readonly ThreadEntry[]> {
  const entries = await values<ThreadEntry>(store);
  return entries.toSorted((left, right) => right.createdAt - left.createdAt);
}

/** Puts a conversation on the list. */
export async function addThread(entry: ThreadEntry): Promise<void> {
  await set(entry.id, entry, store);
}

/** Takes a conversation off the list; its checkpoints and archive are another matter. */
export async function removeThread(id: string): Promise<void> {
  await del(id, store);
}

/** Changes the settings of a listed conversation; answers its new entry. */
export async function changeSettings(entry: ThreadEntry, settings: ContextSettings): Promise<ThreadEntry> {
  const changed = { ...entry, settings };
  await update<ThreadEntry>(entry.id, (stored) => ({ ...(stored ?? entry), settings }), store);
  return changed;
}

/** A new id. `crypto.randomUUID` is missing on insecure origins; `getRandomValues` is not. */
export function newThreadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('');
}
