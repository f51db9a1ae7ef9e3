// How a yardstick is measured on the reference's tables, wherever they stand.
import type { Message } from '../src/core/message.js';
import { type Timing, time, timingOf } from './measure.js';
import { aBatch, COMMON, MIDDLING, messageSource, RECORDS, rareWord } from './messages.js';
import {
  deleteReferenceBatch,
  type PlainDatabase,
  REFERENCE_SCHEMA,
  readReferenceSource,
  referenceBatch,
  searchReference,
  writeReference,
} from './reference-tables.js';

/** Batches of every archive that is compared. */
export const BATCHES = 32;
/** Rounds of a search or a read, and deletions of a batch. */
export const ROUNDS = 30;
export const DELETIONS = 10;
/** The three words that are searched. The rare one stands in the middle of the archive. */
export const RARE = rareWord((BATCHES * RECORDS) / 2 + 77);
export const WORDS = [RARE, MIDDLING, COMMON] as const;

export interface YardstickFigures {
  /** From messages to the end of the transaction: ids, digests, words, writing. */
  readonly capture: Timing;
  /** The transaction alone. */
  readonly write: Timing;
  readonly search: Timing;
  readonly read: Timing;
  readonly remove: Timing;
}

export interface ReferenceYardstick {
  /** Captures the next batch. */
  capture(): void;
  /** Once all batches are captured: searches, reads, deletes, and tells what everything took. */
  finish(): Promise<YardstickFigures>;
}

/** Empty tables of the reference. */
export function referenceYardstick(db: PlainDatabase): ReferenceYardstick {
  db.exec(REFERENCE_SCHEMA);
  const next = messageSource();
  const captures: number[] = [];
  const writes: number[] = [];
  const batches: string[] = [];
  let read = '';
  return {
    capture() {
      const messages: readonly Message[] = aBatch(next);
      const start = performance.now();
      const batch = referenceBatch(messages, batches.length + 1);
      const made = performance.now();
      writeReference(db, batch);
      captures.push(performance.now() - start);
      writes.push(performance.now() - made);
      batches.push(batch.id);
      read = batch.rows[0]?.[1] ?? '';
    },
    async finish() {
      if (readReferenceSource(db, batches, read) !== 1) throw new Error('The source was not found.');
      if (searchReference(db, batches, [RARE]) !== 1) throw new Error(`${RARE} was not found once.`);
      const search = await time(() => searchReference(db, batches, WORDS), { rounds: ROUNDS });
      const reads = await time(() => readReferenceSource(db, batches, read), { rounds: ROUNDS });
      const removals: number[] = [];
      for (const id of batches.slice(0, DELETIONS)) {
        const start = performance.now();
        deleteReferenceBatch(db, id);
        removals.push(performance.now() - start);
      }
      const [capture, write, remove] = [timingOf(captures), timingOf(writes), timingOf(removals)];
      return { capture, write, search, read: reads, remove };
    },
  };
}
