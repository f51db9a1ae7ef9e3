// Looking into a thread's history: its live messages and its archive, as one.
import { createBreathe } from './breathe.js';
import { activeSources, matchActive, packIds } from './core/active.js';
import { scopeDigest } from './core/digest.js';
import { ownCallsOf } from './core/echo.js';
import {
  type HistoryReason,
  type HistoryStatus,
  lookupStatus,
  normalizeHistory,
  reachableBatches,
  type TaskHistory,
} from './core/history.js';
import type { BatchId, Message, Role, SourceId } from './core/message.js';
import { isSourceId } from './core/notes.js';
import { parseQuery } from './core/query.js';
import { type CorpusStatistics, mergeStatistics } from './core/rank.js';
import { wellFormed } from './core/text.js';
import { activePage, archivedPage, rankTogether, type SearchHit, type SourcePage } from './hits.js';
import type { Archive, Reply, Scope } from './protocol.js';

/** What a lookup may see: one checkpoint's messages and references, for one user's thread. */
export interface HistoryView {
  /** Null when the run names no thread. */
  readonly scope: Scope | null;
  /** The checkpoint's value of the history channel, as it stands there. */
  readonly history: unknown;
  /** All messages of the checkpoint. */
  readonly messages: readonly Message[];
  /** Ids of calls in the last assistant message that go to our tools and have no result yet. */
  readonly pendingOwnCalls?: ReadonlySet<string>;
}

/** As a model asked it; nothing of it is trusted. */
export interface SearchRequestGiven {
  readonly query: unknown;
  /** `user`, `assistant`, `tool`, or null for all. */
  readonly role?: unknown;
}

/** As a model asked it; nothing of it is trusted. */
export interface ReadRequestGiven {
  readonly id: unknown;
  readonly offset?: unknown;
}

export type SearchOutcome =
  | {
      readonly kind: 'results';
      readonly results: readonly SearchHit[];
      readonly status: HistoryStatus | 'empty_query';
      readonly reason?: HistoryReason;
    }
  | { readonly kind: 'error'; readonly error: 'invalid_role' | 'scope_unavailable' };

export type ReadOutcome =
  | {
      readonly kind: 'page';
      readonly page: SourcePage;
      readonly status: HistoryStatus;
      readonly reason?: HistoryReason;
    }
  | { readonly kind: 'error'; readonly error: 'invalid_source_or_offset' | 'scope_unavailable' }
  | {
      readonly kind: 'error';
      readonly error: 'source_unavailable';
      readonly status: HistoryStatus;
      readonly reason?: HistoryReason;
    };

export type SourceCheck =
  | { readonly kind: 'readable' }
  | { readonly kind: 'error'; readonly error: 'scope_unavailable' }
  | {
      readonly kind: 'error';
      readonly error: 'source_unavailable';
      readonly source_id: SourceId;
      readonly reason?: HistoryReason;
    };

const ROLES: ReadonlyMap<unknown, Role | null> = new Map<unknown, Role | null>([
  [null, null],
  [undefined, null],
  ['user', 'human'],
  ['assistant', 'ai'],
  ['tool', 'tool'],
]);

/**
 * Searches live messages and reachable archive as one ranked list: at most eight distinct sources, best first.
 *
 * The live version of a source wins. Losing the archive loses nothing that is still in the checkpoint. Never
 * throws; a match is no evidence that the text is true.
 */
export async function searchHistory(
  archive: Archive,
  view: HistoryView,
  request: SearchRequestGiven,
): Promise<SearchOutcome> {
  const role = ROLES.get(request.role);
  if (role === undefined) return { kind: 'error', error: 'invalid_role' };
  if (view.scope === null) return { kind: 'error', error: 'scope_unavailable' };
  const query = parseQuery(typeof request.query === 'string' ? request.query : '');
  if (query.terms.length === 0) return { kind: 'results', results: [], status: 'empty_query' };

  const breathe = createBreathe();
  const sources = await activeSources(view.messages, breathe);
  const own = ownCallsOf(view.messages, view.pendingOwnCalls);
  const active = await matchActive(view.messages, sources, query, own, breathe);
  await breathe();
  const found = await askArchive(view, view.scope, (scope, batches) =>
    archive.search(scope, batches, {
      text: typeof request.query === 'string' ? wellFormed(request.query) : '',
      role,
      activeIds: packIds(sources.map((source) => source.record.id)),
      activeStatistics: active.statistics,
    }),
  );
  const matches = {
    candidates: active.candidates,
    archived: found.value?.hits ?? [],
    statistics: mergeStatistics(active.statistics, found.value?.statistics ?? NO_STATISTICS),
    query,
    role,
    conversationLength: view.messages.length,
  };
  const results = await rankTogether(matches, breathe);
  return { kind: 'results', results, ...found.standing };
}

