import { describe, expect, test } from 'vitest';
import { askedKinds, holdsKind, type Kind } from './kinds.js';

test.each<[string, Kind]>([
  ['What was the reservation number?', 'code'],
  ['Which booking ID was it?', 'code'],
  ['燃气阀门编号是多少？', 'code'],
  ['How much was the deposit?', 'money'],
  ['门票多少钱？', 'money'],
  ['How many crates are there?', 'count'],
  ['What is the phone number of the hotel?', 'phone'],
  ['酒店电话是多少？', 'phone'],
  ['What is my email address?', 'email'],
  ['When do we cross?', 'date'],
  ['What time is high water?', 'time'],
  ['Who has the key?', 'person'],
  ['Where do I live?', 'place'],
  ['What is the rule about kilns?', 'rule'],
  ['Which file holds the fix?', 'path'],
])('%s asks first for a %s', (question, kind) => {
  expect(askedKinds(question)[0]).toBe(kind);
});

test('a question whose form tells nothing asks for no kind', () => {
  expect(askedKinds('What did we decide about the glaze?')).toEqual([]);
});

describe('has the form', () => {
  test.each<[Kind, string]>([
    ['code', 'The reference is BRG-7K42Q.'],
    ['code', 'my user ID is omar_davis_3817'],
    ['code', 'reservation JG7FMM'],
    ['code', 'order #W2378156'],
    ['money', 'a deposit of €370'],
    ['money', '人均消费80元'],
    ['count', 'eleven crates'],
    ['date', 'on Tuesday'],
    ['date', '6月16日'],
    ['time', 'at 09:42'],
    ['phone', '010-81528822'],
    ['email', 'write to a.b@example.com'],
    ['person', 'The key is with Anouk.'],
    ['place', 'I live in Seattle.'],
    ['rule', 'Never load a kiln on a Friday.'],
    ['path', 'see src/fields.py'],
  ])('of a %s: %s', (kind, text) => {
    expect(holdsKind(text, kind)).toBe(true);
  });

  test.each<[Kind, string]>([
    ['code', 'on 2026-06-16 at 10am, the 2nd of 4,385 kg'],
    ['code', 'Please wait a moment.'],
    ['money', 'the deposit was paid'],
    ['count', 'some crates'],
    ['date', 'as soon as we may'],
    ['phone', 'call 112'],
    ['rule', 'you may load it'],
  ])('of no %s: %s', (kind, text) => {
    expect(holdsKind(text, kind)).toBe(false);
  });

  test('of a member of JSON the value counts, where the key says nothing about it', () => {
    expect(holdsKind('"address1": "Spruce Street"', 'code', true)).toBe(false);
    expect(holdsKind('"id": "K1NW8N"', 'code', true)).toBe(true);
    expect(holdsKind('"price_eur": 1480', 'money', true)).toBe(true);
  });
});
