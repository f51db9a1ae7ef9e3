// What another page can be told to do with its saver; see `pages.ts`.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { IndexedDBSaver } from '../../src/langchain/checkpoint.js';
import type { RunLease } from '../../src/langchain/run-lease.js';

const { name, database } = JSON.parse(window.name);
const saver = new IndexedDBSaver({ database });
const channel = new BroadcastChannel(name);
let lease: RunLease | null = null;

const commands: Readonly<Record<string, (...words: string[]) => Promise<string>>> = {
  async lease(thread = '', tab = '') {
    const outcome = await saver.lease(thread, { tab });
    if (outcome.outcome === 'leased') lease = outcome.lease;
    return outcome.outcome;
  },
  loss: async () => String(lease?.signal.reason),
  /** Puts a branch of a checkpoint with these messages and answers its id. */
  async put(thread = '', parent = '', ...texts) {
    const configurable = {
      thread_id: thread,
      checkpoint_ns: '',
      ...(parent === '' ? {} : { checkpoint_id: parent }),
    };
    const version = saver.getNextVersion(undefined);
    const messages = texts.map((text, at) => (at % 2 === 0 ? new HumanMessage(text) : new AIMessage(text)));
    const checkpoint = {
      ...emptyCheckpoint(),
      id: uuid6(0),
      channel_values: { messages },
      channel_versions: { messages: version },
    };
    const metadata = { source: 'loop', step: 1, parents: {} } as const;
    const config = await saver.put({ configurable }, checkpoint, metadata, { messages: version });
    return String(config.configurable?.['checkpoint_id']);
  },
  async delete(thread = '') {
    await saver.deleteThread(thread);
    return 'deleted';
  },
  async texts(thread = '', id = '') {
    const tuple = await saver.getTuple({ configurable: { thread_id: thread, checkpoint_id: id } });
    const messages: unknown = tuple?.checkpoint.channel_values['messages'];
    return Array.isArray(messages) ? messages.map(({ text }) => text).join('|') : 'none';
  },
};

channel.addEventListener('message', async ({ data }) => {
  if (typeof data?.command !== 'string') return;
  try {
    const value = await commands[data.command]?.(...data.words);
    channel.postMessage({ answers: data.id, value });
  } catch (error) {
    channel.postMessage({ answers: data.id, error: error instanceof Error ? error.message : String(error) });
  }
});
channel.postMessage('ready');
