// The live conversation as a body of sources: what is remembered of each message, and how it answers a query.
import { isOwnResult, type OwnCalls, ownArgumentRanges, withBlanks } from './echo.js';
import { type Excerpt, excerptOf } from './excerpt.js';
import { ACTIVE_RECORD_CHARS } from './limits.js';
import { matchText, type SearchableText, searchableText } from './match.js';
import { extractRecord, type Message, type SourceId, type SourceRecord } from './message.js';
import type { ParsedQuery } from './query.js';
import { type Candidate, type CorpusStatistics, statisticsOf } from './rank.js';
import { sliceChars } from './text.js';

/** A message of the live conversation that is a source. */
export interface ActiveSource {
  readonly record: SourceRecord;
  /** Place of the message in the conversation, from zero. */
  readonly position: number;
}

/** A live source that matches a query, ready to be scored together with the archive's. */
export interface ActiveCandidate extends Candidate {
  readonly record: SourceRecord;
  /** The record's text as it is searched: arguments of calls to our own tools are blanks. */
  readonly searchedText: string;
}

export interface ActiveMatches {
  readonly candidates: readonly ActiveCandidate[];
  /** Over all live sources, whether they match or not. */
  readonly statistics: CorpusStatistics;
}

/**
 * Waits for the page whenever its turn has come; called between two messages, so that a long conversation never
 * keeps the page from answering.
 */
export type Breathe = () => Promise<void> | void;

interface Remembered {
  readonly record: SourceRecord | null;
  /** Prepared texts by the positions of the calls that are blanked in them. */
  readonly searchable: Map<string, { readonly text: string; readonly prepared: SearchableText }>;
}

const remembered = new WeakMap<Message, Remembered>();

/** The live sources in the conversation's order. What is known of a message is kept as long as the message is. */
export async function activeSources(
  messages: readonly Message[],
  breathe: Breathe,
): Promise<readonly ActiveSource[]> {
  const sources: ActiveSource[] = [];
  for (const [position, message] of messages.entries()) {
    if (isOwnResult(message)) continue;
    if (!remembered.has(message)) await breathe();
    const { record } = remember(message);
    if (record !== null) sources.push({ record, position });
  }
  return sources;
}

/** The live sources that hold something of the query, in the conversation's order. */
export async function matchActive(
  messages: readonly Message[],
  sources: readonly ActiveSource[],
  query: ParsedQuery,
  own: OwnCalls,
  breathe: Breathe,
): Promise<ActiveMatches> {
  const candidates: ActiveCandidate[] = [];
  const counted: { counts: readonly number[]; words: number }[] = [];
  const noCounts = query.terms.map(() => 0);
  for (const { record, position } of sources) {
    await breathe();
    const message = messages[position];
    if (message === undefined) continue;
    const { text, prepared } = searchedText(message, record, own);
    const match = matchText(prepared, query);
    counted.push({ counts: match?.counts ?? noCounts, words: prepared.words });
    if (match !== null) candidates.push({ ...match, position, record, searchedText: text });
  }
  return { candidates, statistics: statisticsOf(counted, query.terms.length) };
}

/** The excerpt of a live source: located where it is searched, cut from what can be read. */
export function activeExcerpt(
  { record, searchedText: text }: Pick<ActiveCandidate, 'record' | 'searchedText'>,
  query: ParsedQuery,
): Excerpt {
  const found = excerptOf(text, query, 'substring');
  return { ...found, excerpt: sliceChars(record.text, found.excerpt_start, found.excerpt_end) };
}

/** Ids as the archive takes them: 16 bytes each. */
export function packIds(ids: Iterable<SourceId>): Uint8Array {
  const all = [...ids];
  const packed = new Uint8Array(all.length * 16);
  let at = 0;
  for (const id of all) {
    for (let digit = 1; digit < id.length; digit += 2) {
      packed[at] = Number.parseInt(id.slice(digit, digit + 2), 16);
      at += 1;
    }
  }
  return packed;
}

function remember(message: Message): Remembered {
  const known = remembered.get(message);
  if (known !== undefined) return known;
  const made: Remembered = { record: extractRecord(message, ACTIVE_RECORD_CHARS), searchable: new Map() };
  remembered.set(message, made);
  return made;
}

function searchedText(
  message: Message,
  record: SourceRecord,
  own: OwnCalls,
): { readonly text: string; readonly prepared: SearchableText } {
  const { searchable } = remember(message);
  const blanked = message.tool_calls
    .map((call, index) => (own.has(call) ? index : -1))
    .filter((at) => at >= 0);
  const name = blanked.join();
  const known = searchable.get(name);
  if (known !== undefined) return known;
  const text = withBlanks(record.text, ownArgumentRanges(message, own));
  const made = { text, prepared: searchableText(text) };
  searchable.set(name, made);
  return made;
}
