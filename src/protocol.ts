// The one typed boundary between the page and the worker: plain data out, plain data back, failures as values.

import type { CharRange } from './core/echo.js';
import type { Excerpt } from './core/excerpt.js';
import type { BatchId, Message, Role, SourceId, SourceRecord } from './core/message.js';
import type { CorpusStatistics } from './core/rank.js';

/** Raised with every change of this file that an older worker or page would misread. */
export const PROTOCOL_VERSION = 3;

/** Whose archive. Both are free strings; only their hashes reach the file system. */
export interface Scope {
  readonly user: string;
  readonly thread: string;
}

/**
 * Why an archive could not do what was asked:
 * - `quota`: the browser gives no more room.
 * - `ceiling`: the batch alone is larger than a whole archive may be.
 * - `locked`: another tab held the thread beyond the deadline.
 * - `corrupt`: the file is damaged, or is not ours.
 * - `unsupported`: no worker, WebAssembly or storage, or another version of the package wrote the file.
 * - `worker-lost`: the worker died; the next call starts a new one.
 * - `deadline`: no answer in time.
 * - `internal`: anything else; `detail` says what.
 */
export type ArchiveFailure =
  | 'quota'
  | 'ceiling'
  | 'locked'
  | 'corrupt'
  | 'unsupported'
  | 'worker-lost'
  | 'deadline'
  | 'internal';

/** Comlink keeps only an error's name, message and stack, so failures cross as values. `detail` is for logs. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ArchiveFailure; readonly detail: string };

export interface Retention {
  /** Batches kept in a thread's archive; the oldest go first. */
  readonly maxBatches: number;
  /** Records kept of one capture: the last ones; the rest is counted as omitted. */
  readonly maxRecordsPerBatch: number;
  /** Characters kept of one record. */
  readonly maxRecordChars: number;
}

export interface CaptureRequest {
  /** Messages to extract, or records that were extracted (and redacted) already, in conversation order. */
  readonly sources: { readonly messages: readonly Message[] } | { readonly records: readonly SourceRecord[] };
  readonly retention: Retention;
  /** Sources that stand whole in one of these batches are left out. Empty: nothing is left out. */
  readonly known: readonly BatchId[];
  /** Parts of a source's text that are kept but not searched, by source id; half-open characters. */
  readonly unsearched?: Readonly<Record<string, readonly CharRange[]>>;
  /**
   * When the run began whose messages these are, in milliseconds since 1970. A run that began before its thread was
   * forgotten is refused, so that nothing brings a deleted thread back.
   *
   * @default now
   */
  readonly runBeganAt?: number;
}

export interface CaptureReceipt {
  /** The batch written or refreshed; null when there was nothing to write. */
  readonly batch: BatchId | null;
  readonly stored: number;
  /** Records beyond `maxRecordsPerBatch` that were left out, oldest first. */
  readonly omitted: number;
  /** Batches removed to make room. References to them may still stand in checkpoints. */
  readonly evicted: readonly BatchId[];
}

export interface ArchiveQuery {
  /** The query as the model wrote it; the core's tokenizer reads it on both sides. */
  readonly text: string;
  readonly role: Role | null;
  /** Ids of the live conversation, 16 bytes each: they are left out, for the live version wins. */
  readonly activeIds: Uint8Array;
  /** Word statistics of the live conversation, so that both halves are scored on one scale. */
  readonly activeStatistics: CorpusStatistics;
}

export interface ArchiveHit extends Excerpt {
  readonly role: Role;
  readonly message_id: string | null;
  readonly name: string | null;
  readonly id: SourceId;
  readonly truncated: boolean;
  /** Comparable with scores of the live conversation for the same query. */
  readonly score: number;
  /** When the batch was captured, in milliseconds since 1970. */
  readonly archivedAt: number;
}

export interface ArchiveMatches {
  /** Best first, at most eight, distinct ids. */
  readonly hits: readonly ArchiveHit[];
  readonly statistics: CorpusStatistics;
  /** How many of the asked batches the file still holds; null when the thread has no file. */
  readonly batchesFound: number | null;
}

export interface ReadRequest {
  readonly id: SourceId;
  /** First character of the page. */
  readonly offset: number;
}

export interface StoredPage {
  /** The record, with `text` cut to the page; null when no reachable batch holds the id. */
  readonly record: SourceRecord | null;
  /** Where the next page begins; null at the end. */
  readonly nextOffset: number | null;
  readonly archivedAt: number | null;
  /** As for a search. */
  readonly batchesFound: number | null;
}

export interface HeldSources {
  /** Of the ids asked for, those in a reachable batch, and whether their text is whole there. */
  readonly sources: readonly { readonly id: SourceId; readonly truncated: boolean }[];
  /** As for a search. */
  readonly batchesFound: number | null;
}

