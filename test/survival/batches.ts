// Numbered batches of text: the number alone says what stands in them.
import type { Message } from '../../src/core/message.js';
import { human } from '../support/archives.js';
import { seededRandom } from '../support/seeded.js';

const WORDS = 'harbour crane quay ledger winter signal copper orchard tunnel anchor meadow lantern'.split(
  ' ',
);

/** A word that stands in this batch and in no other. */
export function wordOf(number: number): string {
  const letters = Array.from(String(number), (digit) => 'bcdfghjklm'[Number(digit)]);
  return `zeta${letters.join('a')}x`;
}

/** From 1 to `maxRecords` messages of up to 2,000 characters, each with the batch's own word. */
export function messagesOfBatch(number: number, maxRecords: number): Message[] {
  const random = seededRandom(number);
  const count = 1 + random.below(maxRecords);
  return Array.from({ length: count }, (_, place) => {
    const words = Array.from({ length: 20 + random.below(240) }, () => random.pick(WORDS));
    return human(`${wordOf(number)} ${place} ${words.join(' ')}`);
  });
}
