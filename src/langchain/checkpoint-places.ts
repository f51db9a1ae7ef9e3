// Which thread, graph and checkpoint a config or a caller names.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Place, ThreadPlace } from './checkpoint-keys.js';
import { identify } from './identity.js';

/** A thread by its id, which is the saver's user's, or with its user. */
export type ThreadName = string | { readonly user?: string; readonly thread: string };

/** The thread that a caller names; of the given user when the name says nothing of one. */
export function threadOf(thread: ThreadName, user: string): ThreadPlace {
  return typeof thread === 'string' ? { user, thread } : { user: thread.user ?? user, thread: thread.thread };
}

/** Null for a config without a thread. */
export function placeOf(config: RunnableConfig, user: string): Place | null {
  const thread = textOf(config, 'thread_id');
  if (thread === undefined) return null;
  const namespace = textOf(config, 'checkpoint_ns', true) ?? '';
  return { user: identify(config, { user }).user, thread, namespace };
}

export function requirePlace(config: RunnableConfig, user: string, what: string): Place {
  const place = placeOf(config, user);
  if (place !== null) return place;
  throw new Error(
    `IndexedDBSaver: no ${what} without a thread. Run the graph with { configurable: { thread_id: "…" } }.`,
  );
}

/** The config that names a checkpoint. Its user is in it only where the next call would take another one. */
export function configOf(user: string, place: Place, id: string): RunnableConfig {
  const ofUser = place.user === user ? {} : { user_id: place.user };
  const { thread, namespace } = place;
  return { configurable: { ...ofUser, thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}

/** The id of the checkpoint that a config names; undefined for the newest. */
export function idOf(config: RunnableConfig): string | undefined {
  return textOf(config, 'checkpoint_id');
}

export function textOf(config: RunnableConfig, key: string, isEmptyAllowed = false): string | undefined {
  const value: unknown = config.configurable?.[key];
  return typeof value === 'string' && (isEmptyAllowed || value !== '') ? value : undefined;
}
