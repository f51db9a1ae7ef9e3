// What the proof of continuity stands on: the conversation is long, and no question gives its answer away.
import { describe, expect, test } from 'vitest';
import { indexTerms } from '../../src/core/tokenize.js';
import { conversationOf } from './conversation.js';

describe('the conversation of the proof', () => {
  const { turns, details } = conversationOf(1, 90, 25);
  const texts = turns.flatMap(({ said, looked, answer }) => [
    said,
    ...(looked === null ? [] : [looked]),
    answer,
  ]);

  test('has three hundred messages, with the calls of its tool', () => {
    expect(texts.length + turns.filter(({ looked }) => looked !== null).length).toBe(300);
  });

  test('tells each detail in one message, all of them in the first five sixths', () => {
    for (const { text, sentence } of details) {
      expect(texts.filter((one) => one.includes(text))).toHaveLength(1);
      expect(texts.findIndex((one) => one.includes(sentence))).toBeLessThan((texts.length * 5) / 6);
    }
  });

  test('has details of every kind in both languages', () => {
    expect(new Set(details.map(({ language, kind }) => `${language} ${kind}`)).size).toBe(10);
  });

  test('is asked about with no word of the detail', () => {
    for (const { text, question } of details) {
      const asked = new Set(indexTerms(question));
      expect(indexTerms(text).filter((word) => asked.has(word))).toEqual([]);
    }
  });

  test('is the same for the same seed, and another for another', () => {
    expect(conversationOf(1, 90, 25)).toEqual({ turns, details });
    expect(conversationOf(2, 90, 25).details).not.toEqual(details);
  });
});
