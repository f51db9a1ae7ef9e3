// A short key for a note, made from the question's words, the same for the same question.
import { NOTE_KEY_CHARS } from '../core/limits.js';
import type { Question } from './question.js';

/** Letters, digits and hyphens only, at most 40. Words in other scripts give a key made of their code points. */
export function noteKey(question: Question): string {
  const latin = question.words
    .map((word) => word.toLowerCase().replace(/[^a-z0-9]+/g, ''))
    .filter((word) => word !== '');
  if (latin.length === 0) return `note-${checksum(question.words.join(' '))}`;
  let key = '';
  for (const word of latin.slice(0, 4)) {
    const longer = key === '' ? word : `${key}-${word}`;
    if (longer.length > NOTE_KEY_CHARS) break;
    key = longer;
  }
  return key === '' ? (latin[0] ?? '').slice(0, NOTE_KEY_CHARS) : key;
}

/** FNV-1a, 32 bits: a name, not a safeguard. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}
