// What a summary may have lost: the exact things that the covered messages name and it does not.

import { sourceIdOf } from './digest.js';
import { factText } from './fact-text.js';
import { isUserMessage, type Message, type SourceId, visibleText } from './message.js';
import { caseFold, wellFormed } from './text.js';

export type FactKind = 'rule' | 'link' | 'path' | 'identifier' | 'number' | 'name';

/** Something exact, as it stands in a message. That it is true, or still holds, is not known. */
export interface Fact {
  readonly kind: FactKind;
  readonly text: string;
  /** The sentence that it stands in, at most 300 characters around it. */
  readonly sentence: string;
  /** The message that named it last. */
  readonly messageId: string | null;
  /** The same message as a source, for notes to cite. */
  readonly sourceId: SourceId;
}

/** Facts of one kind that are told at most; the newest and those of the user go first. */
const MOST_OF_A_KIND = 40;
/** A longer sentence is no rule but a text, in UTF-16 units; of one, so much around a fact is told. */
const SENTENCE_CHARS = 300;
/** A rule is told again when so many of its longer words stand in the summary. */
const RULE_SHARE = 0.7;

const PATTERNS: readonly (readonly [FactKind, RegExp])[] = [
  ['link', /\b(?:https?|ftp):\/\/[^\s<>"'`)\]}、。，]+[^\s<>"'`)\]}.,;:!?、。，]/giu],
  ['identifier', /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/gu],
  ['number', /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?\b/gu],
  [
    'path',
    /(?<![\w/:.])(?:~|\.{1,2})?(?:\/[\w.@+-]+){2,}\/?|(?<![\w/])[\w@+-][\w.@+-]*(?:\/[\w.@+-]+)*\/[\w@+-]+\.\w{1,8}\b|\b[A-Za-z]:\\[^\s"<>|]+/gu,
  ],
  // Letters and digits in one word, words joined by marks of code, humps: what nobody can guess again.
  [
    'identifier',
    /\b(?=[\w.-]*\d)(?=[\w.-]*\p{L})[\p{L}\d]+(?:[-_.][\p{L}\d]+)*\b|\b\p{L}+(?:_[\p{L}\d]+)+\b|\b\p{Ll}+(?:\p{Lu}[\p{Ll}\d]+)+\b|\b\p{Lu}{2,}(?:-\p{Lu}{2,})+\b/gu,
  ],
  ['number', /(?<![\p{L}\d_.-])[$€£¥]?\d(?:[\d.,:/-]*\d)?\s?(?:%|[$€£¥]|元|年|月|日)?(?![\p{L}\d_])/gu],
  ['name', /(?<=[\p{Ll}\d,;:][^\S\n]|["“(「])\p{Lu}[\p{Ll}’'-]+(?:\s\p{Lu}[\p{Ll}’'-]+)*/gu],
];

/** Digits with what is measured or counted by them, like `15th`, `24-hour` and `10am`: a number, not an identifier. */
const MEASURE =
  /^\d+(?:[.:]\d+)*(?:st|nd|rd|th|[ap]m|hrs?|mins?|secs?|ms|h|s|days?|kg|mg|g|km|cm|mm|m|lbs?|ft|[kmgt]i?b|k|m|x|px|-\p{Ll}{2,})$/iu;
const ORDINAL_ENDING = /(?<=^\d+)(?:st|nd|rd|th)$/u;

const RULE =
  /\b(?:must|never|always|(?<!\b(?:I|we|you|they)\s)(?:do not|don['’]t)|only|no more than|at least|at most|not allowed|forbidden|make sure|remember to)\b|必须|务必|不要|不得|不能|禁止|只能|总是|一律|绝不/iu;
const SENTENCE = /[^.!?。！？\n]+(?:[.!?](?!\s|$)[^.!?。！？\n]*)*[.!?。！？]?/gu;

/** What names alone would be taken for, and is none. */
const NO_NAMES: ReadonlySet<string> = new Set(['I', 'OK', 'Ok', 'The', 'This', 'It', 'No']);
/** Days and months, but for months that are a person's name or a verb as well. */
const CALENDAR =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Mon|Tues?|Wed|Thu|Thurs?|Fri|Sat|Sun|January|February|July|September|October|November|December)$/u;

/**
 * Links, paths, identifiers, numbers and names that stand in the messages and not in the summary, and rules of the
 * user's that the summary does not tell. Each once, by kind in that order: what a reader should look at, no proof of
 * a loss.
 */
export function missingFacts(messages: readonly Message[], summary: string): readonly Fact[] {
  const told = caseFold(summary).replace(/\s+/gu, ' ');
  const found = new Map<string, Fact & { readonly isUsers: boolean }>();
  for (const message of messages) {
    if (message.type === 'system') continue;
    const { text, searched } = factText(message);
    if (text === '') continue;
    const isUsers = isUserMessage(message);
    const about = { messageId: message.id, sourceId: sourceOf(message) };
    const sentences = [...text.matchAll(SENTENCE)];
    for (const { kind, text: words, at } of factsIn(searched, isUsers ? sentences : [])) {
      if (isTold(kind, words, told)) continue;
      const sentence = kind === 'rule' ? words : sentenceAt(text, sentences, at, words.length);
      const key = `${kind} ${caseFold(words)}`;
      const wasUsers = found.get(key)?.isUsers === true;
      found.delete(key);
      found.set(key, { kind, text: words, sentence, ...about, isUsers: isUsers || wasUsers });
    }
  }
  return KINDS.flatMap((kind) =>
    [...found.values()]
      .filter((fact) => fact.kind === kind)
      .reverse()
      .sort((one, other) => Number(other.isUsers) - Number(one.isUsers))
      .slice(0, MOST_OF_A_KIND)
      .map(({ isUsers: _, ...fact }) => fact),
  );
}

const KINDS: readonly FactKind[] = ['rule', 'link', 'path', 'identifier', 'number', 'name'];

interface Found {
  readonly kind: FactKind;
  readonly text: string;
  /** Where it stands, in UTF-16 units. */
  readonly at: number;
}

/**
 * What a text names, and which of the sentences are rules. Each stretch of the text is one fact at most: a link's
 * numbers are the link's.
 */
function factsIn(text: string, sentences: readonly RegExpExecArray[]): readonly Found[] {
  const facts: Found[] = [];
  let rest = text;
  for (const [kind, pattern] of PATTERNS) {
    rest = rest.replace(pattern, (words, at: number) => {
      const sort = kind === 'identifier' && MEASURE.test(words) ? 'number' : kind;
      if (isWorthTelling(sort, words)) facts.push({ kind: sort, text: words.trim(), at });
      return ' '.repeat(words.length);
    });
  }
  for (const { 0: sentence, index } of sentences) {
    const rule = sentence.trim();
    if (rule.length <= SENTENCE_CHARS && RULE.test(rule)) facts.push({ kind: 'rule', text: rule, at: index });
  }
  return facts;
}

/** The sentence around a place; of a long one the part around it, never with half a character at its ends. */
function sentenceAt(text: string, sentences: readonly RegExpExecArray[], at: number, length: number): string {
  const around = sentences.find(
    ({ 0: sentence, index }) => index <= at && at + length <= index + sentence.length,
  );
  const sentence = around?.[0] ?? text;
  if (sentence.length <= SENTENCE_CHARS) return sentence.trim();
  const place = at - (around?.index ?? 0);
  const start = Math.max(
    0,
    Math.min(place - Math.floor((SENTENCE_CHARS - length) / 2), sentence.length - SENTENCE_CHARS),
  );
  return wellFormed(sentence.slice(start, start + SENTENCE_CHARS))
    .replace(/^\uFFFD|\uFFFD$/gu, '')
    .trim();
}

/** Single digits, small ordinals and words that merely begin with a capital say little. */
function isWorthTelling(kind: FactKind, words: string): boolean {
  if (kind === 'number') return /\d.*\d|[%$€£¥元年月日]/u.test(words);
  if (kind !== 'name') return true;
  return words.split(/\s+/u).some((word) => {
    const bare = word.replace(/['’].*$/u, '');
    return !NO_NAMES.has(bare) && !CALENDAR.test(bare);
  });
}

function isTold(kind: FactKind, words: string, told: string): boolean {
  const folded = caseFold(words).replace(/\s+/gu, ' ').replace(ORDINAL_ENDING, '');
  if (told.includes(folded)) return true;
  if (kind !== 'rule') return false;
  const long = folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 3);
  return long.length > 0 && long.filter((word) => told.includes(word)).length / long.length >= RULE_SHARE;
}

function sourceOf(message: Message): SourceId {
  const { type, id, name } = message;
  const role = type === 'human' || type === 'tool' ? type : 'ai';
  return sourceIdOf({ message_id: id, name, role, text: visibleText(message) });
}
