// English inflections: brings `replicas`, `replicated` and `replicating` to one stem (Porter's rules, and irregular forms).

/** Base form, then its irregular forms. Only forms that no other word of daily use shares. */
const IRREGULAR = `
be am is are was were been being|go goes went gone|do does did done|have has had having|say said|see saw seen
make made|take took taken|come came|know knew known|get got gotten|give gave given|find found|think thought
tell told|become became|leave left|feel felt|bring brought|begin began begun|keep kept|hold held|write wrote written
stand stood|hear heard|mean meant|meet met|run ran|pay paid|sit sat|speak spoke spoken|lead led|grow grew grown
lose lost|fall fell fallen|send sent|build built|understand understood|draw drew drawn|break broke broken
spend spent|choose chose chosen|buy bought|sell sold|teach taught|catch caught|drive drove driven|eat ate eaten
fly flew flown|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|hide hid hidden|ride rode ridden
rise rose risen|sing sang sung|sleep slept|steal stole stolen|swim swam swum|throw threw thrown|wake woke woken
wear wore worn|win won|bite bit bitten|blow blew blown|deal dealt|dig dug|drink drank drunk|fight fought|hang hung
lend lent|shoot shot|shake shook shaken|seek sought|stick stuck|strike struck|swear swore sworn|tear tore torn
child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|goose geese|index indices
matrix matrices|vertex vertices|analysis analyses|criterion criteria|life lives|wife wives|knife knives|leaf leaves
half halves|shelf shelves|good better best|bad worse worst|datum data`;

function irregularForms(): ReadonlyMap<string, string> {
  const baseByForm = new Map<string, string>();
  for (const line of IRREGULAR.trim().split(/[|\n]/)) {
    const [base = '', ...forms] = line.split(' ');
    for (const form of forms) baseByForm.set(form, base);
  }
  return baseByForm;
}

const BASE_BY_FORM = irregularForms();

const STEP_2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];
const STEP_3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const STEP_4 = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/;

/** A vowel, `y` after a consonant counting as one: `V` and `C` for each letter. */
function shape(word: string): string {
  let letters = '';
  for (let at = 0; at < word.length; at += 1) {
    const letter = word.charCodeAt(at);
    const isVowel =
      letter === 97 ||
      letter === 101 ||
      letter === 105 ||
      letter === 111 ||
      letter === 117 ||
      (letter === 121 && at > 0 && letters.charCodeAt(at - 1) === 67);
    letters += isVowel ? 'V' : 'C';
  }
  return letters;
}

/** How many times a vowel is followed by a consonant. */
function measure(word: string): number {
  const letters = shape(word);
  let count = 0;
  for (let at = 1; at < letters.length; at += 1) {
    if (letters.charCodeAt(at) === 67 && letters.charCodeAt(at - 1) === 86) count += 1;
  }
  return count;
}

const hasVowel = (word: string): boolean => shape(word).includes('V');

/** Ends consonant, vowel, consonant, the last not w, x or y: such stems had an `e` (`hop-ing`, `hope`). */
const endsShort = (word: string): boolean => shape(word).endsWith('CVC') && !/[wxy]$/.test(word);

/**
 * The stem of a lower-case English word of letters a to z; other text and words of one or two letters come back
 * as they are. Stems are keys, not words: `happy` and `happiness` are both `happi`.
 */
export function stemEnglish(given: string): string {
  if (given.length < 3 || !/^[a-z]+$/.test(given)) return given;
  let word = BASE_BY_FORM.get(given) ?? given;
  word = withoutPlural(word);
  word = withoutTense(word);
  if (word.length > 2 && word.endsWith('y') && hasVowel(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
  word = replaced(word, STEP_2);
  word = replaced(word, STEP_3);
  const bare = word.replace(STEP_4, '');
  if (bare !== word && measure(bare) > 1) word = bare;
  if (word.endsWith('e')) {
    const stem = word.slice(0, -1);
    const size = measure(stem);
    if (size > 1 || (size === 1 && !endsShort(stem))) word = stem;
  }
  return word.endsWith('ll') && measure(word.slice(0, -1)) > 1 ? word.slice(0, -1) : word;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') && word.length > 3 ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = /(?:ed|ing)$/.exec(word);
  if (ending === null) return word;
  const stem = word.slice(0, ending.index);
  if (!hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeiouylsz])\1$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

/** The first ending of the list that the word has is replaced when enough of the word stands before it. */
function replaced(word: string, endings: readonly (readonly [string, string])[]): string {
  for (const [ending, replacement] of endings) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    return measure(stem) > 0 ? stem + replacement : word;
  }
  return word;
}
