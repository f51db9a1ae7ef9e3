// Checkpoints made by hand, for tests of the saver that need no agent.
import type { BaseMessage } from '@langchain/core/messages';
import {
  type Checkpoint,
  type CheckpointMetadata,
  emptyCheckpoint,
  uuid6,
} from '@langchain/langgraph-checkpoint';
import { entries } from 'idb-keyval';
import type { IndexedDBSaver } from '../../src/langchain/checkpoint.js';
import { openStore } from '../../src/langchain/indexeddb-store.js';

export const METADATA: CheckpointMetadata = { source: 'loop', step: 1, parents: {} };

export const at = (thread_id: string, more: object = {}) => ({
  configurable: { thread_id, checkpoint_ns: '', ...more },
});

/** Puts a checkpoint with these messages under the one that the config names. */
export function putMessages(saver: IndexedDBSaver, config: object, messages: readonly BaseMessage[]) {
  const version = saver.getNextVersion(undefined);
  const checkpoint: Checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(0),
    channel_values: { messages: [...messages] },
    channel_versions: { messages: version },
  };
  return saver.put(config, checkpoint, METADATA, { messages: version });
}

export async function messagesAt(
  saver: IndexedDBSaver,
  config: object,
): Promise<readonly BaseMessage[] | null> {
  const tuple = await saver.getTuple(config);
  return (tuple?.checkpoint.channel_values['messages'] as BaseMessage[] | undefined) ?? null;
}

export async function textsAt(saver: IndexedDBSaver, config: object): Promise<readonly string[] | null> {
  return (await messagesAt(saver, config))?.map(({ text }) => text) ?? null;
}

/** Everything in a database, read with a connection of its own. */
export async function rowsIn(database: string): Promise<readonly [IDBValidKey[], unknown][]> {
  const store = openStore(database);
  const found = await entries<IDBValidKey[], unknown>(store.use);
  await store.close();
  return found;
}
