// Summarises by picking sentences. It carries what it can in the room it has; the rest is for the archive.

import { askedKinds, holdsKind } from './kinds.js';
import { asks } from './question.js';
import { passagesOf } from './sentences.js';
import { wordKeys } from './words.js';

/** Longest summary, in UTF-16 units. Small, so that a small window has room for the conversation itself. */
const SUMMARY_UNITS = 2_000;
/** At most this share of the conversation's length becomes new lines. */
const SHARE = 0.25;
/** Even beside a long former summary, this much room is for what is new. */
const NEW_UNITS = 600;
const LINE_UNITS = 240;

const CONVERSATION = /<conversation>([\s\S]*)<\/conversation>/u;
const PREVIOUS = /<previous_summary>([\s\S]*?)<\/previous_summary>/u;
/** How a line of the conversation names who speaks. */
const SPEAKER =
  /^\s*(?:\[|<message[^>]*role=")?(human|user|ai|assistant|tool|system)\b[^:\]>\n]*[:\]>]+\s*/iu;

const DECISION =
  /\b(?:decided?|decision|agreed?|confirmed?|booked|cancell?ed|approved?|chose|chosen|prefers?|preference|must|never|always|only|rules?|policy|deadline|important|remember|promise[ds]?|will)\b|决定|确认|必须|务必|不要|不能|只能|规定|规则|预订|取消|同意|重要|记住|喜欢/iu;
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
  return { conversation, previous: PREVIOUS.exec(prompt)?.[1]?.trim() ?? '' };
}

/**
 * A summary made of the conversation's own sentences, in their order, after the former summary's lines.
 *
 * Always shorter than conversation and former summary together; the same for the same input. When there is no
 * room for all, the least telling lines go, former ones too.
 */
export function summarize({ conversation, previous }: SummaryRequest): string {
  const former = previous
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const formerUnits = former.reduce((sum, line) => sum + line.length + 1, 0);
  const room = Math.min(conversation.length * SHARE, Math.max(NEW_UNITS, SUMMARY_UNITS - formerUnits));
  const fresh = pick(linesOf(conversation, new Set(former)), room);
  const kept = pick(
    former.map((line, index) => ({ line, index, score: scoreOf(line) })),
    SUMMARY_UNITS - lengthOf(fresh),
  );
  return [...kept, ...fresh].join('\n');
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

function linesOf(conversation: string, known: ReadonlySet<string>): readonly Line[] {
  const lines = new Map<string, Line>();
  let speaker = '';
  let isFirstOfUser = true;
  for (const row of unescaped(conversation).split('\n')) {
    const named = SPEAKER.exec(row);
    if (named !== null) speaker = speakerOf(named[1] ?? '');
    for (const { text, isMember } of passagesOf(row.slice(named?.[0].length ?? 0))) {
      if (isMember || text.length > LINE_UNITS || GREETING.test(text)) continue;
      const line = `- ${speaker}${text}`;
      if (known.has(line) || lines.has(line) || wordKeys(text).size < 3) continue;
      // What the user came for stands in the first thing said.
      const bonus = speaker === USER && isFirstOfUser ? 2 : speaker === USER ? 0.5 : 0;
      lines.set(line, { line, index: lines.size, score: scoreOf(text) + bonus });
      if (speaker === USER) isFirstOfUser = false;
    }
  }
  return [...lines.values()];
}

const USER = 'User: ';

function speakerOf(word: string): string {
  const role = word.toLowerCase();
  if (role === 'human' || role === 'user') return USER;
  return role === 'tool' ? 'Tool: ' : role === 'system' ? 'System: ' : 'Assistant: ';
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
