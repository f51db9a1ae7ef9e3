// The page's agent in Node: the offline model, an archive that is not there, and a database of its own.
import { openArchive } from 'threadkeep';
import { IndexedDBSaver } from 'threadkeep/langchain';
import { OfflineChatModel } from 'threadkeep/offline-model';
import { buildAgent } from '../../demo/agent.js';
import { newEntry } from '../../demo/write.js';

const archive = openArchive();
let count = 0;

/** An agent of the thread `t`. Needs an IndexedDB, such as `fake-indexeddb/auto`. */
export function aPageAgent() {
  count += 1;
  const saver = new IndexedDBSaver({ database: `page-agent-${count}` });
  const agent = buildAgent(
    newEntry('t'),
    { saver, archive, model: () => new OfflineChatModel() },
    { onEvent() {}, onRequest() {} },
  );
  const say = async (text: string, from: string | null = null): Promise<void> => {
    for await (const _step of agent.run(text, new AbortController().signal, from));
  };
  return { saver, agent, say };
}
