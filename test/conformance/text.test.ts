// The reference's own answers for extraction (a), tokens (b), excerpts (c) and Unicode (h).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ExcerptMode, excerptOfTerms } from '../../src/core/excerpt.js';
import { extractRecords, type Message } from '../../src/core/message.js';
import { parseQuery } from '../../src/core/query.js';
import { caseFold, charLength } from '../../src/core/text.js';
import { indexTerms, referenceTerms } from '../../src/core/tokenize.js';
import { CLASS_BY_POINT, isBlank, isWordClass } from '../../src/core/unicode.js';
import { readVectors, VECTORS, type VectorCase } from './text-vectors.js';

/** Where our answer is another one by decision: `file: case name` → why, and what we answer instead. */
const DEPARTURES: ReadonlyMap<string, { readonly reason: string; readonly check: (ours: unknown) => void }> =
  new Map([
    [
      'a_extraction: lone high surrogate',
      {
        reason: 'D7: a lone surrogate becomes U+FFFD, nothing fails because of one',
        check: (ours) => expect(ours).toMatchObject([{ text: 'a\ufffd b', truncated: false }]),
      },
    ],
    [
      'a_extraction: lone low surrogate in args',
      {
        reason: 'D7: a lone surrogate becomes U+FFFD, nothing fails because of one',
        check: (ours) =>
          expect(ours).toMatchObject([
            { text: '\nTool calls: [{"name": "n", "args": {"k": "\ufffd"}, "id": "c"}]', truncated: false },
          ]),
      },
    ],
  ]);

const tallies: string[] = [];
afterAll(() => console.log(tallies.join('\n')));

/** Runs every case of a file, the departures by their own check; prints how many ran, held and departed. */
function runCases(file: string, check: (vector: VectorCase) => unknown): void {
  const { cases } = readVectors(file);
  let held = 0;
  let departed = 0;
  afterAll(() => tallies.push(`${file}: ran ${cases.length}, held ${held}, departed ${departed}`));
  test.each(cases.map((vector) => [vector.name, vector] as const))('%s', (name, vector) => {
    const departure = DEPARTURES.get(`${file}: ${name}`);
    if (departure === undefined) {
      check(vector);
      held += 1;
    } else {
      departure.check(answerOf(vector));
      departed += 1;
    }
  });
}

function answerOf({ input }: VectorCase): unknown {
  const messages = (input['messages'] as Partial<Message>[]).map(aMessage);
  return extractRecords(messages, input['cap'] as number);
}

/** Vectors leave out what is null or empty. */
function aMessage(given: Partial<Message>): Message {
  return {
    type: given.type ?? '',
    content: given.content ?? null,
    id: given.id ?? null,
    name: given.name ?? null,
    additional_kwargs: given.additional_kwargs ?? {},
    tool_calls: given.tool_calls ?? [],
    tool_call_id: given.tool_call_id ?? null,
  };
}

describe('extraction gives the records of the reference, ids included', () => {
  runCases('a_extraction', (vector) => {
    expect(answerOf(vector)).toEqual(vector.expected);
  });
});

describe('the tokenizer folds like the reference, has all of its tokens, and finds them', () => {
  runCases('b_tokens', ({ input, expected }) => {
    const text = input['text'] as string;
    const answer = expected as { casefold: string; terms: string[]; index_text: string };
    expect(caseFold(text)).toBe(answer.casefold);
    expect([...parseQuery(text).needles].sort()).toEqual([...answer.terms].sort());

    expect(referenceTerms(text).join(' ')).toBe(answer.index_text);

    const keys = new Set(indexTerms(text));
    const unfound = answer.index_text
      .split(' ')
      // A query is cut after 500 characters, in the reference as well: a longer word can be found by neither.
      .filter((term) => term !== '' && charLength(term) <= 500)
      .filter((term) => !parseQuery(term).terms.some((key) => keys.has(key)));
    expect(unfound).toEqual([]);
  });
});

describe('an excerpt for the terms of the reference is the excerpt of the reference', () => {
  runCases('c_excerpts', ({ input, expected }) => {
    const mode: ExcerptMode = input['substring'] === true ? 'substring' : 'token';
    expect(excerptOfTerms(input['text'] as string, input['terms'] as string[], mode)).toEqual(expected);
  });
});

describe('Unicode facts are those of the reference for every code point', () => {
  const tables = JSON.parse(readFileSync(join(VECTORS, 'h_unicode_tables.json'), 'utf8')) as {
    word_ranges: [number, number][];
    casefold: Record<string, string[]>;
    strip_whitespace: string[];
  };
  const points = Array.from({ length: 0x110000 }, (_, point) => point);

  test('word characters', () => {
    const wanted = new Uint8Array(points.length);
    for (const [first, last] of tables.word_ranges) wanted.fill(1, first, last + 1);
    expect(
      points.filter((point) => isWordClass(CLASS_BY_POINT[point] ?? 0) !== (wanted[point] === 1)),
    ).toEqual([]);
  });

  test('case folding', () => {
    const wrong = points.filter((point) => {
      if (point >= 0xd800 && point <= 0xdfff) return false;
      const folded = tables.casefold[point.toString(16)];
      const wanted = folded === undefined ? [point] : folded.map((part) => Number.parseInt(part, 16));
      return caseFold(String.fromCodePoint(point)) !== String.fromCodePoint(...wanted);
    });
    expect(wrong).toEqual([]);
  });

  test('whitespace that Python strips', () => {
    const blank = points.filter((point) => isBlank(String.fromCodePoint(point)));
    expect(blank.map((point) => point.toString(16)).sort()).toEqual([...tables.strip_whitespace].sort());
  });
  afterAll(() => tallies.push(`h_unicode_tables: ran ${points.length} code points in 3 tables`));
});
