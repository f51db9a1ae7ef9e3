// One question on its way from search to answer: what was found so far, and which look-up comes next.
import { NOTE_CHARS, SEARCH_HITS } from '../core/limits.js';
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
  readonly searches: readonly Search[];
  readonly reads: readonly Answer<Page>[];
  /** Calls of `task_note` since the question. */
  readonly notes: readonly Step[];
  /** Ids of sources that a read was tried of, with or without success. */
  readonly triedIds: ReadonlySet<unknown>;
  /** Hits of all searches that may answer, the most promising first. */
  readonly hits: readonly Candidate<Excerpted>[];
  /** True when what was asked before crowds the hits, so that another role is searched before a weak hit is read. */
  readonly isCrowded: boolean;
  /** What the pages that were read have to say, the best first. */
  readonly found: readonly Candidate<Page>[];
}

export interface Search {
  readonly args: Lookup['args'];
  readonly answer: Answer<readonly Hit[]>;
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
  const searches = steps('history_search').map(({ args, answer }) => ({
    args,
    answer: searchAnswer(answer),
  }));
  const reads = steps('history_read').map(({ answer }) => readAnswer(answer));
  const asked = { text: turn.asked ?? '', id: turn.askedId };
  const tellingById = new Map<string, Hit>();
  let isCrowded = false;
  for (const { args, answer } of searches) {
    const hits = answer.ok ? answer.value : [];
    const telling = hits.filter((hit) => !isEcho(hit, question, asked));
    for (const hit of telling) if (!tellingById.has(hit.id)) tellingById.set(hit.id, hit);
    // The question itself is always found; what was asked before, and its answers, come on top of it. Among the
    // user's messages stand those questions, which crowd whatever is there.
    isCrowded = args['role'] === 'user' || (hits.length >= SEARCH_HITS && hits.length - telling.length > 1);
  }
  const pages = reads.flatMap((answer) => (answer.ok ? [answer.value] : []));
  return {
    question,
    turn,
    searches,
    reads,
    notes: steps('task_note'),
    triedIds: new Set(steps('history_read').map(({ args }) => args['source_id'])),
    hits: rankHits(question, [...tellingById.values()]),
    isCrowded,
    found: rankSources(question, pages),
  };
}

/** The next look-up, or null when the question can be answered, or cannot be by any further look-up. */
export function nextLookup(inquiry: Inquiry, tools: ReadonlySet<string>): Lookup | null {
  const { found, hits, isCrowded, notes, question, reads, triedIds } = inquiry;
  if (notes.length > 0) return null;
  if (isAnswered(inquiry)) return tools.has('task_note') ? note(inquiry) : null;
  const best = bestFitting(hits.filter(({ source }) => !triedIds.has(source.id)));
  const isPromising = best !== undefined && (best.fits || question.kinds.length === 0);
  // Without a tool to read with, the excerpt has to do.
  if (isPromising && !tools.has('history_read')) return null;
  const page =
    best !== undefined && tools.has('history_read') && reads.length < MAX_READS ? read(best) : null;
  if (isPromising && page !== null) return page;
  const search = tools.has('history_search') ? nextSearch(inquiry) : null;
  // A page says more than an excerpt, so that one hit is worth a try, but not where better ones were crowded out.
  const attempt = found.length === 0 ? page : null;
  return isCrowded ? (search ?? attempt) : (attempt ?? search);
}

/** True when what was read has the form that the question asks for, or the question does not tell a form. */
export function isAnswered({ question, found }: Inquiry): boolean {
  return found.some(({ fits }) => fits || question.kinds.length === 0);
}

function read({ source }: Candidate<Excerpted>): Lookup {
  return { tool: 'history_read', args: { source_id: source.id, offset: source.start } };
}

/**
 * The search after the last one in sight. Each has its one successor, so that looking comes to an end although
 * earlier searches may have been compacted away.
 */
function nextSearch({ isCrowded, question, reads, searches }: Inquiry): Lookup | null {
  const { first, retry } = searchQueries(question);
  const search = (args: Lookup['args']): Lookup => ({ tool: 'history_search', args });
  const inOtherWords = retry === '' ? null : search({ query: retry });
  const last = searches.at(-1);
  if (last === undefined) return reads.length > 0 ? null : search({ query: first });
  if (!last.answer.ok || last.args['query'] === retry) return null;
  // Where echoes crowd the hits, what they repeat stands with the user or with a tool.
  if (last.args['role'] === 'user') return search({ query: first, role: 'tool' });
  if (last.args['role'] === 'tool' || !isCrowded) return inOtherWords;
  return search({ query: first, role: 'user' });
}

function note(inquiry: Inquiry): Lookup | null {
  const best = bestFitting(inquiry.found);
  if (best === undefined || !isAnswered(inquiry)) return null;
  const content = sliceChars(best.quote, 0, NOTE_CHARS);
  return {
    tool: 'task_note',
    args: { key: noteKey(inquiry.question), content, source_ids: [best.source.id] },
  };
}
