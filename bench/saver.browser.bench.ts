// A put of the checkpoint store in Chromium: what it takes with a long conversation against a short one.
import { HumanMessage } from '@langchain/core/messages';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { test } from 'vitest';
import { IndexedDBSaver } from '../src/langchain/checkpoint.js';
import { report, time } from './measure.js';

/** Each round puts one more message, as a run does, and waits until it is on disk. */
async function putAt(messages: number): Promise<{ readonly median: number; readonly p95: number }> {
  const saver = new IndexedDBSaver({ database: `bench-put-${messages}` });
  const all = Array.from(
    { length: messages },
    (_, at) => new HumanMessage({ id: `m${at}`, content: `Message ${at}: ${'word '.repeat(60)}` }),
  );
  const metadata = { source: 'loop' as const, step: 1, parents: {} };
  let config: object = { configurable: { thread_id: 'bench', checkpoint_ns: '' } };
  let version: number | undefined;
  const put = async () => {
    all.push(new HumanMessage({ id: `m${all.length}`, content: `Message ${all.length}` }));
    version = saver.getNextVersion(version);
    const checkpoint = {
      ...emptyCheckpoint(),
      id: uuid6(0),
      channel_values: { messages: [...all] },
      channel_versions: { messages: version },
    };
    config = await saver.put(config, checkpoint, metadata, { messages: version });
  };
  const timing = await time(put);
  await saver.close();
  return timing;
}

test('put with 100 and with 10,000 messages', async () => {
  const [short, long] = [await putAt(100), await putAt(10_000)];
  report('One put of the checkpoint store, Chromium', [
    { name: 'at 100 messages, median', value: short.median, unit: 'ms' },
    { name: 'at 100 messages, 95th percentile', value: short.p95, unit: 'ms' },
    { name: 'at 10,000 messages, median', value: long.median, unit: 'ms' },
    { name: 'at 10,000 messages, 95th percentile', value: long.p95, unit: 'ms' },
    { name: '10,000 against 100, medians', value: long.median / short.median, unit: '×', atMost: 3 },
  ]);
});
