// LangGraph checkpoints in IndexedDB: whatever a run has confirmed is there after a reload, a crash, or in another tab.

import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import { promisifyRequest, setMany } from 'idb-keyval';
import {
  keyOf,
  type Place,
  partsOf,
  type RawTuple,
  readRaw,
  type StoredCheckpoint,
  type StoredValue,
  type StoredWrite,
} from './checkpoint-rows.js';
import { dump, load, MessageMemory, type TakenApart, TakingApart } from './checkpoint-values.js';
import { DEFAULT_USER } from './identity.js';
import { openStore, startingWith } from './indexeddb-store.js';
import { growTree, type ListTree, rootOf } from './message-list.js';

export interface IndexedDBSaverOptions {
  /** The user of configs that name none; `local` by default. */
  readonly user?: string;
  /** Name of the database; `threadkeep` by default. */
  readonly database?: string;
  /** LangGraph's own by default. */
  readonly serde?: SerializerProtocol;
}

/** A thread that has checkpoints. */
export interface StoredThread {
  readonly thread: string;
  /** When its newest checkpoint was written, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/**
 * A checkpoint saver for agents in the browser.
 *
 * A message is stored once per thread, however many checkpoints hold it, and a longer list of messages shares all but
 * a few small nodes with the shorter one. Each `put` is one transaction, on disk when it resolves. Channel versions
 * carry a random suffix: two branches of one checkpoint never read each other's values.
 *
 * The user comes from `configurable.user_id`, else from the option. Rejects with an `Error` that says what to do when
 * there is no IndexedDB, no room, or another version's database.
 */
export class IndexedDBSaver extends BaseCheckpointSaver {
  readonly user: string;
  readonly #store: ReturnType<typeof openStore>;
  #memory = new MessageMemory();
  /** The last list of each thread and channel, to grow the next one from. */
  readonly #trees = new Map<string, ListTree>();

  constructor(options: IndexedDBSaverOptions = {}) {
    super(options.serde);
    this.user = options.user ?? DEFAULT_USER;
    this.#store = openStore(options.database ?? 'threadkeep');
  }

  /**
   * Padded so that versions sort as text; random so that branches do not meet. The protocol allows text, while the
   * type that agents ask for knows integers only.
   */
  override getNextVersion(current: number | string | undefined): number {
    const count = current === undefined ? 0 : Number.parseInt(String(current), 10);
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const version: unknown = `${String(count + 1).padStart(12, '0')}.${random.toString(16).padStart(8, '0')}`;
    return version as number;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const place = this.#placeOf(config);
    if (place === null) return undefined;
    const asked = textOf(config, 'checkpoint_id');
    const raw = await this.#store.use('readonly', (store) => readRaw(store, place, asked ?? null));
    if (raw === null) return undefined;
    return this.#tuple(place, raw, asked === undefined ? undefined : config);
  }

