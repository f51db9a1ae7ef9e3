// What is looked for in a replayed conversation: exact things, in words from around them.
import { missingFacts } from '../../src/core/facts.js';
import type { Message } from '../../src/core/message.js';
import { parseQuery } from '../../src/core/query.js';
import { indexTerms } from '../../src/core/tokenize.js';

export interface Probe {
  /** Letters, digits and signs that nobody can guess. */
  readonly identifier: string;
  /** Its sentence without it, and without words that it has. */
  readonly query: string;
}

const KINDS: ReadonlySet<string> = new Set(['link', 'path', 'identifier']);
/** A query of fewer words says nothing about what is meant. */
const FEWEST_WORDS = 3;

/** Up to so many identifiers of the messages, the newest of each kind first; those that stand alone are left out. */
export function probesOf(messages: readonly Message[], most: number): readonly Probe[] {
  return missingFacts(messages, '')
    .filter(({ kind }) => KINDS.has(kind))
    .map(({ text, sentence }) => ({ identifier: text, query: around(sentence, text) }))
    .filter(({ query }) => parseQuery(query).terms.length >= FEWEST_WORDS)
    .slice(0, most);
}

function around(sentence: string, identifier: string): string {
  const own = new Set(indexTerms(identifier));
  return sentence
    .replaceAll(identifier, ' ')
    .split(/\s+/u)
    .filter((word) => !indexTerms(word).some((term) => own.has(term)))
    .join(' ');
}
