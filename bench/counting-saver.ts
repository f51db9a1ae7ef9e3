// A saver that counts, beside storing, what one takes that writes each changed channel whole.
import { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import type {
  ChannelVersions,
  Checkpoint,
  CheckpointMetadata,
  PendingWrite,
} from '@langchain/langgraph-checkpoint';
import { IndexedDBSaver } from '../src/langchain/checkpoint.js';

export class CountingSaver extends IndexedDBSaver {
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

  /** By its parts: a copy of the state in what a step sends would be serialised whole each time. */
  async #size(value: unknown): Promise<number> {
    if (Array.isArray(value) && BaseMessage.isInstance(value[0])) return this.#sizeOfMessages(value);
    if (
      typeof value === 'object' &&
      value !== null &&
      !BaseMessage.isInstance(value) &&
      !Array.isArray(value)
    ) {
      const parts = Object.entries(value);
      let bytes = 2;
      for (const [name, part] of parts) bytes += name.length + 4 + (await this.#size(part));
      return bytes;
    }
    const [, bytes] = await this.serde.dumpsTyped(value);
    return bytes.length;
  }
}
