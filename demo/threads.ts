// The list of conversations: what a checkpoint does not say, kept beside it in IndexedDB.
import { createStore, del, set, update, values } from 'idb-keyval';
import type { IndexedDBSaver } from 'threadkeep/langchain';

/** When the context is compacted, and how much of it stays. */
export interface ContextSettings {
  readonly triggerTokens: number;
  readonly keepMessages: number;
}

export interface ThreadEntry {
  readonly id: string;
  /** As first named; the title that the user gives stands with the checkpoints, and wins. */
  readonly title: string;
  /** The recording's system message: the agent's instructions, needed to build it again after a reload. */
  readonly systemPrompt: string | null;
  readonly settings: ContextSettings;
  readonly suggestions: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** An entry with what its checkpoints say. */
export interface ListedThread extends ThreadEntry {
  /** When its newest checkpoint was written, in milliseconds since 1970. */
  readonly updatedAt: number;
  readonly messages: number;
  readonly checkpoints: number;
  /** Bytes of its checkpoints, about. */
  readonly bytes: number;
}

/** Longest title made from a first message, in UTF-16 units. */
const TITLE_CHARS = 60;

const store = createStore('threadkeep-demo', 'threads');

/** All conversations, the one that changed last first. */
export async function listThreads(saver: IndexedDBSaver): Promise<readonly ListedThread[]> {
  const [entries, stored] = await Promise.all([values<ThreadEntry>(store), saver.threads()]);
  const storedById = new Map(stored.map((thread) => [thread.thread, thread]));
  return entries
    .map((entry) => {
      const known = storedById.get(entry.id);
      return {
        ...entry,
        title: known?.title ?? entry.title,
        updatedAt: known?.updatedAt ?? entry.createdAt,
        messages: known?.messages ?? 0,
        checkpoints: known?.checkpoints ?? 0,
        bytes: known?.bytes ?? 0,
      };
    })
    .sort((left, right) => right.updatedAt - left.updatedAt);
}

/** Puts a conversation on the list. */
export async function addThread(entry: ThreadEntry): Promise<void> {
  await set(entry.id, entry, store);
}

/** Takes a conversation off the list; its checkpoints and archive are another matter. */
export async function removeThread(id: string): Promise<void> {
  await del(id, store);
}

/** Gives a conversation another title; one without a checkpoint yet keeps it in its entry. */
export async function renameThread(entry: ThreadEntry, title: string, saver: IndexedDBSaver): Promise<void> {
  if (await saver.rename(entry.id, title)) return;
  await update<ThreadEntry>(entry.id, (stored) => ({ ...(stored ?? entry), title }), store);
}

/** Changes the settings of a listed conversation; answers its new entry. */
export async function changeSettings(entry: ThreadEntry, settings: ContextSettings): Promise<ThreadEntry> {
  const changed = { ...entry, settings };
  await update<ThreadEntry>(entry.id, (stored) => ({ ...(stored ?? entry), settings }), store);
  return changed;
}

/** The first line of a message that has one, cut between words to the length of a title. */
export function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  if (line.length <= TITLE_CHARS) return line;
  const cut = line.slice(0, TITLE_CHARS);
  const space = cut.lastIndexOf(' ');
  // The cut is never in the midst of a surrogate pair: `toWellFormed` would leave a sign of it.
  return `${(space > TITLE_CHARS / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** A new id. `crypto.randomUUID` is missing on insecure origins; `getRandomValues` is not. */
export function newThreadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('');
}
