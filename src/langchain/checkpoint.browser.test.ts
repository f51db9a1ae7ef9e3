// The official contract of checkpoint savers over the browser's own IndexedDB.
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation';
import { IndexedDBSaver } from './checkpoint.js';

let databases = 0;
const initializer = {
  checkpointerName: 'IndexedDBSaver',
  createCheckpointer: () => {
    databases += 1;
    return new IndexedDBSaver({ database: `validation-${databases}` });
  },
  destroyCheckpointer: (saver: IndexedDBSaver) => saver.close(),
};
validate(initializer);
deltaChannelHistoryTests(initializer);
