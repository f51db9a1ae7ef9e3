// English inflections: brings `replica` and `replicas`, `plan`, `planned` and `planning`, `buy` and `bought` together.

/** A base form, then irregular forms of it; only those that are hardly ever another word. */
const IRREGULAR = `
be are was were been being|go goes going went gone|do does did done doing|have has had having|say said
see saw seen|make made|take took taken|come came|know knew known|get got gotten|give gave given|find found
think thought|tell told|become became|leave left|feel felt|bring brought|begin began begun|keep kept|hold held
write wrote written|stand stood|hear heard|mean meant|meet met|run ran|pay paid|sit sat|speak spoke spoken|lead led
grow grew grown|lose lost|fall fell fallen|send sent|build built|understand understood|draw drew drawn
break broke broken|spend spent|choose chose chosen|buy bought|sell sold|teach taught|catch caught|drive drove driven
eat ate eaten|fly flew flown|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|hide hid hidden
ride rode ridden|rise rose risen|sing sang sung|sleep slept|steal stole stolen|swim swam swum|throw threw thrown
wake woke woken|wear wore worn|win won|bite bit bitten|blow blew blown|deal dealt|dig dug|drink drank drunk
fight fought|hang hung|lend lent|shoot shot|shake shook shaken|seek sought|stick stuck|strike struck|swear swore sworn
tear tore torn|use uses used using|die dies died dying|lie lies lied lying|tie ties tied tying|agree agreed|free freed
child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|goose geese|index indices
matrix matrices|vertex vertices|analysis analyses|criterion criteria|crisis crises|thesis theses|life lives|wife wives
knife knives|leaf leaves|half halves|shelf shelves|good better best|bad worse worst`;
/** Adjectives that are compared by `-er` and `-est`: as a rule, those endings would hurt `server` and `request`. */
const COMPARED = `
big small large old young new long short high low fast slow cheap great early late easy hard strong weak near close
safe simple happy busy hot cold warm cool dark light heavy thick thin wide narrow deep clean quick smart rich poor
loud quiet bright tall nice fine full healthy tough rough smooth soft`;
/** Words that only look inflected. */
const PLAIN =
  'evening united news species series always yes this gas lens bus plus status during nothing something';

const baseByForm = new Map<string, string>();
for (const line of IRREGULAR.trim().split(/[|\n]/)) {
  const [base = '', ...forms] = line.split(' ');
  for (const form of forms) baseByForm.set(form, base);
}
for (const base of COMPARED.trim().split(/\s+/)) {
  const root = comparedRoot(base);
  baseByForm.set(`${root}er`, base).set(`${root}est`, base);
}
const plainWords: ReadonlySet<string> = new Set(PLAIN.split(' '));

/**
 * The stem of a lower-case English word of letters a to z; anything else comes back as it is. Only inflections are
 * taken off, never word formation: `organize` and `organization` stay two words. Stems are keys, not words.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const base = plainWords.has(word) ? word : (baseByForm.get(word) ?? withoutTense(withoutPlural(word)));
  return canonical(base);
}

function withoutPlural(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  return word.slice(0, /(?:ss|x|z|ch|sh)es$/.test(word) ? -2 : -1);
}

function withoutTense(word: string): string {
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`;
  const ending = /(?:ed|ing)$/.exec(word);
  if (ending === null || word.endsWith('eed')) return word;
  const stem = word.slice(0, ending.index);
  if (stem.length < 3 || !/[aeiouy]/.test(stem)) return word;
  if (/([^aeiouylsz])\1$/.test(stem)) return stem.slice(0, -1);
  return isShort(stem) ? `${stem}e` : stem;
}

/** One spelling for what a base form may look like once its ending is gone: `machine`, `happy`, `travell(ed)`. */
function canonical(base: string): string {
  if (/(?:ll|zz)$/.test(base)) return base.slice(0, -1);
  if (/[^aeiou]y$/.test(base) && base.length > 2) return `${base.slice(0, -1)}i`;
  if (base.length < 4 || !base.endsWith('e')) return base;
  const stem = base.slice(0, -1);
  return isShort(stem) || !/[aeiouy]/.test(stem) ? base : stem;
}

/** One syllable of consonants, a vowel and a consonant: what had an `e` before `-ing` (`hop-ing` is of `hope`). */
function isShort(stem: string): boolean {
  return /^[^aeiou]*[aeiouy][^aeiouwxy]$/.test(stem);
}

function comparedRoot(base: string): string {
  if (base.endsWith('e')) return base.slice(0, -1);
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}i`;
  return /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(base) ? base + base.slice(-1) : base;
}
