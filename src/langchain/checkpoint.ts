// LangGraph checkpoints in IndexedDB: what a run has confirmed is there after a reload, a crash, or in another tab.
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import { promisifyRequest } from 'idb-keyval';
import { deletionKey, graphKey, nameOf, type Place, startingWith, tailOf } from './checkpoint-keys.js';
import { CheckpointMemory, type KnownObject, snapshotOf } from './checkpoint-memory.js';
import {
  configOf,
  idOf,
  placeOf,
  requirePlace,
  type ThreadName,
  textOf,
  threadOf,
} from './checkpoint-places.js';
import {
  epochOf,
  type RawCheckpoint,
  readCheckpoint,
  readMark,
  readRow,
  type PendingWrite as StoredWrite,
} from './checkpoint-rows.js';
import { RunStarts } from './checkpoint-runs.js';
import { type ThinOptions, thinThread } from './checkpoint-thin.js';
import {
  listThreads,
  removeThread,
  renameThread,
  type StoredThread,
  type UnfinishedDeletion,
  unfinishedDeletions,
} from './checkpoint-threads.js';
import { putThread, readThread, type TransferRow } from './checkpoint-transfer.js';
import { Loading, lengthOf, listName, Taking, toRow } from './checkpoint-values.js';
import { checkpointRow, commit, type Writing } from './checkpoint-write.js';
import { DEFAULT_USER, identify } from './identity.js';
import { type OpenStore, openStore } from './indexeddb-store.js';
import { type LeaseOptions, type LeaseOutcome, leaseThread } from './run-lease.js';

export interface IndexedDBSaverOptions {
  /** The user of runs that name none; `local` by default. */
  readonly user?: string;
  /** Name of the database; `threadkeep` by default. */
  readonly database?: string;
  /** LangGraph's own by default. */
  readonly serde?: SerializerProtocol;
}

/**
 * A checkpoint saver for agents in the browser.
 *
 * What is large is stored once per thread, however many checkpoints hold it: messages, long texts, images, long lists;
 * and a longer list shares nearly all of its storage with the shorter one. Each call that writes is one transaction,
 * on disk when it resolves and without a trace when it rejects. Channel versions carry a random suffix: two branches
 * of one checkpoint never read each other's values.
 *
 * The user comes from the run's `context.user_id`, else `configurable.user_id`, else the option. Calls reject with an
 * `Error` that says what to do when there is no IndexedDB, no room, or another version's database, and when the run's
 * thread was deleted while it was going on.
 */
