// Summarises by picking sentences. It carries what it can in the room it has; the rest is for the archive.
import { charLength, sliceChars } from '../core/text.js';
import { askedKinds, holdsKind } from './kinds.js';
import { isOwnAnswer } from './phrases.js';
import { asks } from './question.js';
import { passagesOf } from './sentences.js';

/** Longest summary, in UTF-16 units. Small, so that a small window has room for the conversation itself. */
const SUMMARY_UNITS = 1_400;
/** At most this share of the conversation's length becomes new lines. */
const SHARE = 0.15;
/** Even beside a long former summary, this much room is for what is new. */
const NEW_UNITS = 500;
/** A longer sentence is left to the archive. */
const LINE_UNITS = 300;
/** Entries taken of one list; each repeats the list's opening. */
const LIST_ENTRIES = 2;
const OPENING_BONUS = 2;
const USER_BONUS = 0.5;

// The last of each: instructions before them may speak of the tags, what stands inside them is escaped.
const CONVERSATION = /^[\s\S]*<conversation>([\s\S]*)<\/conversation>/u;
const PREVIOUS = /^[\s\S]*<previous_summary>([\s\S]*)<\/previous_summary>/u;
/** How a message of the conversation begins. */
const SPEAKER = /^\[(user|assistant|system|tool)(?: [^\]\n]*)?\] /u;
const LEFT_OUT = /^\(\d+ messages are left out here\)$/u;

const DECISION =
  /\b(?:decided?|decision|agreed?|confirmed?|booked|cancell?ed|approved?|chose|chosen|prefers?|preference|must|never|always|rules?|policy|deadline|important|remember|promise[ds]?|will)\b|决定|确认|必须|务必|不要|不能|只能|规定|规则|预订|取消|同意|重要|记住|喜欢/iu;
