import { describe, expect, test } from 'vitest';
import { questionOf, searchQueries } from './question.js';

const query = (message: string) => {
  const question = questionOf(message);
  return question === null ? null : searchQueries(question);
};

describe('a message asks', () => {
  test.each([
    'What was the booking number',
    'The key, who has it?',
    'remind me of the rule about kilns',
    'Tell me the deposit.',
    'Thanks! And when do we leave',
    'Name one of the barges.',
    '酒店电话是多少？',
    '大窑的阀门编号是多少',
    '告诉我押金',
    'Is the crane free？',
  ])('%s', (message) => {
    expect(questionOf(message)).not.toBeNull();
  });
});

describe('a message states or instructs', () => {
  test.each([
    'Please reserve Hedda for Tuesday.',
    'Yes, go ahead.',
    'My name is Ilse and I know what I want.',
    '好的，就这样。',
    '',
  ])('%s', (message) => {
    expect(questionOf(message)).toBeNull();
  });
});

test('only the asking sentences are searched for', () => {
  expect(query('We packed all day. What was the berth contract number?')?.first).toBe(
    'berth contract number',
  );
});

test('a question that says too little takes its words from the sentences around', () => {
  expect(query('I lost the gate width. Can you find it?')?.first).toBe('lost gate width find');
});

test('words that help a search are no topic of the question', () => {
  const question = questionOf('Which reservation numbers did you find under my user ID?');
  expect(question?.words).toEqual(['reservation', 'numbers', 'find', 'under', 'user', 'ID']);
  expect(question?.terms.filter(({ isTopic }) => isTopic).map(({ keys }) => keys)).toEqual([
    ['reservation'],
    ['user'],
  ]);
  expect(question).toMatchObject({ label: 'reservation', isPlural: true });
});

test('the second search has the longest words and what the asked form is called otherwise', () => {
  expect(query('What was the berth contract number?')?.retry).toBe(
    'contract number berth id code reference 编号',
  );
});

test.each([
  ['Who is Anouk?', { first: 'Anouk', retry: '' }],
  ['What about glaze crates?', { first: 'glaze crates', retry: 'crates' }],
  ['谁有钥匙？', { first: '钥匙', retry: '' }],
])('%s is never searched for twice in the same words', (message, queries) => {
  expect(query(message)).toEqual(queries);
});
