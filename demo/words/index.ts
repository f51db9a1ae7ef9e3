// The words of the page in one language: the one that was chosen here, else the browser's, else English.
import { en, type Words } from './en.js';
import { zh } from './zh.js';

/** The languages of the page, by the tag they begin with, and as they call themselves. */
export const LANGUAGES = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const WORDS: Readonly<Record<Language, Words>> = { en, zh };
const KEY = 'threadkeep-demo:language';

/** The first of the wished languages that the page has; English where it has none of them. */
export function languageFor(chosen: string | null, wished: readonly string[]): Language {
  for (const tag of chosen === null ? wished : [chosen, ...wished]) {
    const [base = ''] = tag.toLowerCase().split('-');
    if (isLanguage(base)) return base;
  }
  return 'en';
}

/** Remembers a language and begins the page anew in it: what was typed is kept, a run under way can be continued. */
export function chooseLanguage(language: Language): void {
  storage()?.setItem(KEY, language);
  location.reload();
}

/** The language of this page; English outside of a page, whatever the machine speaks. */
export const language: Language =
  typeof document === 'undefined' ? 'en' : languageFor(storage()?.getItem(KEY) ?? null, navigator.languages);

export const words: Words = WORDS[language];

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name);
}

/** Null where the browser forbids storage: then the browser's own language serves. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