  override async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { before, filter, limit = Number.POSITIVE_INFINITY } = options;
    const user = textOf(config, 'user_id') ?? this.user;
    const thread = textOf(config, 'thread_id');
    const namespace = textOf(config, 'checkpoint_ns', true);
    const only = textOf(config, 'checkpoint_id');
    const below = before === undefined ? undefined : textOf(before, 'checkpoint_id');
    const range =
      thread === undefined ? startingWith('checkpoint', user) : startingWith('checkpoint', user, thread);
    const keys = await this.#store.use('readonly', (store) => promisifyRequest(store.getAllKeys(range)));
    const places = keys
      .map((key) => key as [string, string, string, string, string])
      .filter(
        ([, , , ns, id]) =>
          (namespace === undefined || ns === namespace) && (only === undefined || id === only),
      )
      .filter(([, , , , id]) => below === undefined || id < below)
      .sort(([, , , , a], [, , , , b]) => (a < b ? 1 : a > b ? -1 : 0));
    let left = limit;
    for (const [, , ofThread, ofNamespace, id] of places) {
      if (left <= 0) return;
      const place = { user, thread: ofThread, namespace: ofNamespace };
      const raw = await this.#store.use('readonly', (store) => readRaw(store, place, id));
      if (raw === null) continue;
      const tuple = await this.#tuple(place, raw);
      if (!matches(tuple.metadata, filter)) continue;
      left -= 1;
      yield tuple;
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const place = this.#requirePlace(config, 'checkpoint');
    const threadKey = keyOf(place);
    const taking = new TakingApart(this.serde, this.#memory, threadKey);
    const { channel_values: values, ...rest } = copyCheckpoint(checkpoint);
    const trees: [string, ListTree][] = [];
    const entries: [IDBValidKey[], unknown][] = [];
    for (const [channel, version] of Object.entries(newVersions ?? {})) {
      const value = Object.hasOwn(values, channel) ? await taking.value(values[channel]) : null;
      const stored =
        value === null ? ({ kind: 'absent' } as const) : this.#grown(place, channel, value, trees, entries);
      entries.push([['blob', ...partsOf(place), channel, version], stored]);
    }
    for (const [digest, { dumped }] of taking.fresh) {
      entries.push([['message', place.user, place.thread, digest], dumped]);
    }
    const present = Object.keys(values).filter(
      (channel) => checkpoint.channel_versions[channel] !== undefined,
    );
    const row: StoredCheckpoint = {
      format: checkpoint.v,
      parent: textOf(config, 'checkpoint_id') ?? null,
      checkpoint: await dump(this.serde, { ...rest, channel_values: {} }),
      metadata: await dump(this.serde, metadata),
      values: Object.fromEntries(
        present.map((channel) => [channel, checkpoint.channel_versions[channel] ?? '']),
      ),
    };
    entries.push([['checkpoint', ...partsOf(place), checkpoint.id], row]);
    entries.push([['thread', place.user, place.thread], { updatedAt: Date.now() }]);
    await setMany(entries, this.#store.use);
    taking.remember();
    for (const [key, tree] of trees) this.#trees.set(key, tree);
    return configOf(place, checkpoint.id);
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const place = this.#requirePlace(config, 'writes');
    const checkpointId = textOf(config, 'checkpoint_id');
    if (checkpointId === undefined) {
      throw new Error('IndexedDBSaver: writes need a "checkpoint_id" in the config’s "configurable".');
    }
    const taking = new TakingApart(this.serde, this.#memory, keyOf(place));
    const rows: (readonly [IDBValidKey[], StoredWrite, number])[] = [];
    for (const [at, [channel, value]] of writes.entries()) {
      const index = WRITES_IDX_MAP[channel] ?? at;
      const row = { taskId, channel, taskPath, value: await taking.value(value) };
      rows.push([['write', ...partsOf(place), checkpointId, taskId, index], row, index]);
    }
    await this.#store.use('readwrite', async (store) => {
      for (const [digest, { dumped }] of taking.fresh) {
        store.put(dumped, ['message', place.user, place.thread, digest]);
      }
      const known = await Promise.all(rows.map(([key]) => promisifyRequest(store.getKey(key))));
      for (const [at, [key, row, index]] of rows.entries()) {
        // A task that runs again does not write again; its errors and interrupts take the place of the former ones.
        if (index < 0 || known[at] === undefined) store.put(row, key);
      }
    });
    taking.remember();
  }

  /** Removes all that is stored of a thread, and nothing else. A thread given by its id alone is the saver's user's. */
  override async deleteThread(
    thread: string | { readonly user?: string; readonly thread: string },
  ): Promise<void> {
    const { user = this.user, thread: id } = typeof thread === 'string' ? { thread } : thread;
    await this.#store.use('readwrite', (store) => {
      for (const kind of ['checkpoint', 'blob', 'write', 'message', 'node'])
        store.delete(startingWith(kind, user, id));
      store.delete(['thread', user, id]);
    });
    // What was known to be stored is not any more.
    this.#memory = new MessageMemory();
    this.#trees.clear();
  }

  /** The threads of a user, the newest first. */
  async threads({ user = this.user }: { readonly user?: string } = {}): Promise<readonly StoredThread[]> {
    const range = startingWith('thread', user);
    const [keys, rows] = await this.#store.use('readonly', (store) =>
      Promise.all([
        promisifyRequest(store.getAllKeys(range)),
        promisifyRequest<{ updatedAt: number }[]>(store.getAll(range)),
      ]),
    );
    return keys
      .map((key, at) => ({ thread: String((key as IDBValidKey[])[2]), updatedAt: rows[at]?.updatedAt ?? 0 }))
      .sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Closes the database; the next call opens it again. */
  async close(): Promise<void> {
    await this.#store.close();
  }

