// Compares look-ups with the reference's by the rules of the vectors: results as sets, everything else exactly.
import { excerptOfTerms } from '../../src/core/excerpt.js';
import { normalizeHistory } from '../../src/core/history.js';
import { SEARCH_HITS } from '../../src/core/limits.js';
import { extractRecord } from '../../src/core/message.js';
import { parseQuery } from '../../src/core/query.js';
import { caseFold, charLength, sliceChars } from '../../src/core/text.js';
import { indexTerms } from '../../src/core/tokenize.js';
import { aMessage, type LookupScenario, type LookupStep } from './lookup-vectors.js';

interface Hit {
  readonly id: string;
  readonly excerpt: string;
  readonly excerpt_start: number;
  readonly excerpt_end: number;
  readonly excerpt_match: boolean;
}

interface Results {
  readonly results: readonly Hit[];
  readonly status: string;
}

/** What differs, in words. Keys that the reference does not have are not looked at. */
export function differences(scenario: LookupScenario, step: LookupStep, ours: unknown): string[] {
  const { expected } = step;
  if (isResults(expected) && isResults(ours)) return resultDifferences(scenario, step, expected, ours);
  const wanted = step.op === 'capture' ? normalizeHistory(expected) : expected;
  return saysSame(wanted, ours) ? [] : [`expected ${JSON.stringify(wanted)}, got ${JSON.stringify(ours)}`];
}

function resultDifferences(
  scenario: LookupScenario,
  step: LookupStep,
  expected: Results,
  ours: Results,
): string[] {
  const problems: string[] = [];
  if (expected.status !== ours.status) problems.push(`status ${ours.status} instead of ${expected.status}`);
  const hitById = new Map(ours.results.map((hit) => [hit.id, hit]));
  if (hitById.size !== ours.results.length) problems.push('a source twice');
  const isFull = expected.results.length >= SEARCH_HITS;
  if (isFull && ours.results.length !== SEARCH_HITS) problems.push(`${ours.results.length} results, not 8`);

  const texts = textsOf(scenario);
  const query = String(step.args?.['query']);
  const wantedById = new Map(expected.results.map((hit) => [hit.id, hit]));
  for (const wanted of isFull ? [] : expected.results) {
    if (!hitById.has(wanted.id)) problems.push(`${wanted.id} is missing`);
  }
  for (const hit of ours.results) {
    const wanted = wantedById.get(hit.id);
    const versions = texts.get(hit.id) ?? [];
    if (wanted === undefined) {
      if (!versions.some((text) => holdsWordOf(query, text)))
        problems.push(`${hit.id} holds no word of the query`);
    } else if (!saysSame(wanted, hit) && !isSameHitElsewhere(wanted, hit, versions, query)) {
      problems.push(`expected ${JSON.stringify(wanted)}, got ${JSON.stringify(hit)}`);
    }
  }
  return problems;
}

/**
 * The same source with an excerpt at another place: allowed when the reference's own place is what we find for the
 * reference's terms, and ours is a true cut of the source around a place where the query is found.
 */
function isSameHitElsewhere(wanted: Hit, hit: Hit, versions: readonly string[], query: string): boolean {
  const {
    excerpt: _text,
    excerpt_start: _start,
    excerpt_end: _end,
    excerpt_match: _match,
    ...named
  } = wanted;
  const { needles } = parseQuery(query);
  return (
    saysSame(named, hit) &&
    hit.excerpt_match &&
    versions.some((text) => sliceChars(text, hit.excerpt_start, hit.excerpt_end) === hit.excerpt) &&
    versions.some((text) =>
      (['substring', 'token'] as const).some((mode) => saysSame(excerptOfTerms(text, needles, mode), wanted)),
    )
  );
}

function holdsWordOf(query: string, text: string): boolean {
  const { terms, needles } = parseQuery(query);
  const keys = new Set(indexTerms(text));
  const folded = caseFold(text);
  return terms.some((term) => keys.has(term)) || needles.some((needle) => folded.includes(needle));
}

/** All versions, under any cap, of the sources that a scenario holds. */
function textsOf(scenario: LookupScenario): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const { messages = [], active_messages = [], config } of scenario.steps) {
    for (const message of [...messages, ...active_messages].map(aMessage)) {
      const record = extractRecord(message, config?.max_record_chars ?? 64_000);
      if (record !== null) texts.set(record.id, [...(texts.get(record.id) ?? []), record.text]);
    }
  }
  for (const versions of texts.values()) versions.sort((a, b) => charLength(b) - charLength(a));
  return texts;
}

/** Whether everything that `wanted` says stands in `given` alike. */
export function saysSame(wanted: unknown, given: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(wanted, given);
  if (typeof given !== 'object' || given === null) return false;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(given) &&
      wanted.length === given.length &&
      wanted.every((item, index) => saysSame(item, given[index]))
    );
  }
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(given, key) && saysSame(value, Reflect.get(given, key)),
  );
}

const isResults = (value: unknown): value is Results =>
  typeof value === 'object' && value !== null && 'results' in value && Array.isArray(value.results);
