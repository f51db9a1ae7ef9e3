// What a value read from a file is, for code and for people.
import { words } from '../words/index.js';

/** A JSON object, not a list and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value is, in words that fit after "is". */
export function describeValue(value: unknown): string {
  if (value === undefined) return words.value.missing;
  if (value === null) return words.value.nothing;
  if (Array.isArray(value)) return value.length === 0 ? words.value.emptyList : words.value.list;
  if (typeof value === 'object') return words.value.object;
  if (typeof value === 'string') return words.value.text;
  if (typeof value === 'number') return words.value.number;
  return value === true ? words.value.true : words.value.false;
}