/**
 * Works out of live messages what a search will need of them, so that the first search of a long conversation need
 * not. Lets the page have its turn; does nothing for messages that are known. Never throws.
 */
export async function prepareHistory(messages: readonly Message[]): Promise<void> {
  const breathe = createBreathe();
  const sources = await activeSources(messages, breathe);
  await matchActive(messages, sources, parseQuery(''), ownCallsOf(messages), breathe);
}

const NO_STATISTICS: CorpusStatistics = { documents: 0, words: 0, documentFrequency: [] };

/**
 * Reads one page of a source: its live version when there is one, otherwise the version that was archived first.
 * Offsets are zero-based characters. Never throws.
 */
export async function readHistory(
  archive: Archive,
  view: HistoryView,
  request: ReadRequestGiven,
): Promise<ReadOutcome> {
  const { id, offset = 0 } = request;
  if (!isSourceId(id) || typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0) {
    return { kind: 'error', error: 'invalid_source_or_offset' };
  }
  if (view.scope === null) return { kind: 'error', error: 'scope_unavailable' };
  const source = (await activeSources(view.messages, createBreathe())).find((one) => one.record.id === id);
  if (source !== undefined) {
    // Asked for no id: only how much of the archive is left is wanted.
    const { standing } = await askArchive(view, view.scope, (scope, batches) =>
      archive.holds(scope, batches, []),
    );
    return { kind: 'page', page: activePage(source, offset, view.messages.length), ...standing };
  }
  const { value, standing } = await askArchive(view, view.scope, (scope, batches) =>
    archive.read(scope, batches, { id, offset }),
  );
  const page = value === null ? null : archivedPage(value);
  if (page === null) return { kind: 'error', error: 'source_unavailable', ...standing };
  return { kind: 'page', page, ...standing };
}

/** Whether sources can be read, in their order; the first that cannot is named. Never throws. */
export async function checkSources(
  archive: Archive,
  view: HistoryView,
  ids: readonly SourceId[],
): Promise<SourceCheck> {
  if (ids.length === 0) return { kind: 'readable' };
  if (view.scope === null) return { kind: 'error', error: 'scope_unavailable' };
  const sources = await activeSources(view.messages, createBreathe());
  const activeIds = new Set(sources.map((source) => source.record.id));
  const elsewhere = ids.filter((id) => !activeIds.has(id));
  if (elsewhere.length === 0) return { kind: 'readable' };
  const { value, standing } = await askArchive(view, view.scope, (scope, batches) =>
    archive.holds(scope, batches, elsewhere),
  );
  const held = new Set(value?.sources.map((source) => source.id));
  const missing = elsewhere.find((id) => !held.has(id));
  if (missing === undefined) return { kind: 'readable' };
  return {
    kind: 'error',
    error: 'source_unavailable',
    source_id: missing,
    ...(standing.reason === undefined ? {} : { reason: standing.reason }),
  };
}

interface Standing {
  readonly status: HistoryStatus;
  readonly reason?: HistoryReason;
}

/** Asks the archive, unless the checkpoint reaches nothing in it; answers with the status of SPEC 7 either way. */
async function askArchive<T extends { readonly batchesFound: number | null }>(
  view: HistoryView,
  scope: Scope,
  ask: (scope: Scope, batches: readonly BatchId[]) => Promise<Reply<T>>,
): Promise<{ readonly value: T | null; readonly standing: Standing }> {
  const history = normalizeHistory(view.history);
  const digest = scopeDigest(scope.user, scope.thread);
  const batches = reachableBatches(history, digest);
  const reply = batches.length === 0 ? null : await ask(scope, batches);
  const value = reply?.ok === true ? reply.value : null;
  const status = lookupStatus(history, digest, reply === null ? 0 : (value?.batchesFound ?? null));
  return { value, standing: { status, ...reasonOf(status, history, reply) } };
}

function reasonOf(
  status: HistoryStatus,
  history: TaskHistory | null,
  reply: Reply<unknown> | null,
): { readonly reason?: HistoryReason } {
  if (status !== 'unavailable') return {};
  const reason = reply?.ok === false ? reply.failure : history?.reason;
  return reason === undefined ? {} : { reason };
}
