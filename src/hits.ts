// What a search or a read shows of a source: the record, where in it, and how old it is.
import { type ActiveCandidate, type ActiveSource, activeExcerpt, type Breathe } from './core/active.js';
import type { Excerpt } from './core/excerpt.js';
import { READ_PAGE_CHARS, SEARCH_HITS } from './core/limits.js';
import type { Role, SourceId, SourceRecord } from './core/message.js';
import type { ParsedQuery } from './core/query.js';
import { type CorpusStatistics, scoreCandidates } from './core/rank.js';
import { charLength, sliceChars } from './core/text.js';
import type { ArchiveHit, StoredPage } from './protocol.js';

/** Where a source was found, and what helps to judge its age. */
export type SourceOrigin =
  | {
      readonly origin: 'active';
      /** Place of the message in the conversation, from one. */
      readonly position: number;
      readonly conversation_length: number;
    }
  | {
      readonly origin: 'archive';
      /** When it left the context; ISO 8601 in UTC. */
      readonly archived_at: string;
      /** The same, told from now: `3 hours ago`. */
      readonly archived: string;
    };

export type SearchHit = Omit<SourceRecord, 'text'> & Excerpt & SourceOrigin;

export type SourcePage = SourceRecord & { readonly next_offset: number | null } & SourceOrigin;

/** What both halves of a history hold for one query, scored under the statistics of both. */
export interface Matches {
  readonly candidates: readonly ActiveCandidate[];
  readonly archived: readonly ArchiveHit[];
  readonly statistics: CorpusStatistics;
  readonly query: ParsedQuery;
  readonly role: Role | null;
  readonly conversationLength: number;
}

/**
 * Places among the eight that go to live messages when enough of them match nearly as well: a full archive must
 * not hide a newer correction, and the question that is being answered matches itself.
 */
const LIVE_PLACES = 3;
/** Share of the eighth hit's score from which a live message matches nearly as well. */
const NEARLY = 1 / 3;

interface Ranked {
  readonly id: SourceId;
  readonly score: number;
  /** Among equal scores the newer comes first; archived hits keep the archive's order. */
  readonly recency: number;
  readonly isLive: boolean;
  readonly hit: () => SearchHit;
}

/** One ranked list of both halves: the best eight, no source twice, the live version first. */
export async function rankTogether(matches: Matches, breathe: Breathe): Promise<SearchHit[]> {
  const { candidates, archived, statistics, query, role, conversationLength } = matches;
  await breathe();
  const scores = scoreCandidates(candidates, statistics, query);
  await breathe();
  const live = bestLive(candidates, scores, role).map(
    ([candidate, score]): Ranked => ({
      id: candidate.record.id,
      score,
      recency: candidate.position,
      isLive: true,
      hit: () => activeHit(candidate, query, conversationLength),
    }),
  );
  const old = archived.map(
    (hit, index): Ranked => ({
      id: hit.id,
      score: hit.score,
      recency: -1 - index,
      isLive: false,
      hit: () => archivedHit(hit),
    }),
  );
  const ranked = withoutRepeats([...live, ...old].sort(bestFirst));
  const hits: SearchHit[] = [];
  for (const entry of withLivePlaces(ranked)) {
    // An excerpt is looked for in the whole of its source.
    await breathe();
    hits.push(entry.hit());
  }
  return hits;
}

type Scored = readonly [candidate: ActiveCandidate, score: number];

/**
 * The eight best distinct live candidates of a role, of perhaps ten thousand: only those that can be among them are
 * put in order.
 */
function bestLive(
  candidates: readonly ActiveCandidate[],
  scores: readonly number[],
  role: Role | null,
): readonly Scored[] {
  const best = new Map<SourceId, Scored>();
  let least = Number.NEGATIVE_INFINITY;
  // From the newest, so that of equal scores the newer stays.
  for (let index = candidates.length - 1; index >= 0; index -= 1) {
    const candidate = candidates[index];
    const score = scores[index] ?? 0;
    if (candidate === undefined || score <= least || (role !== null && candidate.record.role !== role))
      continue;
    const { id } = candidate.record;
    const known = best.get(id);
    if (known !== undefined && known[1] >= score) continue;
    best.set(id, [candidate, score]);
    if (best.size <= SEARCH_HITS) continue;
    const [weakest] = [...best].reduce((a, b) => (b[1][1] <= a[1][1] ? b : a));
    best.delete(weakest);
    least = Math.min(...[...best.values()].map((entry) => entry[1]));
  }
  return [...best.values()];
}

function withoutRepeats(ranked: readonly Ranked[]): readonly Ranked[] {
  const entryById = new Map<SourceId, Ranked>();
  for (const entry of ranked) {
    if (!entryById.has(entry.id)) entryById.set(entry.id, entry);
  }
  return [...entryById.values()];
}

const bestFirst = (a: Ranked, b: Ranked): number => b.score - a.score || b.recency - a.recency;

function withLivePlaces(ranked: readonly Ranked[]): readonly Ranked[] {
  const best = ranked.slice(0, SEARCH_HITS);
  const least = (best.at(-1)?.score ?? 0) * NEARLY;
  const missing = LIVE_PLACES - best.filter((entry) => entry.isLive).length;
  const further = ranked
    .slice(SEARCH_HITS)
    .filter((entry) => entry.isLive && entry.score >= least)
    .slice(0, Math.max(0, missing));
  if (further.length === 0) return best;
  const givingWay = new Set(best.filter((entry) => !entry.isLive).slice(-further.length));
  return [...best.filter((entry) => !givingWay.has(entry)), ...further];
}

function activeHit(candidate: ActiveCandidate, query: ParsedQuery, conversationLength: number): SearchHit {
  const { role, message_id, name, id, truncated } = candidate.record;
  return {
    role,
    message_id,
    name,
    id,
    truncated,
    ...activeExcerpt(candidate, query),
    origin: 'active',
    position: candidate.position + 1,
    conversation_length: conversationLength,
  };
}

function archivedHit(hit: ArchiveHit): SearchHit {
  const { role, message_id, name, id, truncated, excerpt, excerpt_start, excerpt_end, excerpt_match } = hit;
  return {
    role,
    message_id,
    name,
    id,
    truncated,
    excerpt,
    excerpt_start,
    excerpt_end,
    excerpt_match,
    ...archivedSince(hit.archivedAt),
  };
}

/** One page of a live source. */
export function activePage(source: ActiveSource, offset: number, conversationLength: number): SourcePage {
  const { record, position } = source;
  const next = offset + READ_PAGE_CHARS;
  return {
    ...record,
    text: sliceChars(record.text, offset, next),
    next_offset: next < charLength(record.text) ? next : null,
    origin: 'active',
    position: position + 1,
    conversation_length: conversationLength,
  };
}

/** One page of an archived source; null when the archive does not hold it. */
export function archivedPage({ record, nextOffset, archivedAt }: StoredPage): SourcePage | null {
  if (record === null) return null;
  return { ...record, next_offset: nextOffset, ...archivedSince(archivedAt ?? 0) };
}

function archivedSince(archivedAt: number): SourceOrigin {
  return {
    origin: 'archive',
    archived_at: new Date(archivedAt).toISOString(),
    archived: toldFromNow(Date.now() - archivedAt),
  };
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function toldFromNow(elapsedMs: number): string {
  for (const [unit, length] of UNITS) {
    const count = Math.floor(elapsedMs / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  }
  return 'less than a minute ago';
}