export class IndexedDBSaver extends BaseCheckpointSaver {
  readonly user: string;
  readonly #store: OpenStore;
  readonly #memory = new CheckpointMemory();
  readonly #runs = new RunStarts();

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
    // Short, because every checkpoint names the versions of all its channels, some of them twice.
    const version: unknown = `${String(count + 1).padStart(7, '0')}.${random.toString(36)}`;
    return version as number;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const place = placeOf(config, this.user);
    if (place === null) return undefined;
    const [mark, raw] = await this.#store.use('readonly', (store) =>
      Promise.all([readMark(store, place), readCheckpoint(store, place, idOf(config) ?? null)]),
    );
    this.#runs.note(config, nameOf(place), mark);
    if (raw === null) return undefined;
    const loading = new Loading(this.serde);
    const tuple = await this.#tuple(place, raw, loading);
    this.#remember(place, epochOf(mark), raw, loading);
    return tuple;
  }

  /**
   * Checkpoints of a thread, or of all threads of a user, the newest first. A message that several of them hold is
   * one object in all of them.
   */
  override async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { before, filter, limit = Number.POSITIVE_INFINITY } = options;
    const places = await this.#listed(config, before);
    const loading = new Loading(this.serde);
    let left = limit;
    for (const { id, ...place } of places) {
      if (left <= 0) return;
      if (filter !== undefined && !(await this.#matches(place, id, filter))) continue;
      const known = new Set(loading.loaded.keys());
      const raw = await this.#store.use('readonly', (store) => readCheckpoint(store, place, id, known));
      // It was deleted since the list was made.
      if (raw === null) continue;
      left -= 1;
      yield await this.#tuple(place, raw, loading);
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const place = requirePlace(config, this.user, 'checkpoint');
    const { channel_values: values } = checkpoint;
    await this.#write(config, place, async (taking) => {
      const rows: [IDBValidKey[], unknown][] = [];
      let messages: number | null = null;
      for (const [channel, version] of Object.entries(newVersions ?? {})) {
        // A channel without a value has no row; of one that holds null the checkpoint tells.
        if (!Object.hasOwn(values, channel) || values[channel] === null) continue;
        const value = await taking.value(channel, values[channel]);
        rows.push([graphKey('blob', place, channel, version), toRow(value) ?? value]);
        if (channel === 'messages' && place.namespace === '') messages = lengthOf(value);
      }
      const [type, bytes] = await this.serde.dumpsTyped(metadata);
      const row = checkpointRow(checkpoint, idOf(config) ?? null, metadata, { type, bytes });
      rows.push([graphKey('checkpoint', place, checkpoint.id), row]);
      return { rows, writes: [], taking, parent: row.parent, messages, isCheckpoint: true };
    });
    return configOf(this.user, place, checkpoint.id);
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const place = requirePlace(config, this.user, 'writes');
    const id = idOf(config);
    if (id === undefined) {
      throw new Error('IndexedDBSaver: writes need a "checkpoint_id" in the config’s "configurable".');
    }
    await this.#write(config, place, async (taking) => {
      const rows: Writing['writes'][number][] = [];
      for (const [at, [channel, value]] of writes.entries()) {
        const index = WRITES_IDX_MAP[channel] ?? at;
        const stored = toRow(await taking.value(channel, value));
        const row = { channel, taskPath, ...(stored === undefined ? {} : { value: stored }) };
        // A task that runs again does not write again; its errors and interrupts take the place of the former ones.
        rows.push({ key: graphKey('write', place, id, taskId, index), row, replaces: index < 0 });
      }
      return { rows: [], writes: rows, taking, parent: null, messages: null, isCheckpoint: false };
    });
  }

  /**
   * Removes all that is stored of a thread, and nothing else. A run that is still going on, in this tab or another,
   * brings nothing back: its next write is refused. A run that begins later may use the id again. The function
   * `deleteThread` deletes the archive too, and keeps the deletion known as unfinished until that is done.
   */
  override async deleteThread(thread: ThreadName, { isUnfinished = false } = {}): Promise<void> {
    const place = threadOf(thread, this.user);
    const epoch = await this.#store.use('readwrite', (store) => removeThread(store, place, isUnfinished));
    this.#memory.of(nameOf(place), epoch);
  }

  /** For `finishDeletions`: threads, of all users, whose deletion was interrupted. */
  async unfinishedDeletions(): Promise<readonly UnfinishedDeletion[]> {
    return this.#store.use('readonly', unfinishedDeletions);
  }

  /** Forgets that a deletion was unfinished. */
  async settleDeletion(thread: ThreadName): Promise<void> {
    const place = threadOf(thread, this.user);
    await this.#store.use('readwrite', async (store) => void store.delete(deletionKey(place)));
  }

  /** The threads of a user, the newest first. */
  async threads({ user = this.user }: { readonly user?: string } = {}): Promise<readonly StoredThread[]> {
    return this.#store.use('readonly', (store) => listThreads(store, user));
  }

  /** For `exportThread`: all that is stored of a thread; null when nothing is. */
  async rowsOf(thread: ThreadName): Promise<readonly TransferRow[] | null> {
    const place = threadOf(thread, this.user);
    return this.#store.use('readonly', (store) => readThread(store, place));
  }

  /** For `importThread`: stores rows as a thread, or nothing when it exists and is not to be replaced. */
  async putRows(thread: ThreadName, rows: readonly TransferRow[], isReplacing: boolean): Promise<boolean> {
    const place = threadOf(thread, this.user);
    const epoch = await this.#store.use('readwrite', (store) => putThread(store, place, rows, isReplacing));
    if (epoch !== null) this.#memory.of(nameOf(place), epoch);
    return epoch !== null;
  }

  /** Gives a thread a title; null takes it away. False when no checkpoint of the thread is stored. */
  async rename(thread: ThreadName, title: string | null): Promise<boolean> {
    const place = threadOf(thread, this.user);
    return this.#store.use('readwrite', (store) => renameThread(store, place, title));
  }

  /**
   * Takes old checkpoints out of a thread, with all that only they hold: going back to them ends, nothing else. What
   * stays reads as before; what it needs of its ancestors stays too. Answers how many went. A run that goes on from a
   * checkpoint that went is refused its next write. Throws a `RangeError` when `keepLast` is no whole number from 1 on.
   */
  async thin(thread: ThreadName, options: ThinOptions): Promise<number> {
    const place = threadOf(thread, this.user);
    const { removed, epoch } = await this.#store.use('readwrite', (store) =>
      thinThread(store, place, options),
    );
    this.#memory.of(nameOf(place), epoch);
    return removed;
  }

  /**
   * Says that this tab is going to run a thread, so that two tabs that do are noticed. The lease is renewed by itself
   * until it is released, and runs out some seconds after its tab has died. It binds nobody: runs of two tabs that do
   * not ask are branches that never mix. Rejects with the signal's reason when that ends the waiting.
   */
  async lease(thread: ThreadName, options: LeaseOptions): Promise<LeaseOutcome> {
    return leaseThread(
      this.#store.use,
      { ...threadOf(thread, this.user), namespace: '' },
      this.user,
      options,
    );
  }

  /** Closes the database; the next call opens it again. */
  async close(): Promise<void> {
    await this.#store.close();
  }

  /** Makes rows and writes them; once more when, in between, something that they rely on was removed. */
  async #write(
    config: RunnableConfig,
    place: Place,
    prepare: (taking: Taking) => Promise<Writing>,
  ): Promise<void> {
    const name = nameOf(place);
    const start = this.#runs.of(config, name);
    for (;;) {
      const memory = this.#memory.of(name);
      const writing = await prepare(new Taking(this.serde, this.#memory, memory, place.namespace));
      const { epoch, isWritten } = await this.#store.use('readwrite', (store) =>
        commit(store, place, writing, { epoch: memory.epoch, start }),
      );
      if (isWritten) {
        memory.epoch ??= epoch;
        writing.taking.remember();
        return;
      }
      this.#memory.of(name, epoch);
    }
  }

  async #listed(
    config: RunnableConfig,
    before: RunnableConfig | undefined,
  ): Promise<readonly (Place & { readonly id: string })[]> {
    const { user } = identify(config, { user: this.user });
    const thread = textOf(config, 'thread_id');
    const namespace = textOf(config, 'checkpoint_ns', true);
    const [only, below] = [idOf(config), before === undefined ? undefined : idOf(before)];
    const range = startingWith('checkpoint', user, ...(thread === undefined ? [] : [thread]));
    const keys = await this.#store.use('readonly', (store) => promisifyRequest(store.getAllKeys(range)));
    return keys
      .map((key) => {
        const [ofThread = '', ofNamespace = '', id = ''] = tailOf(key, 3);
        return { user, thread: ofThread, namespace: ofNamespace, id };
      })
      .filter(({ namespace: one, id }) => (namespace ?? one) === one && (only ?? id) === id)
      .filter(({ id }) => below === undefined || id < below)
      .sort((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
  }

  async #matches(place: Place, id: string, filter: Record<string, unknown>): Promise<boolean> {
    const row = await this.#store.use('readonly', (store) => readRow(store, place, id));
    if (row === undefined) return false;
    const metadata: unknown = await this.serde.loadsTyped(row.metadata.type, row.metadata.bytes);
    return Object.entries(filter).every(([key, value]) => Reflect.get(Object(metadata), key) === value);
  }

  async #tuple(place: Place, raw: RawCheckpoint, loading: Loading): Promise<CheckpointTuple> {
    const { id, row, values, writes, gathered } = raw;
    const checkpoint: Checkpoint = {
      v: row.format,
      id,
      ts: row.ts,
      channel_values: {},
      channel_versions: row.versions,
      versions_seen: row.seen,
    };
    for (const [channel, value] of values) {
      checkpoint.channel_values[channel] = await loading.value(value, gathered);
    }
    if (row.format < 4 && row.parent !== null) await this.#addPendingSends(checkpoint, raw, loading);
    const pendingWrites: CheckpointPendingWrite[] = [];
    for (const { taskId, channel, value } of writes) {
      pendingWrites.push([taskId, channel, await loading.value(value, gathered)]);
    }
    return {
      config: configOf(this.user, place, id),
      checkpoint,
      metadata: await this.serde.loadsTyped(row.metadata.type, row.metadata.bytes),
      pendingWrites,
      ...(row.parent === null ? {} : { parentConfig: configOf(this.user, place, row.parent) }),
    };
  }

  /** Checkpoints of LangGraph before its fourth format kept what a step sends among the writes of its parent. */
  async #addPendingSends(
    checkpoint: Checkpoint,
    { parentWrites, gathered }: RawCheckpoint,
    loading: Loading,
  ): Promise<void> {
    const sends: unknown[] = [];
    for (const { value } of parentWrites.filter(({ channel }: StoredWrite) => channel === TASKS)) {
      sends.push(await loading.value(value, gathered));
    }
    checkpoint.channel_values[TASKS] = sends;
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  /** What was read need not be written again, and the lists that grow from those read share their nodes. */
  #remember(place: Place, epoch: string, { values, gathered }: RawCheckpoint, loading: Loading): void {
    const memory = this.#memory.of(nameOf(place), epoch);
    for (const digests of Object.values(gathered.digests())) for (const digest of digests) memory.add(digest);
    const known = new Map<string, KnownObject>();
    for (const [digest, message] of loading.loaded) {
      if (typeof message !== 'object' || message === null) continue;
      const object = { digest, snapshot: snapshotOf(message) };
      known.set(digest, object);
      this.#memory.remember(memory, message, object);
    }
    for (const [channel, { live = [] }] of values) {
      for (const hole of live) {
        if (!('messages' in hole) || hole.path.length > 0) continue;
        const levels = gathered.levels(hole.messages);
        const messages = (levels[0] ?? []).map((digest) => Object(loading.loaded.get(digest)));
        const objects = (levels[0] ?? []).flatMap((digest) => known.get(digest) ?? []);
        if (objects.length < messages.length) continue;
        memory.setList(listName(place.namespace, channel), { levels, messages, known: objects });
      }
    }
  }
}