/** Asks for the sources of messages that a checkpoint no longer has. */
export interface SourcesRequest {
  /** Ids of messages, as the checkpoint knew them. */
  readonly messageIds: readonly string[];
  /** Characters of a source's text that are given. */
  readonly maxChars: number;
}

export interface ArchiveInfo {
  /** False for the in-memory archive that stands in where the browser has no OPFS. */
  readonly persistent: boolean;
  /** Why it is not persistent, for people; null when it is. */
  readonly reason: string | null;
  readonly protocolVersion: number;
}

/**
 * One bounded archive per thread. No call throws and none waits for ever. Batches travel with every call, so
 * an archive holds no session: rollback and fork need no word to it.
 */
export interface Archive {
  info(): Promise<Reply<ArchiveInfo>>;
  /** One write transaction: evicts what must go, inserts, indexes. All of it or nothing. */
  capture(scope: Scope, request: CaptureRequest): Promise<Reply<CaptureReceipt>>;
  search(scope: Scope, batches: readonly BatchId[], query: ArchiveQuery): Promise<Reply<ArchiveMatches>>;
  /** One page of a source as it stood when first stored. */
  read(scope: Scope, batches: readonly BatchId[], request: ReadRequest): Promise<Reply<StoredPage>>;
  holds(scope: Scope, batches: readonly BatchId[], ids: readonly SourceId[]): Promise<Reply<HeldSources>>;
  /** The asked sources in the order of their insertion, each once as it was first stored. */
  sources(
    scope: Scope,
    batches: readonly BatchId[],
    request: SourcesRequest,
  ): Promise<Reply<readonly SourceRecord[]>>;
  /**
   * Removes the thread's archive for good; runs that are under way archive nothing into it any more. One that was
   * interrupted is finished when a worker starts next. Succeeds when there is no archive.
   *
   * `before`, in milliseconds since 1970, finishes a deletion of that time: what was first captured later, for a
   * thread begun anew, stays.
   */
  forget(scope: Scope, before?: number): Promise<Reply<null>>;
}

/** A thread that has an archive. */
export interface ArchivedThread {
  readonly scope: Scope;
  /** What it takes on disk, in bytes, its journal and a damaged file that was set aside included. */
  readonly bytes: number;
}

export interface ArchiveList {
  /** In no particular order. */
  readonly threads: readonly ArchivedThread[];
  /** Bytes that the whole origin takes, as the browser estimates it; null where it does not tell. */
  readonly usage: number | null;
  /** Bytes that the browser would give the origin; null where it does not tell. */
  readonly quota: number | null;
}

export interface ArchivedBatch {
  readonly id: BatchId;
  /** When it was first captured, in milliseconds since 1970. */
  readonly capturedAt: number;
  readonly sources: number;
  /** UTF-8 bytes of the texts of its sources. */
  readonly bytes: number;
}

export interface ArchiveDetails {
  /** The oldest capture, which is the next to go, first. */
  readonly batches: readonly ArchivedBatch[];
  /** Pages of 4,096 bytes in use, and how many the file may have. */
  readonly pages: number;
  readonly ceilingPages: number;
}

export interface ImportReceipt {
  /** In the order of their insertion. */
  readonly batches: readonly BatchId[];
  /** What the file calls them, in the same order: other ids when it is another thread's. */
  readonly origins: readonly BatchId[];
  readonly sources: number;
}

/** What people do with whole archives, beside what an agent does in one. No call throws and none waits for ever. */
export interface ArchiveKeeper {
  /** The user's threads that have an archive, and the room that is left. */
  threads(user: string): Promise<Reply<ArchiveList>>;
  /** What is in the thread's archive; null when it has none. */
  details(scope: Scope): Promise<Reply<ArchiveDetails | null>>;
  /** The archive as a database file in the interchange format of SPEC 6; null when the thread has none. */
  exportFile(scope: Scope): Promise<Reply<Uint8Array<ArrayBuffer> | null>>;
  /**
   * Replaces the thread's archive by what such a file holds. Everything is checked first: a file that is damaged,
   * another program's, or of another thread than `from` is `corrupt`, and changes nothing.
   *
   * `from` is whose file it is, by default the thread's own. Batches of another thread's get the ids that the same
   * records have in this one.
   */
  importFile(scope: Scope, file: Uint8Array, from?: Scope): Promise<Reply<ImportReceipt>>;
}

/** What a worker says of itself before anything else. */
export interface WorkerHello {
  readonly protocolVersion: number;
  /** Name of a Web Lock that the worker holds for its life; null where there are no Web Locks. */
  readonly lifeLock: string | null;
}

/** What the worker exposes to the page. */
export interface WorkerArchive extends Archive, ArchiveKeeper {
  hello(): Promise<WorkerHello>;
}
