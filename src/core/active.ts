// The live conversation as a body of sources: what is remembered of each message, and how it answers a query.
import { isOwnResult, type OwnCalls, ownArgumentRanges, withBlanks } from './echo.js';
import { type Excerpt, excerptOf } from './excerpt.js';
import { ACTIVE_RECORD_CHARS } from './limits.js';
import { matchText, type SearchableText, searchableText } from './match.js';
import { extractRecord, type Message, type SourceId, type SourceRecord, type ToolCall } from './message.js';
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
export type Breathe = () => Promise<void> | undefined;

interface Remembered {
  readonly record: SourceRecord | null;
  /** Made with the first search that comes by. */
  prepared: Prepared | null;
  /** For messages with calls to our own tools: the same by the positions of those calls. */
  readonly preparedByCalls: Map<string, Prepared>;
}

interface Prepared {
  readonly text: string;
  readonly searchable: SearchableText;
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
    const pause = remembered.has(message) ? undefined : breathe();
    if (pause !== undefined) await pause;
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
  const counted: { readonly counts: readonly number[]; readonly words: number }[] = [];
  const noCounts = query.terms.map(() => 0);
  for (const { record, position } of sources) {
    const pause = breathe();
    if (pause !== undefined) await pause;
    const message = messages[position];
    if (message === undefined) continue;
    const { text, searchable } = prepared(message, record, own);
    const match = matchText(searchable, query);
    if (match === null) {
      counted.push({ counts: noCounts, words: searchable.words });
      continue;
    }
    const { counts, words, substrings } = match;
    const candidate = { counts, words, substrings, position, record, searchedText: text };
    counted.push(candidate);
    candidates.push(candidate);
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
export function packIds(ids: readonly SourceId[]): Uint8Array {
  const packed = new Uint8Array(ids.length * 16);
  for (const [index, id] of ids.entries()) {
    for (let byte = 0; byte < 16; byte += 1) {
      packed[index * 16 + byte] = hexDigit(id, 1 + byte * 2) * 16 + hexDigit(id, 2 + byte * 2);
    }
  }
  return packed;
}

function hexDigit(id: string, at: number): number {
  const unit = id.charCodeAt(at);
  return unit < 0x40 ? unit - 0x30 : unit - 0x57;
}

function remember(message: Message): Remembered {
  const known = remembered.get(message);
  if (known !== undefined) return known;
  const record = extractRecord(message, ACTIVE_RECORD_CHARS);
  const made: Remembered = { record, prepared: null, preparedByCalls: new Map() };
  remembered.set(message, made);
  return made;
}

function prepared(message: Message, record: SourceRecord, own: OwnCalls): Prepared {
  const memory = remember(message);
  const ownCalls =
    message.tool_calls.length === 0 ? NONE : message.tool_calls.filter((call) => own.has(call));
  if (ownCalls.length === 0) {
    memory.prepared ??= { text: record.text, searchable: searchableText(record.text) };
    return memory.prepared;
  }
  const name = ownCalls.map((call) => message.tool_calls.indexOf(call)).join();
  const known = memory.preparedByCalls.get(name);
  if (known !== undefined) return known;
  const text = withBlanks(record.text, ownArgumentRanges(message, own));
  const made = { text, searchable: searchableText(text) };
  memory.preparedByCalls.set(name, made);
  return made;
}

const NONE: readonly ToolCall[] = [];