const GREETING =
  /^(?:hi|hello|hey|thanks?|thank you|you're welcome|great|sure|certainly|okay|ok|yes|no|good|你好|您好|谢谢|好的|不客气|不用谢)\b.{0,40}$/iu;
const PROPER_NAME = /(?<=[\p{Ll},:;(]\s)\p{Lu}[\p{L}'’-]+/gu;

export interface SummaryRequest {
  readonly conversation: string;
  readonly previous: string;
}

/** The parts of a summary prompt, or null when a text is none. */
export function summaryRequestOf(prompt: string): SummaryRequest | null {
  const conversation = CONVERSATION.exec(prompt)?.[1];
  if (conversation === undefined) return null;
  const previous = PREVIOUS.exec(prompt)?.[1] ?? '';
  return { conversation: unescaped(conversation).trim(), previous: unescaped(previous).trim() };
}

/**
 * A summary made of the conversation's own sentences, in their order, after the former summary's lines.
 *
 * Always shorter than conversation and former summary together; the same for the same input. When there is no
 * room for all, the least telling lines go, former ones too.
 */
export function summarize(request: SummaryRequest): string {
  const former = request.previous.split('\n').filter((line) => line.trim() !== '');
  const share = Math.min(request.conversation.length * SHARE, SUMMARY_UNITS - lengthOf(former));
  const room = Math.max(share, Math.min(request.conversation.length * SHARE, NEW_UNITS));
  const fresh = pick(linesOf(request), room);
  const scored = former.map((line, index) => ({ line, index, score: scoreOf(line) }));
  const kept = pick(scored, SUMMARY_UNITS - lengthOf(fresh));
  if (kept.length + fresh.length > 0) return [...kept, ...fresh].join('\n');
  // Only JSON, or only very long sentences: a part of the first is better than no summary.
  const opening = passagesOf(request.conversation.replace(SPEAKER, ''))[0]?.text ?? '';
  return sliceChars(opening, 0, Math.floor(charLength(request.conversation) / 2));
}

interface Line {
  readonly line: string;
  readonly index: number;
  readonly score: number;
}

/** The best lines that fit, in their order. */
function pick(lines: readonly Line[], room: number): readonly string[] {
  const chosen: Line[] = [];
  let left = room;
  for (const line of lines.toSorted((a, b) => b.score - a.score || a.index - b.index)) {
    if (line.line.length + 1 > left) continue;
    chosen.push(line);
    left -= line.line.length + 1;
  }
  return chosen.toSorted((a, b) => a.index - b.index).map(({ line }) => line);
}

function linesOf({ conversation, previous }: SummaryRequest): readonly Line[] {
  const lines = new Map<string, Line>();
  const known = new Set(previous.split('\n').map((line) => line.trim()));
  const entries = entriesOf(conversation).filter(({ text }) => !isOwnAnswer(text));
  // What the user came for stands in the first thing said, unless that was summarised before.
  const opening = previous === '' ? entries.find(({ speaker }) => speaker === 'user') : undefined;
  for (const entry of entries) {
    const entriesByLead = new Map<string, number>();
    for (const { text, lead, isMember } of passagesOf(entry.text)) {
      const line = `- ${NAMES[entry.speaker]}: ${lead === '' ? '' : `${lead} … `}${text}`;
      if (isMember || line.length > LINE_UNITS || !saysSomething(text)) continue;
      const bonus =
        entry.speaker !== 'user' || asks(text) ? 0 : entry === opening ? OPENING_BONUS : USER_BONUS;
      const score = scoreOf(text) + bonus;
      if (score <= 0 || known.has(line) || lines.has(line)) continue;
      const entriesBefore = entriesByLead.get(lead) ?? 0;
      if (lead !== '' && entriesBefore >= LIST_ENTRIES) continue;
      entriesByLead.set(lead, entriesBefore + 1);
      lines.set(line, { line, index: lines.size, score });
    }
  }
  return [...lines.values()];
}

/** More than a greeting, a bare number or the opening of a list. */
function saysSomething(text: string): boolean {
  if (GREETING.test(text) || /[:：]$/u.test(text)) return false;
  return (text.match(/\p{L}+/gu)?.length ?? 0) > 2 || (text.match(/\p{Script=Han}/gu)?.length ?? 0) > 5;
}

type Speaker = 'user' | 'assistant' | 'tool' | 'system';

const NAMES: Readonly<Record<Speaker, string>> = {
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
  system: 'System',
};

function entriesOf(conversation: string): readonly { speaker: Speaker; text: string }[] {
  const entries: { speaker: Speaker; text: string }[] = [];
  for (const row of conversation.split('\n')) {
    const [mark, speaker] = SPEAKER.exec(row) ?? [];
    const last = entries.at(-1);
    if (mark !== undefined && isSpeaker(speaker)) entries.push({ speaker, text: row.slice(mark.length) });
    else if (last !== undefined && !LEFT_OUT.test(row)) last.text += `\n${row}`;
  }
  return entries;
}

function isSpeaker(word: string | undefined): word is Speaker {
  return word !== undefined && Object.hasOwn(NAMES, word);
}

/** Names, numbers, identifiers, decisions and rules count for a sentence; asking counts against it. */
function scoreOf(text: string): number {
  let score = 0;
  if (holdsKind(text, 'code')) score += 1.5;
  if (holdsKind(text, 'money')) score += 1;
  if (/\d/u.test(text)) score += 0.5;
  if (holdsKind(text, 'date') || holdsKind(text, 'time')) score += 0.5;
  if (DECISION.test(text)) score += 1.5;
  if (holdsKind(text, 'rule')) score += 1;
  score += Math.min(1, (text.match(PROPER_NAME)?.length ?? 0) * 0.25);
  if (asks(text)) score -= askedKinds(text).length > 0 ? 1.5 : 1;
  return score - text.length / 400;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** The prompt's writer escapes the conversation, so that it cannot close its own tag. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
