// A block answers for its texts as each of them would.
import { describe, expect, test } from 'vitest';
import { seededRandom, seededText } from '../../test/support/seeded.js';
import { blockBuilder, matchBlock } from './block.js';
import { matchText, searchableText } from './match.js';
import { parseQuery } from './query.js';

function blockOf(texts: readonly string[]) {
  const builder = blockBuilder();
  for (const text of texts) builder.add(text);
  return builder.build();
}

describe('a block of texts', () => {
  test('matches text by text, in their order', () => {
    const block = blockOf(['two replicas, a replica', 'the ledger', '备份备份 and a replica', '']);
    expect(matchBlock(block, parseQuery('replica 备份'))).toEqual([
      { counts: [2, 0], words: 3, substrings: 1 },
      null,
      { counts: [1, 2], words: 7, substrings: 2 },
      null,
    ]);
  });

  test('finds parts of words in the texts that hold them, and in no others', () => {
    const block = blockOf(['concatenate', 'cat', 'dog', 'a concatenation and a cat']);
    const substrings = matchBlock(block, parseQuery('cat')).map((match) => match?.substrings ?? null);
    expect(substrings).toEqual([1, 1, null, 1]);
  });

  test.each([1, 2, 3, 4, 5, 6])('says of every text what the text alone says (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const texts = Array.from({ length: 60 }, () => seededText(random, 1 + random.below(30)));
    const block = blockOf(texts);
    for (let round = 0; round < 60; round += 1) {
      const text = random.pick(texts);
      const start = random.below(text.length + 1);
      const asked =
        round % 2 === 0
          ? seededText(random, 1 + random.below(6))
          : text.slice(start, start + 1 + random.below(40));
      const query = parseQuery(asked);
      const alone = texts.map((one) => matchText(searchableText(one), query));
      expect(matchBlock(block, query), `seed ${seed}, ${JSON.stringify(asked)}`).toEqual(alone);
    }
  });

  test('knows the length of every text in words', () => {
    const random = seededRandom(9);
    const texts = Array.from({ length: 40 }, () => seededText(random, 20));
    expect(blockOf(texts).texts.map(({ words }) => words)).toEqual(
      texts.map((text) => searchableText(text).words),
    );
  });
});
