// Words the answer to a question: what was found and who said it, or plainly that it was not, and why.
import { type Answer, noteAnswer } from './answers.js';
import type { Inquiry } from './inquiry.js';
import type { Phrases } from './phrases.js';
import { bestFitting, type Candidate, rankSources, type Source } from './select.js';

/** The answer, from what was read, else from what the search showed, else from what is in sight. */
export function answerTo(inquiry: Inquiry, say: Phrases): string {
  const best = bestFitting(inquiry.found) ?? bestFitting(inquiry.hits);
  if (best !== undefined) {
    const opening = best.fits || inquiry.question.kinds.length === 0 ? say.found : say.closest;
    return join([opening, quoted(best, say), ...noteLines(inquiry, say), ...statusLines(inquiry, say)]);
  }
  return fromNote(inquiry, say) ?? fromSight(inquiry, say);
}

/** The look-ups left the window, the note that they led to did not. */
function fromNote(inquiry: Inquiry, say: Phrases): string | null {
  const content = inquiry.notes.at(-1)?.args['content'];
  if (typeof content !== 'string' || content === '') return null;
  return join([say.found, say.said('notes', null, content), ...noteLines(inquiry, say)]);
}

function fromSight(inquiry: Inquiry, say: Phrases): string {
  const { question, turn } = inquiry;
  const best = bestFitting(rankSources(question, turn.visible));
  const isAnswer = best !== undefined && (best.fits || question.kinds.length === 0);
  const sight = isAnswer ? [say.seen, quoted(best, say)] : [say.nothingSeen];
  return join([...lookupLines(inquiry, say), ...sight]);
}

/** Why the look-ups brought nothing; empty when there were none. */
function lookupLines(inquiry: Inquiry, say: Phrases): readonly string[] {
  const { question, searches } = inquiry;
  const failed = answersOf(inquiry).find((answer) => !answer.ok);
  if (failed !== undefined && !failed.ok) return [say.searchFailed(failed.error)];
  if (searches.length === 0) return [];
  return [say.nothing(question.words.join(' ')), ...statusLines(inquiry, say)];
}

function noteLines(inquiry: Inquiry, say: Phrases): readonly string[] {
  const last = inquiry.notes.at(-1);
  if (last === undefined) return [];
  const answer = noteAnswer(last.answer);
  return [answer.ok ? say.savedNote(answer.value) : say.noteRefused(answer.error)];
}

function statusLines(inquiry: Inquiry, say: Phrases): readonly string[] {
  const lines = answersOf(inquiry).map(({ status }) => say.status(status));
  return [...new Set(lines.filter((line) => line !== null))];
}

function answersOf({ searches, reads }: Inquiry): readonly Answer<unknown>[] {
  return [...searches.map(({ answer }) => answer), ...reads];
}

function quoted({ source, passage, quote }: Candidate<Source>, say: Phrases): string {
  const role = source.role === 'ai' && passage.isMember ? 'call' : source.role;
  return say.said(role, source.name, quote);
}

function join(lines: readonly string[]): string {
  return lines.join('\n\n');
}
