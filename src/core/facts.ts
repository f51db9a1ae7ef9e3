// What a summary may have lost: the exact things that the covered messages name and it does not.

import { sourceIdOf } from './digest.js';
import { isUserMessage, type Message, type SourceId, visibleText } from './message.js';
import { caseFold } from './text.js';

export type FactKind = 'rule' | 'link' | 'path' | 'identifier' | 'number' | 'name';

/** Something exact, as it stands in a message. That it is true, or still holds, is not known. */
export interface Fact {
  readonly kind: FactKind;
  readonly text: string;
  /** The message that named it last. */
  readonly messageId: string | null;
  /** The same message as a source, for notes to cite. */
  readonly sourceId: SourceId;
}

/** Facts of one kind that are told at most; the newest and those of the user go first. */
const MOST_OF_A_KIND = 40;
/** A longer sentence is no rule but a text. */
const RULE_CHARS = 300;
/** A rule is told again when so many of its longer words stand in the summary. */
const RULE_SHARE = 0.7;

const PATTERNS: readonly (readonly [FactKind, RegExp])[] = [
  ['link', /\b(?:https?|ftp):\/\/[^\s<>"'`)\]}、。，]+[^\s<>"'`)\]}.,;:!?、。，]/giu],
  ['identifier', /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/gu],
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
  ['name', /(?<=[\p{Ll}\d,;:]\s|["“(「])\p{Lu}[\p{Ll}’'-]+(?:\s\p{Lu}[\p{Ll}’'-]+)*/gu],
];

const RULE =
  /\b(?:must|never|always|do not|don['’]t|only|no more than|at least|at most|not allowed|forbidden|make sure|remember to)\b|必须|务必|不要|不得|不能|禁止|只能|总是|一律|绝不/iu;
const SENTENCE = /[^.!?。！？\n]+(?:[.!?](?!\s|$)[^.!?。！？\n]*)*[.!?。！？]?/gu;

/** What names alone would be taken for, and is none. */
const NO_NAMES: ReadonlySet<string> = new Set(['I', 'I’m', "I'm", 'OK', 'Ok', 'The', 'This', 'It']);

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
    const text = visibleText(message);
    if (text === '') continue;
    const isUsers = isUserMessage(message);
    const about = { messageId: message.id, sourceId: sourceOf(message, text) };
    for (const [kind, words] of factsIn(text, isUsers)) {
      if (isTold(kind, words, told)) continue;
      const key = `${kind} ${caseFold(words)}`;
      const wasUsers = found.get(key)?.isUsers === true;
      found.delete(key);
      found.set(key, { kind, text: words, ...about, isUsers: isUsers || wasUsers });
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

/** What a text names. Each stretch of it is one fact at most: a link's numbers are the link's. */
function factsIn(text: string, isUsers: boolean): readonly (readonly [FactKind, string])[] {
  const facts: (readonly [FactKind, string])[] = [];
  let rest = text;
  for (const [kind, pattern] of PATTERNS) {
    rest = rest.replace(pattern, (words) => {
      if (isWorthTelling(kind, words)) facts.push([kind, words.trim()]);
      return ' '.repeat(words.length);
    });
  }
  for (const [sentence] of isUsers ? text.matchAll(SENTENCE) : []) {
    const rule = sentence.trim();
    if (rule.length <= RULE_CHARS && RULE.test(rule)) facts.push(['rule', rule]);
  }
  return facts;
}

/** Single digits and words that merely begin with a capital say little. */
function isWorthTelling(kind: FactKind, words: string): boolean {
  if (kind === 'number') return /\d.*\d|[%$€£¥元年月日]/u.test(words);
  return kind !== 'name' || !NO_NAMES.has(words);
}

function isTold(kind: FactKind, words: string, told: string): boolean {
  const folded = caseFold(words).replace(/\s+/gu, ' ');
  if (told.includes(folded)) return true;
  if (kind !== 'rule') return false;
  const long = folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 3);
  return long.length > 0 && long.filter((word) => told.includes(word)).length / long.length >= RULE_SHARE;
}

function sourceOf({ type, id, name }: Message, text: string): SourceId {
  const role = type === 'human' || type === 'tool' ? type : 'ai';
  return sourceIdOf({ message_id: id, name, role, text });
}
