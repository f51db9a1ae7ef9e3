// Decides the model's next move from what stands in the request: a look-up, or an answer made of quotes.
import { charLength, sliceChars } from '../core/text.js';
import { inquiryOf, nextLookup } from './inquiry.js';
import { type Phrases, phrasesFor } from './phrases.js';
import { questionOf } from './question.js';
import { sentencesOf } from './sentences.js';
import type { HistoryTool, Turn } from './turn.js';
import { answerTo } from './verdict.js';
import { hasHan } from './words.js';

export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: HistoryTool; readonly args: Readonly<Record<string, unknown>> };

/** Longest quote of an acknowledgement, in characters. */
const QUOTE_CHARS = 300;

/**
 * What to do next. `tools` are the names of the bound tools; only history tools are ever called, at most four
 * searches, three reads and one note for one question.
 */
export function nextReply(turn: Turn, tools: ReadonlySet<string>): Reply {
  const asked = turn.asked ?? '';
  const say = phrasesFor(hasHan(asked));
  const question = questionOf(asked);
  if (question === null) return { kind: 'text', text: acknowledge(asked, say) };
  if (question.words.length === 0) return { kind: 'text', text: say.unclear };
  const inquiry = inquiryOf(turn, question);
  const lookup = nextLookup(inquiry, tools);
  return lookup === null ? { kind: 'text', text: answerTo(inquiry, say) } : { kind: 'call', ...lookup };
}

function acknowledge(statement: string, say: Phrases): string {
  const first = sentencesOf(statement).find((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  if (first === undefined) return say.unclear;
  return say.noted(charLength(first) > QUOTE_CHARS ? `${sliceChars(first, 0, QUOTE_CHARS)}…` : first);
}
