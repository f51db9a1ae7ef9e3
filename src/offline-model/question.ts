// Whether a user's message asks for something, and what to search for.
import { askedKinds, type Kind } from './kinds.js';
import { labelsOf } from './labels.js';
import { sentencesOf } from './sentences.js';
import { contentWords, isTelling, questionKeys } from './words.js';

/** A question, read once. */
export interface Question {
  /** The sentences that ask; the whole message when no single one does. */
  readonly text: string;
  /** Words that say what it is about, as written, at most `QUERY_WORDS`. */
  readonly words: readonly string[];
  readonly terms: readonly QuestionTerm[];
  readonly kinds: readonly Kind[];
  /** What the identifier asked for is of, as a key: of "the reservation number" the reservation. Null elsewhere. */
  readonly label: string | null;
  /** True when it asks for several things, so that of a list all entries answer. */
  readonly isPlural: boolean;
}

/** One thing that an answer should speak of. */
export interface QuestionTerm {
  /** A text that has one of these, by `wordKeys`, speaks of it. */
  readonly keys: readonly string[];
  readonly weight: number;
  /** False for words that merely name the form of the answer, such as `number` and `name`. */
  readonly isTopic: boolean;
}

/** Words that go into one search. More would find everything. */
const QUERY_WORDS = 12;

const OPENING =
  /^(?:(?:and|so|but|also|ok|okay|hi|hello|hey|well|then|please|now|sorry|thanks|thank you)[\s,!.]+)*(?:what|what's|whats|which|who|who's|whom|whose|when|where|why|how|remind me|tell me|find|look up|lookup|recall|list|show me|repeat|quote|give me|name (?:the|one|two|three|all|any|a|an|some|my|our)|do you (?:remember|recall|know)|can you (?:remember|recall|tell|find|remind)|could you (?:tell|find|remind)|i (?:forgot|forget|can't remember|cannot remember|don't remember))\b/iu;
const HAN_ASKING =
  /什么|多少|哪|谁|怎么|怎样|为什么|几[个点号天月时人次位]|[吗呢嘛][。！]?$|是否|有没有|请问|告诉我|提醒我|还记得|查一下|找一下/u;
const PLURAL =
  /\b(?:numbers|ids|codes|references|names|dates|days|prices|options|rules|items|things|ones|all|list)\b|\bwhich\s\w{3,}s\b|哪些|所有|全部|都有/iu;
const MARK = /[?？]["'”’)）」』]*\s*$/u;

/** The question that a user's message asks, or null when it states or instructs. */
export function questionOf(message: string): Question | null {
  const sentences = sentencesOf(message);
  const asking = sentences.filter((sentence) => asks(sentence));
  if (asking.length === 0) return null;
  const text = asking.join(' ');
  let words = contentWords(text);
  // "It was lost. Can you find it again?": what is meant stands in the sentences around.
  if (words.filter(isTelling).length < 2) words = contentWords(message);
  words = words.slice(0, QUERY_WORDS);
  return {
    text,
    words,
    terms: termsOf(words),
    kinds: askedKinds(text),
    label: labelsOf(text)[0]?.keys[0] ?? null,
    isPlural: PLURAL.test(text),
  };
}

/** The words of the first search, and of the one after a search that did not answer: others, or none at all. */
export function searchQueries(question: Question): { readonly first: string; readonly retry: string } {
  const first = question.words.join(' ');
  const others = question.kinds.flatMap((kind) => OTHER_WORDS[kind] ?? []);
  // The longest words are the rarest; what the kind is otherwise called may be how it was said.
  const longest = question.words.toSorted((left, right) => right.length - left.length);
  const retry = new Set([...longest.slice(0, 3), ...others]);
  if (retry.size > question.words.length) return { first, retry: [...retry].join(' ') };
  return { first, retry: longest.slice(0, Math.floor(longest.length / 2)).join(' ') };
}

/** Words for the form of an answer; those of one line say the same. */
const FORM_WORDS: readonly (readonly string[])[] = [
  ['number', 'id', 'code', 'reference', 'identifier', 'no', '编号', '号码', '单号', '代码'],
  ['name', 'called', '名字', '姓名', '名称'],
  ['price', 'cost', 'amount', 'total', 'fee', 'charge', '价格', '费用', '金额', '多少钱'],
  ['date', 'day', '日期'],
  ['phone', 'telephone', '电话'],
  ['kind', 'type', 'sort', '种类', '类型'],
  ['address', 'live', 'located', 'location', '地址', '住址'],
];
/** What such a word counts beside a word that says what the question is about, which counts 1. */
const FORM_WEIGHT = 0.35;

function termsOf(words: readonly string[]): readonly QuestionTerm[] {
  const forms = new Set<readonly string[]>();
  const telling = words.filter(isTelling);
  return (telling.length > 0 ? telling : words).flatMap((word): readonly QuestionTerm[] => {
    const folded = word.toLowerCase();
    const same = FORM_WORDS.find((line) => line.some((form) => folded === form || folded === `${form}s`));
    if (same !== undefined) {
      if (forms.has(same)) return [];
      forms.add(same);
      return [
        {
          keys: [...questionKeys(same.flatMap((form) => [form, `${form}s`]))],
          weight: FORM_WEIGHT,
          isTopic: false,
        },
      ];
    }
    return [...questionKeys([word])].map((key) => ({ keys: [key], weight: 1, isTopic: true }));
  });
}

/** How else people name what is asked for. */
const OTHER_WORDS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  code: ['number', 'id', 'code', 'reference', '编号'],
  money: ['price', 'total', 'cost', 'amount', '元'],
  phone: ['phone', 'number', '电话'],
  email: ['email'],
  date: ['date', 'day', '日期'],
  place: ['address', 'city', '地址'],
  rule: ['never', 'always', 'must', '必须', '不要'],
};

/** True when a sentence asks. */
export function asks(sentence: string): boolean {
  return MARK.test(sentence) || OPENING.test(sentence.trim()) || HAN_ASKING.test(sentence);
}
