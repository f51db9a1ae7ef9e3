import { describe, expect, test } from 'vitest';
import { assistant, calls, result, system, user } from '../../test/support/plain-messages.js';
import { missingFacts } from './facts.js';
import { extractRecord, type Message } from './message.js';

/** What is missing, as `kind: text`. */
const missing = (messages: readonly Message[], summary = ''): readonly string[] =>
  missingFacts(messages, summary).map(({ kind, text }) => `${kind}: ${text}`);

describe('what a summary may have lost', () => {
  test.each([
    ['a link', 'See https://example.org/a?b=1#c, please.', 'link: https://example.org/a?b=1#c'],
    ['an address', 'Write to ada@example.org.', 'identifier: ada@example.org'],
    ['a path', 'It lies in /var/log/app/error.log now', 'path: /var/log/app/error.log'],
    ['a file of a project', 'open src/core/facts.ts', 'path: src/core/facts.ts'],
    ['a code', 'the batch is ZX-731', 'identifier: ZX-731'],
    ['a code in Chinese', '批次是 ZX-731。', 'identifier: ZX-731'],
    ['a variable', 'set user_id', 'identifier: user_id'],
    ['a camel', 'call getState', 'identifier: getState'],
    ['a version', 'use v2.3.1', 'identifier: v2.3.1'],
    ['an amount', 'it costs $1,250.50 a month', 'number: $1,250.50'],
    ['a share', 'about 7% of it', 'number: 7%'],
    ['a date', 'on 2026-12-01', 'number: 2026-12-01'],
    ['a moment', 'made 2024-05-06T19:53:46Z', 'number: 2024-05-06T19:53:46Z'],
    ['a day of the month', 'it arrives on the 15th of May', ['number: 15th', 'name: May']],
    ['a span of time', 'within the 24-hour limit, at 10am', ['number: 24-hour', 'number: 10am']],
    ['a seat', 'seat 12C please', 'identifier: 12C'],
    [
      'a code that ends like a size',
      'booking 4WQ150 for RT45kg',
      ['identifier: RT45kg', 'identifier: 4WQ150'],
    ],
    ['a name', 'ask Grace Hopper about it', 'name: Grace Hopper'],
  ])('is %s', (_, text, fact) => {
    const told = missing([assistant(text)]);
    expect(told.toSorted()).toEqual([fact].flat().toSorted());
  });

  test('stands in its sentence, or in what is around it in a long one', () => {
    const sentenceOf = (text: string) => missingFacts([assistant(text)], '')[0]?.sentence;
    expect(sentenceOf('Hello there. The batch is ZX-731, as said. Goodbye.')).toBe(
      'The batch is ZX-731, as said.',
    );
    const long = `${'😀 and '.repeat(200)}ZX-731${' or 😀'.repeat(200)}`;
    expect(sentenceOf(long)).toMatch(/^[^\uFFFD]{250,300}$/u);
    expect(sentenceOf(long)).toContain('ZX-731');
  });

  test('is a rule of the user, whole', () => {
    const said = 'Hello. Never deploy on a Friday, please. Thanks.';
    expect(missing([user(said)])).toContain('rule: Never deploy on a Friday, please.');
    expect(missing([assistant(said)]).filter((fact) => fact.startsWith('rule'))).toEqual([]);
    expect(missing([user('Thanks, but I don’t have the number.')])).toEqual([]);
    expect(missing([user('部署前必须备份。')])).toEqual(['rule: 部署前必须备份。']);
  });

  test('is not what the summary tells, in whatever case and with whatever breaks', () => {
    expect(
      missing([user('the batch is ZX-731, ask Grace Hopper')], 'Batch zx-731; Grace\nHopper knows.'),
    ).toEqual([]);
    expect(missing([user('Never deploy on a Friday.')], 'The user never wants to deploy on Friday.')).toEqual(
      [],
    );
  });

  test('is told once, with the message that named it last', () => {
    const [fact, ...others] = missingFacts(
      [user('ZX-731', { id: 'a' }), assistant('ZX-731 again', { id: 'b' })],
      '',
    );
    expect(fact).toMatchObject({ text: 'ZX-731', messageId: 'b' });
    expect(others).toEqual([]);
  });

  test('can be cited: its source is the one that an archive holds', () => {
    const message = user('the batch is ZX-731', { id: 'a' });
    expect(missingFacts([message], '')[0]?.sourceId).toBe(extractRecord(message, 1_000)?.id);
  });

  test('is no part of something larger', () => {
    expect(missing([user('https://example.org/v2/user_id/2026')])).toEqual([
      'link: https://example.org/v2/user_id/2026',
    ]);
  });

  test('is no single digit and no word that merely begins a sentence', () => {
    expect(missing([user('We have 3 of them, I’ll say: No. This is fine. Good.')])).toEqual([]);
  });

  test('is no first, second or third, and no ordinal whose number the summary tells', () => {
    expect(missing([user('take the 1st, the 2nd and the 3rd')])).toEqual([]);
    expect(missing([user('on the 15th')], 'They leave on 15 May.')).toEqual([]);
  });

  test('is what a call or a JSON result says, not how its parts are called nor the id of the call', () => {
    const call = {
      name: 'book_flight',
      args: { user_id: 'mia_li_3668', legs: [{ flight_number: 'HAT136' }] },
    };
    const made = assistant('I book it now.', {
      tool_calls: [{ ...call, id: 'call_1ym0FpGGzbw9dXzRA3Bm46DI' }],
      id: 'a',
    });
    const answer = result(
      'call_1ym0FpGGzbw9dXzRA3Bm46DI',
      '{"reservation_id": "4WQ150", "cabin_class": "economy"}',
    );
    const facts = missingFacts([made, answer], '');
    expect(facts.map(({ text, sentence }) => [text, sentence])).toEqual([
      ['4WQ150', 'reservation_id: 4WQ150'],
      ['HAT136', 'flight_number: HAT136'],
      ['mia_li_3668', 'user_id: mia_li_3668'],
    ]);
    expect(facts.at(-1)?.sourceId).toBe(extractRecord(made, 1_000)?.id);
    expect(missing([calls('call_1ym0FpGGzbw9dXzRA3Bm46DI')])).toEqual([]);
  });

  test('is no word that merely begins a line', () => {
    expect(missing([assistant('we have these\nLuggage and seats')])).toEqual([]);
  });

  test.each([
    'it lands on Thursday at noon',
    'we meet on Fridays, or (Sun) if need be',
    'due in September, or on Wednesday’s call',
    'from Monday November on',
  ])('is no day and no month: %s', (text) => {
    expect(missing([assistant(text)])).toEqual([]);
  });

  test('is a name that a day stands beside', () => {
    expect(missing([assistant('ask on Thursday Grace Hopper')])).toEqual(['name: Thursday Grace Hopper']);
    expect(missing([assistant('ask April about it')])).toEqual(['name: April']);
  });

  test('is looked for in results, and not in system messages', () => {
    expect(missing([system('code AB-12'), result('1', 'code CD-34')])).toEqual(['identifier: CD-34']);
  });

  test('is told with the words of the user first, and of each kind no endless list', () => {
    const many = Array.from({ length: 100 }, (_, at) => assistant(`code AB-${1_000 + at}`));
    const told = missing([user('code CD-77'), ...many]);
    expect(told).toHaveLength(40);
    expect(told.slice(0, 2)).toEqual(['identifier: CD-77', 'identifier: AB-1099']);
  });
});
