// Decides the model's next move from what stands in the request: a look-up, or an answer made of quotes.
import { NOTE_CHARS } from '../core/limits.js';
import { charLength, sliceChars } from '../core/text.js';
import { type Answer, type Hit, noteAnswer, type Page, readAnswer, searchAnswer } from './answers.js';
import { noteKey } from './note-key.js';
import { type Phrases, phrasesFor } from './phrases.js';
import { type Question, questionOf, searchQueries } from './question.js';
import { type Candidate, rankHits, rankSources } from './select.js';
import { sentencesOf } from './sentences.js';
import type { HistoryTool, Step, Turn } from './turn.js';
import { hasHan } from './words.js';

export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: HistoryTool; readonly args: Readonly<Record<string, unknown>> };

/** Most pages read for one question. */
const MAX_READS = 3;
/** Longest quote of an acknowledgement, in characters. */
const QUOTE_CHARS = 300;

/** What to do next. `tools` are the names of the bound tools; only history tools are ever called. */
export function nextReply(turn: Turn, tools: ReadonlySet<string>): Reply {
  const say = phrasesFor(hasHan(turn.asked ?? ''));
  const question = turn.asked === null ? null : questionOf(turn.asked);
  if (question === null) return { kind: 'text', text: acknowledge(turn.asked ?? '', say) };
  if (question.words.length === 0) return { kind: 'text', text: say.unclear };
  return new Inquiry(turn, question, tools, say).next();
}

/** One question on its way from search to answer. Holds nothing that is not in the request. */
class Inquiry {
  readonly #turn: Turn;
  readonly #question: Question;
  readonly #tools: ReadonlySet<string>;
  readonly #say: Phrases;
  readonly #searches: readonly Answer<readonly Hit[]>[];
  readonly #reads: readonly Answer<Page>[];
  readonly #notes: readonly Step[];

  constructor(turn: Turn, question: Question, tools: ReadonlySet<string>, say: Phrases) {
    this.#turn = turn;
    this.#question = question;
    this.#tools = tools;
    this.#say = say;
    this.#searches = this.#steps('history_search').map(({ answer }) => searchAnswer(answer));
    this.#reads = this.#steps('history_read').map(({ answer }) => readAnswer(answer));
    this.#notes = this.#steps('task_note');
  }

