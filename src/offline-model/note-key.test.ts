import { expect, test } from 'vitest';
import { noteKey } from './note-key.js';
import { questionOf } from './question.js';

const keyFor = (message: string) => {
  const question = questionOf(message);
  return question === null ? null : noteKey(question);
};

test.each([
  ['What was the barge booking number?', 'barge-booking-number'],
  [
    'Which of the uncharacteristically disproportionate overgeneralisations matter?',
    'uncharacteristically-disproportionate',
  ],
  [`What is ${'x'.repeat(60)}?`, 'x'.repeat(40)],
])('%s is noted under %s', (question, key) => {
  expect(keyFor(question)).toBe(key);
});

test('a question without Latin words has a key of its own, the same each time', () => {
  const key = keyFor('阀门编号是多少？');
  expect(key).toMatch(/^note-[a-z0-9]{1,13}$/);
  expect(keyFor('阀门编号是多少？')).toBe(key);
  expect(keyFor('押金是多少？')).not.toBe(key);
});