  /** Stores a list as a tree grown from the last one; its new nodes join the entries. */
  #grown(
    place: Place,
    channel: string,
    value: TakenApart,
    trees: [string, ListTree][],
    entries: [IDBValidKey[], unknown][],
  ): StoredValue {
    if (value.kind !== 'list') return value;
    const key = `${keyOf(place)} ${JSON.stringify([place.namespace, channel])}`;
    const { tree, added } = growTree(value.digests, this.#trees.get(key) ?? null);
    for (const { digest, children } of added)
      entries.push([['node', place.user, place.thread, digest], children]);
    trees.push([key, tree]);
    return { kind: 'list', ...rootOf(tree) };
  }

  async #tuple(place: Place, raw: RawTuple, config?: RunnableConfig): Promise<CheckpointTuple> {
    const { id, stored, values, writes, parentWrites } = raw;
    const checkpoint = (await load(this.serde, stored.checkpoint)) as Checkpoint;
    checkpoint.channel_values = {};
    for (const [channel, value, tree] of values) {
      if (value.kind === 'absent') continue;
      checkpoint.channel_values[channel] = await this.#value(
        place,
        raw,
        tree === null ? value : { kind: 'list', digests: tree.digests },
      );
      if (tree !== null)
        this.#trees.set(`${keyOf(place)} ${JSON.stringify([place.namespace, channel])}`, tree);
    }
    if (checkpoint.v < 4 && stored.parent !== null)
      await this.#addPendingSends(place, raw, checkpoint, parentWrites);
    const pendingWrites: CheckpointPendingWrite[] = [];
    for (const { taskId, channel, value } of writes) {
      pendingWrites.push([taskId, channel, await this.#value(place, raw, value)]);
    }
    return {
      config: config ?? configOf(place, id),
      checkpoint,
      metadata: (await load(this.serde, stored.metadata)) as CheckpointMetadata,
      pendingWrites,
      ...(stored.parent === null ? {} : { parentConfig: configOf(place, stored.parent) }),
    };
  }

  async #value(place: Place, raw: RawTuple, value: TakenApart | StoredValue): Promise<unknown> {
    if (value.kind === 'value') return load(this.serde, value.dumped);
    if (value.kind === 'message') return this.#message(place, raw, value.digest);
    if (value.kind !== 'list' || !('digests' in value)) return undefined;
    const messages: BaseMessage[] = [];
    for (const digest of value.digests) messages.push(await this.#message(place, raw, digest));
    return messages;
  }

  async #message(place: Place, { messages }: RawTuple, digest: string): Promise<BaseMessage> {
    const dumped = messages.get(digest);
    if (dumped === undefined)
      throw new Error(`IndexedDBSaver: a message of thread "${place.thread}" is missing.`);
    const message = (await load(this.serde, dumped)) as BaseMessage;
    this.#memory.remember(keyOf(place), message, digest);
    return message;
  }

  /** Checkpoints of LangGraph before its fourth format kept what a step sends among the writes of its parent. */
  async #addPendingSends(
    place: Place,
    raw: RawTuple,
    checkpoint: Checkpoint,
    writes: readonly StoredWrite[],
  ): Promise<void> {
    const sends = writes.filter(({ channel }) => channel === TASKS);
    checkpoint.channel_values[TASKS] = await Promise.all(
      sends.map(({ value }) => this.#value(place, raw, value)),
    );
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  #placeOf(config: RunnableConfig): Place | null {
    const thread = textOf(config, 'thread_id');
    if (thread === undefined) return null;
    return {
      user: textOf(config, 'user_id') ?? this.user,
      thread,
      namespace: textOf(config, 'checkpoint_ns', true) ?? '',
    };
  }

  #requirePlace(config: RunnableConfig, what: string): Place {
    const place = this.#placeOf(config);
    if (place !== null) return place;
    throw new Error(
      `IndexedDBSaver: no ${what} without a thread. Run the graph with { configurable: { thread_id: "…" } }.`,
    );
  }
}

function configOf({ thread, namespace, user }: Place, id: string): RunnableConfig {
  const ofUser = user === DEFAULT_USER ? {} : { user_id: user };
  return { configurable: { ...ofUser, thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}

function textOf(config: RunnableConfig, key: string, isEmptyAllowed = false): string | undefined {
  const value: unknown = config.configurable?.[key];
  return typeof value === 'string' && (isEmptyAllowed || value !== '') ? value : undefined;
}

function matches(
  metadata: CheckpointMetadata | undefined,
  filter: Record<string, unknown> | undefined,
): boolean {
  return Object.entries(filter ?? {}).every(([key, value]) => Reflect.get(metadata ?? {}, key) === value);
}
