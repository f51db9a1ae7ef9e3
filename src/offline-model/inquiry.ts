// One question on its way from search to answer: what was found so far, and which look-up comes next.
import { NOTE_CHARS } from '../core/limits.js';
import { sliceChars } from '../core/text.js';
import { type Answer, type Hit, type Page, readAnswer, searchAnswer } from './answers.js';
import { noteKey } from './note-key.js';
import { type Question, searchQueries } from './question.js';
import { bestFitting, type Candidate, type Excerpted, isEcho, rankHits, rankSources } from './select.js';
import type { HistoryTool, Step, Turn } from './turn.js';

/** Everything here is read from the request anew for every call: a look-up that left the window is not known. */
export interface Inquiry {
  readonly question: Question;
  readonly turn: Turn;
  readonly searches: readonly Answer<readonly Hit[]>[];
  readonly reads: readonly Answer<Page>[];
  /** Calls of `task_note` since the question. */
  readonly notes: readonly Step[];
  /** Ids of sources that a read was tried of, with or without success. */
  readonly triedIds: ReadonlySet<unknown>;
  /** Hits of all searches that may answer, the most promising first. */
  readonly hits: readonly Candidate<Excerpted>[];
  /** True when half of what was found, or more, only echoes the question. */
  readonly isFlooded: boolean;
  /** What the pages that were read have to say, the best first. */
  readonly found: readonly Candidate<Page>[];
}

export interface Lookup {
  readonly tool: HistoryTool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Most pages read for one question. */
const MAX_READS = 3;

/** What a turn has found out about its question. */
export function inquiryOf(turn: Turn, question: Question): Inquiry {
  const steps = (tool: HistoryTool) => turn.steps.filter((step) => step.tool === tool);
  const searches = steps('history_search').map(({ answer }) => searchAnswer(answer));
  const reads = steps('history_read').map(({ answer }) => readAnswer(answer));
  const hits = new Map<string, Hit>();
  for (const hit of searches.flatMap((answer) => (answer.ok ? answer.value : []))) {
    if (!hits.has(hit.id)) hits.set(hit.id, hit);
  }
  const asked = { text: turn.asked ?? '', id: turn.askedId };
  const telling = [...hits.values()].filter((hit) => !isEcho(hit, question, asked));
  const pages = reads.flatMap((answer) => (answer.ok ? [answer.value] : []));
  return {
    question,
    turn,
    searches,
    reads,
    notes: steps('task_note'),
    triedIds: new Set(steps('history_read').map(({ args }) => args['source_id'])),
    hits: rankHits(question, telling),
    isFlooded: hits.size > 0 && telling.length * 2 <= hits.size,
    found: rankSources(question, pages),
  };
}

/** The next look-up, or null when the question can be answered, or cannot be by any further look-up. */
export function nextLookup(inquiry: Inquiry, tools: ReadonlySet<string>): Lookup | null {
  if (inquiry.notes.length > 0) return null;
  const read = tools.has('history_read') ? nextRead(inquiry) : null;
  const search = read === null && tools.has('history_search') ? nextSearch(inquiry) : null;
  return read ?? search ?? (tools.has('task_note') ? note(inquiry) : null);
}

/** True when what was read has the form that the question asks for, or the question does not tell a form. */
export function isAnswered({ question, found }: Inquiry): boolean {
  return found.some(({ fits }) => fits || question.kinds.length === 0);
}

/** Reads the best hit; further ones only while none of what was read has the form asked for and they seem to. */
function nextRead(inquiry: Inquiry): Lookup | null {
  const { found, hits, reads, triedIds } = inquiry;
  if (reads.length >= MAX_READS || isAnswered(inquiry)) return null;
  const best = hits.find(({ source }) => !triedIds.has(source.id));
  if (best === undefined || (found.length > 0 && !best.fits)) return null;
  return { tool: 'history_read', args: { source_id: best.source.id, offset: best.source.start } };
}

/** Searches anew while nothing answers: among fewer messages where echoes crowd the hits, then in other words. */
function nextSearch(inquiry: Inquiry): Lookup | null {
  const { isFlooded, question, reads, searches } = inquiry;
  // A page without its search: the search was compacted away. To search again could go on for ever.
  if (isAnswered(inquiry) || (searches.length === 0 && reads.length > 0)) return null;
  if (searches.some((answer) => !answer.ok)) return null;
  const { first, retry } = searchQueries(question);
  const plan = [{ query: first }];
  if (isFlooded) plan.push(...ROLES_APART.map((role) => ({ query: first, role })));
  if (retry !== '') plan.push({ query: retry });
  const args = plan[searches.length];
  return args === undefined ? null : { tool: 'history_search', args };
}

/** Where the answer stands when the assistant only repeats it. */
const ROLES_APART = ['user', 'tool'] as const;

function note(inquiry: Inquiry): Lookup | null {
  const best = bestFitting(inquiry.found);
  if (best === undefined || !isAnswered(inquiry)) return null;
  const content = sliceChars(best.quote, 0, NOTE_CHARS);
  return {
    tool: 'task_note',
    args: { key: noteKey(inquiry.question), content, source_ids: [best.source.id] },
  };
}
