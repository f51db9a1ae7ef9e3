// What a conversation with tools takes in the checkpoint store, against what is new in it and against whole channels.
import 'fake-indexeddb/auto';
import { serialize } from 'node:v8';
import type { RunnableConfig } from '@langchain/core/runnables';
import type {
  ChannelVersions,
  Checkpoint,
  CheckpointMetadata,
  PendingWrite,
} from '@langchain/langgraph-checkpoint';
import { promisifyRequest } from 'idb-keyval';
import { test } from 'vitest';
import { IndexedDBSaver } from '../src/langchain/checkpoint.js';
import { openStore } from '../src/langchain/indexeddb-store.js';
import { converse } from '../test/support/long-conversation.js';
import { type Figure, report } from './measure.js';

/** What a checkpoint itself may take, beside what is new in it. */
const CHECKPOINT_BYTES = 2_000;

/** Counts, beside storing, what a saver takes that writes each changed channel whole. */
class CountingSaver extends IndexedDBSaver {
  checkpoints = 0;
  wholeBytes = 0;
  readonly #sizes = new WeakMap<object, number>();
  #counted: { readonly messages: readonly object[]; readonly bytes: number } = { messages: [], bytes: 0 };

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { channel_values: values, ...rest } = checkpoint;
    this.checkpoints += 1;
    this.wholeBytes += (await this.#size(rest)) + (await this.#size(metadata));
    for (const channel of Object.keys(newVersions)) {
      if (channel === 'messages') this.wholeBytes += await this.#sizeOfMessages(values[channel] as object[]);
      else if (Object.hasOwn(values, channel)) this.wholeBytes += await this.#size(values[channel]);
    }
    return super.put(config, checkpoint, metadata, newVersions);
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], ...rest: [string, string?]) {
    for (const [, value] of writes) this.wholeBytes += await this.#size(value);
    return super.putWrites(config, writes, ...rest);
  }

  async sizeOfEach(messages: readonly object[]): Promise<number> {
    let bytes = 0;
    for (const message of messages) {
      const size = this.#sizes.get(message) ?? (await this.#size(message));
      this.#sizes.set(message, size);
      bytes += size;
    }
    return bytes;
  }

  /** A longer list is counted from where the last one ended: a long conversation has millions of messages in all. */
  async #sizeOfMessages(messages: readonly object[]): Promise<number> {
    const before = this.#counted;
    const isLonger = before.messages.every((message, at) => message === messages[at]);
    const from = isLonger ? before.messages.length : 0;
    const bytes = (isLonger ? before.bytes : 0) + (await this.sizeOfEach(messages.slice(from)));
    this.#counted = { messages: [...messages], bytes };
    return bytes;
  }

  async #size(value: unknown): Promise<number> {
    const [, bytes] = await this.serde.dumpsTyped(value);
    return bytes.length;
  }
}

/** Bytes of everything in a database, as a browser writes it down: the structured clones of keys and rows. */
async function storedBytes(database: string): Promise<number> {
  const store = openStore(database);
  const rows = await store.use('readonly', async (entries) => {
    const [keys, values] = await Promise.all([
      promisifyRequest(entries.getAllKeys()),
      promisifyRequest<unknown[]>(entries.getAll()),
    ]);
    return values.map((value, at) => serialize(value).length + serialize(keys[at]).length);
  });
  await store.close();
  return rows.reduce((sum, size) => sum + size, 0);
}

const kB = (bytes: number): number => bytes / 1_000;

// Over the fake, 1,000 turns run out of memory (4 GB); longer conversations need a real database.
test.each([100])('a conversation of %i turns with a tool', async (turns) => {
  const database = `saver-${turns}`;
  const saver = new CountingSaver({ database });
  const messages = await converse(saver, 'bench', turns);
  const fresh = await saver.sizeOfEach(messages);
  const stored = await storedBytes(database);
  const figures: Figure[] = [
    { name: 'checkpoints', value: saver.checkpoints, unit: '' },
    { name: 'messages', value: messages.length, unit: '' },
    { name: 'new content, serialised', value: kB(fresh), unit: 'kB' },
    { name: 'stored', value: kB(stored), unit: 'kB' },
    {
      name: 'stored against new content + 2 kB a checkpoint',
      value: stored / (fresh + saver.checkpoints * CHECKPOINT_BYTES),
      unit: '×',
      atMost: 1.5,
    },
    { name: 'one blob per channel change takes', value: saver.wholeBytes / stored, unit: '× that' },
  ];
  report(`Checkpoints of ${turns} turns`, figures);
  await saver.close();
});
