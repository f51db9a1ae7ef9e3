// The conversation that the archive's benchmarks store: as long as one likes, and the same in every run.
import type { Message } from '../src/core/message.js';

/** Messages of one batch, and characters of one message. */
export const RECORDS = 256;
export const CHARS = 2_000;
export const RETENTION = { maxBatches: 64, maxRecordsPerBatch: RECORDS, maxRecordChars: 16_000 };

/** In every tenth message; in every hundredth. */
export const COMMON = 'harbour';
export const MIDDLING = 'inspection';
/** In one message of all: letters alone, so that it is one term. */
export const rareWord = (at: number): string =>
  `berth${Array.from(String(at), (digit) => String.fromCharCode(0x61 + Number(digit))).join('')}`;

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number> {
  for (let value = seed; ; ) {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield value;
  }
}

/** Makes message after message: each call the next one. */
export function messageSource(seed = 11): () => Message {
  const random = numbers(seed);
  const next = (below: number): number => (random.next().value ?? 0) % below;
  let made = 0;
  return () => {
    const at = made++;
    const words: string[] = [rareWord(at)];
    if (at % 10 === 0) words.push(COMMON);
    if (at % 100 === 0) words.push(MIDDLING);
    for (let length = 0; length < CHARS; length += 8) words.push(`w${next(30_000)}`);
    return {
      type: 'human',
      content: words.join(' ').slice(0, CHARS),
      id: `m${at}`,
      name: null,
      additional_kwargs: {},
      tool_calls: [],
      tool_call_id: null,
    };
  };
}

/** The next batch of messages. */
export function aBatch(next: () => Message): Message[] {
  return Array.from({ length: RECORDS }, next);
}