  next(): Reply {
    if (this.#notes.length > 0) return this.#finalAnswer();
    if (!this.#tools.has('history_search') && this.#reads.length === 0) return this.#answerFromSight([]);
    const read = this.#nextRead();
    if (read !== null) return read;
    const search = this.#nextSearch();
    if (search !== null) return search;
    return this.#nextNote() ?? this.#finalAnswer();
  }

  #steps(tool: HistoryTool): readonly Step[] {
    return this.#turn.steps.filter((step) => step.tool === tool);
  }

  /** Searches once, and once more in other words when that brought nothing that fits. */
  #nextSearch(): Reply | null {
    if (!this.#tools.has('history_search')) return null;
    const { first, retry } = searchQueries(this.#question);
    if (this.#searches.length === 0) {
      // A page that was read without a search in sight: the search was compacted away. Once is enough.
      return this.#reads.length > 0 ? null : call('history_search', { query: first });
    }
    const last = this.#searches.at(-1);
    if (this.#searches.length > 1 || last?.ok !== true || retry === '') return null;
    const satisfied = this.#candidates().some(({ fits }) => fits || this.#question.kinds.length === 0);
    return satisfied ? null : call('history_search', { query: retry });
  }

  /** Reads the best hit, and further ones while none of what was read has the kind of thing asked for. */
  #nextRead(): Reply | null {
    if (!this.#tools.has('history_read') || this.#reads.length >= MAX_READS) return null;
    const read = this.#steps('history_read').map(({ args }) => args['source_id']);
    const best = this.#hits().find(({ source }) => !read.includes(source.id));
    if (best === undefined) return null;
    const has = this.#candidates();
    if (has.length > 0 && (has.some(({ fits }) => fits) || !best.fits)) return null;
    return call('history_read', { source_id: best.source.id, offset: best.source.start });
  }

  #nextNote(): Reply | null {
    const best = this.#candidates()[0];
    if (best === undefined || !this.#tools.has('task_note')) return null;
    const content = sliceChars(quoteOf(best), 0, NOTE_CHARS);
    const args = { key: noteKey(this.#question), content, source_ids: [best.source.id] };
    return call('task_note', args);
  }

  #finalAnswer(): Reply {
    const best = this.#candidates()[0] ?? this.#hits()[0];
    if (best === undefined) return this.#answerFromNotes() ?? this.#answerFromSight(this.#failures());
    const { source } = best;
    const lines = [this.#say.found, this.#say.said(source.role, source.name, quoteOf(best))];
    return text([...lines, ...this.#noteLines(), ...this.#statusLines()]);
  }

  /** The look-ups left the window, the note that they led to did not. */
  #answerFromNotes(): Reply | null {
    const content = this.#notes.at(-1)?.args['content'];
    if (typeof content !== 'string' || content === '') return null;
    return text([this.#say.found, this.#say.said('notes', null, content), ...this.#noteLines()]);
  }

  #answerFromSight(reasons: readonly string[]): Reply {
    const best = rankSources(this.#question, this.#turn.visible)[0];
    if (best === undefined || (this.#question.kinds.length > 0 && !best.fits)) {
      return text([...(reasons.length > 0 ? reasons : []), this.#say.nothingSeen]);
    }
    const { source } = best;
    return text([...reasons, this.#say.seen, this.#say.said(source.role, source.name, quoteOf(best))]);
  }

  #failures(): readonly string[] {
    const failed = [...this.#searches, ...this.#reads].find((answer) => !answer.ok);
    if (failed !== undefined && !failed.ok) return [this.#say.searchFailed(failed.error)];
    return [this.#say.nothing(this.#question.words.join(' ')), ...this.#statusLines()];
  }

  #noteLines(): readonly string[] {
    const last = this.#notes.at(-1);
    if (last === undefined) return [];
    const answer = noteAnswer(last.answer);
    return [answer.ok ? this.#say.savedNote(answer.value) : this.#say.noteRefused(answer.error)];
  }

  #statusLines(): readonly string[] {
    const statuses = [...this.#searches, ...this.#reads].map(({ status }) => this.#say.status(status));
    return [...new Set(statuses.filter((line) => line !== null))];
  }

  #hits(): readonly Candidate<Hit & { text: string }>[] {
    const byId = new Map<string, Hit>();
    for (const answer of this.#searches) {
      if (answer.ok) for (const hit of answer.value) byId.set(hit.id, byId.get(hit.id) ?? hit);
    }
    const asked = { text: this.#turn.asked ?? '', id: this.#turn.askedId };
    return rankHits(this.#question, [...byId.values()], asked);
  }

  #candidates(): readonly Candidate<Page>[] {
    const pages = this.#reads.flatMap((answer) => (answer.ok ? [answer.value] : []));
    return rankSources(this.#question, pages);
  }
}

function acknowledge(statement: string, say: Phrases): string {
  const first = sentencesOf(statement).find((sentence) => /[\p{L}\p{N}]/u.test(sentence)) ?? '';
  if (first === '') return say.unclear;
  return say.noted(charLength(first) > QUOTE_CHARS ? `${sliceChars(first, 0, QUOTE_CHARS)}…` : first);
}

function quoteOf({ passage }: Candidate<{ role: string; name: string | null; text: string }>): string {
  return passage.lead === '' ? passage.text : `${passage.lead} … ${passage.text}`;
}

function call(tool: HistoryTool, args: Readonly<Record<string, unknown>>): Reply {
  return { kind: 'call', tool, args };
}

function text(lines: readonly string[]): Reply {
  return { kind: 'text', text: lines.join('\n\n') };
}
