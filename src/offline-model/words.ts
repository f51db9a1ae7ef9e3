// The words that a text and a question share, by the tokenizer that search uses, and which of them say something.
import { caseFold } from '../core/text.js';
import { tokenize } from '../core/tokenize.js';

const RUN = /[\p{L}\p{N}]+/gu;
const HAN_RUN = /(\p{Script=Han}+)/u;
const HAN = /\p{Script=Han}/u;

const STOP_WORDS = new Set(
  `a about again all also am an and any anyone anything are as asked at be been before but by can could did do does
  doing done earlier ever exact exactly for from gave get give given go had has have having he hello help her
  hey hi him his how i if in into is it its just kindly know let like look lookup made many may me mean mention
  mentioned might mine more much must my need no not now of off ok okay on once or our out over please recall
  remember remind repeat said say see shall she should so some someone something still tell than thank thanks that
  the their them then there these they thing this those to told too up us use used very want wanted was we were
  what when where which who whom whose why will with would yes you your yours assist able actually`.split(
    /\s+/,
  ),
);

/** Words that help a search, but are not what a question is about. */
const WEAK_WORDS = new Set(['find', 'found', 'under', 'during', 'between', 'without']);

// Longest first, so that a run is split at the whole phrase.
const HAN_STOP =
  /什么时候|为什么|怎么样|是不是|有没有|能不能|可不可以|告诉我|提醒我|还记得|帮我|请问|请你|麻烦|什么|怎么|怎样|多少|哪里|哪儿|哪个|哪些|哪位|哪家|哪天|哪|几点|几号|是否|记得|一下|之前|刚才|我们|你们|他们|它们|可以|这个|那个|的话|需要|以及|还有|你好|您好|谁|吗|呢|吧|啊|嘛|呀|的|了|是|在|我|你|您|他|她|它|有|和|与|或|就|都|也|还|又|请|把|被|给|让|从|到|对|为|这|那|几|想/gu;

/** True when a text has Chinese characters. */
export function hasHan(text: string): boolean {
  return HAN.test(text);
}

/** The keys of all that a text's words can be found by. */
export function wordKeys(text: string): ReadonlySet<string> {
  return new Set(tokenize(text).flatMap(({ key, kind }) => (kind === 'shard' ? [] : [key])));
}

/** True for a word that a question is about; see `WEAK_WORDS`. */
export function isTelling(word: string): boolean {
  return !WEAK_WORDS.has(caseFold(word));
}

/** The keys that a few words of a question are looked for by: of Chinese the pairs, not the single characters. */
export function questionKeys(words: readonly string[]): ReadonlySet<string> {
  const tokens = words.flatMap((word) => tokenize(word));
  return new Set(tokens.flatMap(({ key, kind }) => (kind === 'word' || kind === 'whole' ? [key] : [])));
}

/** The words of a question that say what it is about, as written, each once. */
export function contentWords(text: string): string[] {
  const words = new Map<string, string>();
  for (const [run] of text.replace(/['’](?:s|re|m|ll|ve|d|t)\b/giu, ' ').matchAll(RUN)) {
    for (const part of run.split(HAN_RUN)) {
      const found = HAN.test(part) ? part.split(HAN_STOP) : [part];
      for (const word of found) {
        const folded = caseFold(word);
        if (word !== '' && !STOP_WORDS.has(folded) && !words.has(folded)) words.set(folded, word);
      }
    }
  }
  return [...words.values()];
}
