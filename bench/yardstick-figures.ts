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

/** Fills the reference's tables and times what they take. */
export async function referenceFigures(db: PlainDatabase): Promise<YardstickFigures> {
  db.exec(REFERENCE_SCHEMA);
  const next = messageSource();
  const captures: number[] = [];
  const writes: number[] = [];
  const batches: string[] = [];
  let read = '';
  for (let created = 1; created <= BATCHES; created += 1) {
    const messages: readonly Message[] = aBatch(next);
    const start = performance.now();
    const batch = referenceBatch(messages, created);
    const made = performance.now();
    writeReference(db, batch);
    captures.push(performance.now() - start);
    writes.push(performance.now() - made);
    batches.push(batch.id);
    if (created === BATCHES) read = batch.rows[0]?.[1] ?? '';
  }
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
  return {
    capture: timingOf(captures),
    write: timingOf(writes),
    search,
    read: reads,
    remove: timingOf(removals),
  };
}
