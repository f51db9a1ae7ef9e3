import { expect, test } from 'vitest';
import { contentWords, questionKeys, wordKeys } from './words.js';

test.each([
  ['What was the barge booking number?', ['barge', 'booking', 'number']],
  ['Can you remind me what Anouk’s phone number is, please?', ['Anouk', 'phone', 'number']],
  ['大窑的燃气阀门编号是多少？', ['大窑', '燃气阀门编号']],
  ['请问API的限制是什么', ['API', '限制']],
  ['Crane crane CRANE', ['Crane']],
  ['What is it?', []],
])('%s is about its telling words', (question, words) => {
  expect(contentWords(question)).toEqual(words);
});

test.each([
  ['numbers', 'The reservation number'],
  ['reservation', '{"reservation_id": "K1NW8N"}'],
  ['BRG-7K42Q', 'booked under brg-7k42q.'],
  ['阀门编号', '大窑的燃气阀门编号是 GV-5518'],
  ['窑', '两座燃气窑'],
])('%s is found in %s', (word, text) => {
  const keys = wordKeys(text);
  expect([...questionKeys([word])].filter((key) => !keys.has(key))).toEqual([]);
});
