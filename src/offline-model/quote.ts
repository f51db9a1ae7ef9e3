// Cuts a quote around a passage: verbatim, and with what it needs to be understood.
import type { Passage } from './sentences.js';

/** Longest quote of more than one passage, in UTF-16 units. */
const QUOTE_UNITS = 500;

/**
 * The passage at `index` as it stands in the text. An entry comes with the line that leads its list, or as the
 * whole list when several things are asked for; a sentence that does not show to be the answer, with the next.
 */
export function quoteOf(
  text: string,
  passages: readonly Passage[],
  index: number,
  { isAnswer, isList }: { readonly isAnswer: boolean; readonly isList: boolean },
): string {
  const passage = passages[index];
  if (passage === undefined) return '';
  if (passage.lead !== '') {
    const list = isList ? wholeList(text, passages, index) : null;
    return list ?? `${passage.lead} … ${passage.text}`;
  }
  const next = passages[index + 1];
  if (isAnswer || passage.isMember || next === undefined || next.isMember) return passage.text;
  const isSameLine = !text.slice(passage.end, next.start).includes('\n');
  if (!isSameLine || next.end - passage.start > QUOTE_UNITS) return passage.text;
  return text.slice(passage.start, next.end);
}

/** The list that an entry stands in, with the line that leads it; null when it is too long to quote. */
function wholeList(text: string, passages: readonly Passage[], index: number): string | null {
  const lead = passages[index]?.lead;
  const opening = passages.slice(0, index).findLast((passage) => passage.lead !== lead);
  const after = passages.slice(index).findIndex((passage) => passage.lead !== lead);
  const last = passages[after < 0 ? passages.length - 1 : index + after - 1];
  if (opening === undefined || opening.text !== lead || last === undefined) return null;
  if (last.end - opening.start > QUOTE_UNITS) return null;
  return text.slice(opening.start, last.end);
}
