// The timeline of a conversation: the checkpoints at which a run had ended, on all branches.
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { coveredMessages, type IndexedDBSaver } from 'threadkeep/langchain';
import { cropped } from './marked.js';
import { STOPPED, visibleText } from './shown.js';
import { messagesOf, parentOf } from './tuples.js';

export interface Moment {
  readonly checkpoint: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly messages: number;
  /** The beginning of what the user said last; null when nothing was. */
  readonly said: string | null;
  /** How it came to be: an answer, one that was cut off or stopped, a compaction by hand or its undo, a recording. */
  readonly kind: 'answered' | 'cut-off' | 'stopped' | 'compacted' | 'undone' | 'recorded';
  /** True when the newest moment grew out of it, and for that one itself. */
  readonly isOnBranch: boolean;
}

/** How much of the user's words is kept, in UTF-16 units. */
const SAID_CHARS = 120;
/** Checkpoints looked at for one page of the timeline. A turn of the conversation makes four or more. */
export const CHECKPOINTS_PER_PAGE = 200;

interface Row {
  readonly id: string;
  readonly parent: string | null;
  readonly source: string;
  readonly at: number;
  readonly messages: readonly BaseMessage[];
  /** How many messages a summary stands for. */
  readonly covered: number;
  /** Equal for checkpoints between which nothing was compacted or pruned. */
  readonly compaction: string;
}

/**
 * Moments of a thread, the newest first, out of its last `limit` checkpoints. Where those end, a branch may seem to
 * begin: the page says that there is more.
 */
export async function momentsOf(
  saver: IndexedDBSaver,
  thread: string,
  limit = CHECKPOINTS_PER_PAGE,
): Promise<{ readonly moments: readonly Moment[]; readonly hasMore: boolean }> {
  const rows: Row[] = [];
  for await (const tuple of saver.list(
    { configurable: { thread_id: thread, checkpoint_ns: '' } },
    { limit: limit + 1 },
  ))
    rows.push(rowOf(tuple));
  return { moments: fromRows(rows.slice(0, limit)), hasMore: rows.length > limit };
}

function fromRows(rows: readonly Row[]): readonly Moment[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const children = new Map<string, Row[]>();
  for (const row of rows)
    if (row.parent !== null) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  const branch = new Set<string>();
  for (let at = rows[0]; at !== undefined; at = byId.get(at.parent ?? '')) branch.add(at.id);
  return rows
    .filter((row) => isMoment(row, children.get(row.id) ?? [], byId))
    .map((row) => ({
      checkpoint: row.id,
      at: row.at,
      messages: row.messages.length,
      said: saidLast(row.messages),
      kind: kindOf(row, byId),
      isOnBranch: branch.has(row.id),
    }));
}

/** A run had ended there, and the checkpoint is no mere step of writing: those say the same as their child. */
function isMoment(row: Row, children: readonly Row[], byId: ReadonlyMap<string, Row>): boolean {
  if (row.source === 'input') return false;
  if (children.some(({ source }) => source === 'loop')) return false;
  if (children.some((child) => child.source === 'update' && isSame(child, row))) return false;
  // Messages that were taken out before something else was said in their place.
  const before = originOf(row, byId);
  return !(children.length > 0 && before !== null && before.messages.length > row.messages.length);
}

/** The checkpoint that a written one grew out of, when nothing but messages differs; null for any other. */
function originOf(row: Row, byId: ReadonlyMap<string, Row>): Row | null {
  let at: Row | undefined = row;
  while (at?.source === 'update') at = byId.get(at.parent ?? '');
  return at === undefined || at === row || at.compaction !== row.compaction ? null : at;
}

function isSame(one: Row, other: Row): boolean {
  return one.messages.length === other.messages.length && one.compaction === other.compaction;
}

function kindOf(row: Row, byId: ReadonlyMap<string, Row>): Moment['kind'] {
  const last = row.messages.at(-1);
  if (last?.response_metadata?.[STOPPED] === true) return 'stopped';
  if (row.source === 'update') {
    const parent = byId.get(row.parent ?? '');
    if (parent === undefined) return row.compaction === '' ? 'recorded' : 'compacted';
    // A note written by hand, or going on from there, says what its parent says.
    if (isSame(parent, row)) return kindOf(parent, byId);
    if (parent.compaction === row.compaction) return 'recorded';
    return row.covered < parent.covered ? 'undone' : 'compacted';
  }
  const isAnswer = AIMessage.isInstance(last) && (last.tool_calls ?? []).length === 0;
  return last === undefined || isAnswer ? 'answered' : 'cut-off';
}

function saidLast(messages: readonly BaseMessage[]): string | null {
  const last = messages.findLast(
    (message) => HumanMessage.isInstance(message) && message.additional_kwargs['hide_from_ui'] !== true,
  );
  return last === undefined ? null : cropped(visibleText(last.content).trim(), [], SAID_CHARS);
}

function rowOf(tuple: CheckpointTuple): Row {
  const { checkpoint, metadata } = tuple;
  const messages = messagesOf(tuple);
  const covered = coveredMessages({ messages, compaction: checkpoint.channel_values['compaction'] });
  return {
    id: checkpoint.id,
    parent: parentOf(tuple),
    source: metadata?.source ?? '',
    at: Date.parse(checkpoint.ts),
    messages,
    covered: covered === null ? 0 : covered.covered.length + covered.pruned.length,
    compaction:
      covered === null ? '' : `${covered.covered.length}|${covered.pruned.length}|${covered.summary}`,
  };
}
