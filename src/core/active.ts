// The live conversation as a body of sources: what is remembered of each message, and how it answers a query.
import { BLOCK_TEXTS, type Block, blockBuilder, matchBlock } from './block.js';
import { isOwnResult, type OwnCalls, ownArgumentRanges, withBlanks } from './echo.js';
import { type Excerpt, excerptOf } from './excerpt.js';
import { ACTIVE_RECORD_CHARS } from './limits.js';
import { matchText, type SearchableText, searchableText, type TextMatch } from './match.js';
import { extractRecord, type Message, type SourceId, type SourceRecord, type ToolCall } from './message.js';
import type { ParsedQuery } from './query.js';
import type { Candidate, CorpusStatistics } from './rank.js';
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
  prepared: Prepared | null;
  /** For messages with calls to our own tools: the same by the positions of those calls. */
  readonly preparedByCalls: Map<string, Prepared>;
}

interface Prepared {
  /** The text as it is searched. */
  readonly text: string;
  /** Made with the first search that needs it; null again once a block stands for it. */
  searchable: SearchableText | null;
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
  const documentFrequency = query.terms.map(() => 0);
  let documents = 0;
  let words = 0;
  const take = (searched: Searched | undefined, match: TextMatch | null, length: number): void => {
    documents += 1;
    words += length;
    if (match === null || searched === undefined) return;
    const { counts, substrings } = match;
    for (let term = 0; term < counts.length; term += 1) {
      if ((counts[term] ?? 0) > 0) documentFrequency[term] = (documentFrequency[term] ?? 0) + 1;
    }
    const { record, position } = searched.source;
    const searchedText = searched.prepared.text;
    candidates.push({ counts, words: length, substrings, position, record, searchedText });
  };
  let part: Searched[] = [];
  for (const source of sources) {
    const pause = breathe();
    if (pause !== undefined) await pause;
    const message = messages[source.position];
    if (message === undefined) continue;
    if (part.length > 0 && (beginsBlock(source.record) || part.length === BLOCK_TEXTS)) {
      const block = await blockOf(part, breathe);
      for (const [index, match] of matchBlock(block, query).entries()) {
        take(part[index], match, block.texts[index]?.words ?? 0);
      }
      part = [];
    }
    part.push({ source, prepared: prepared(message, source.record, own) });
  }
  // The last ones will soon have others beside them: no index is made for so long.
  for (const searched of part) {
    const pause = breathe();
    if (pause !== undefined) await pause;
    const searchable = searchableOf(searched.prepared);
    take(searched, matchText(searchable, query), searchable.words);
  }
  return { candidates, statistics: { documents, words, documentFrequency } };
}

interface Searched {
  readonly source: ActiveSource;
  readonly prepared: Prepared;
}

/**
 * About one source in 128 begins a block. Known by the source alone: the same messages make the same blocks, however
 * many came before or were taken away.
 */
const beginsBlock = ({ id }: SourceRecord): boolean => id.endsWith('00') || id.endsWith('80');

const blocks = new WeakMap<Prepared, { readonly members: readonly Prepared[]; readonly block: Block }>();

async function blockOf(part: readonly Searched[], breathe: Breathe): Promise<Block> {
  const members = part.map((searched) => searched.prepared);
  const [first] = members;
  const known = first === undefined ? undefined : blocks.get(first);
  if (known?.members.length === members.length && known.members.every((one, at) => one === members[at]))
    return known.block;
  const builder = blockBuilder();
  for (const member of members) {
    const pause = breathe();
    if (pause !== undefined) await pause;
    builder.add(member.text);
    // The index says the same in less room.
    member.searchable = null;
  }
  const block = builder.build();
  if (first !== undefined) blocks.set(first, { members, block });
  return block;
}

function searchableOf(prepared: Prepared): SearchableText {
  prepared.searchable ??= searchableText(prepared.text);
  return prepared.searchable;
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
    memory.prepared ??= { text: record.text, searchable: null };
    return memory.prepared;
  }
  const name = ownCalls.map((call) => message.tool_calls.indexOf(call)).join();
  const known = memory.preparedByCalls.get(name);
  if (known !== undefined) return known;
  const text = withBlanks(record.text, ownArgumentRanges(message, own));
  const made: Prepared = { text, searchable: null };
  memory.preparedByCalls.set(name, made);
  return made;
}

const NONE: readonly ToolCall[] = [];
