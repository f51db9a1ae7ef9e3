// The word index of a batch: for each word, the sources that hold it and how often.
//
// Ranking needs exact counts, over the reachable batches only. FTS5 keeps positions instead of counts, counts
// documents of all batches, and defers its deletions. Measured on 32 batches of 256 records of 2,000 characters: a
// common word's counts took 65-95 ms through `fts5vocab` and take 1 ms here, deleting a batch 2-108 ms and 1 ms,
// and inserting one 35 ms and 20 ms.
import { wellFormed } from '../src/core/text.js';
import { indexText } from '../src/core/tokenize.js';

/** What is written of a batch's words. */
export interface BatchIndex {
  /** Lists of words with their sources. A word stands in the list that its hash tells; see `listOf`. */
  readonly lists: readonly string[];
  /** Length of each source in words. */
  readonly words: readonly number[];
}

/** Mean size of a list, in bytes: several fit on a page of the database, and one is searched in microseconds. */
const LIST_BYTES = 1_000;
/**
 * Numbers are written as characters, from `0` on: UTF-8 makes a variable-length integer of each. Words are free of
 * blanks, so that a line break and a tab tell where one begins and ends.
 */
const ZERO = 0x30;
/** More of one word in one source changes no ranking, and must not reach the surrogates. */
const MAX_COUNT = 0x7fff;

/** Indexes the texts of a batch. Their places in the batch are their names here. */
export function indexBatch(texts: readonly string[]): BatchIndex {
  const occurrences = new Occurrences();
  const words = texts.map((text, place) => {
    const indexed = indexText(text);
    for (const key of indexed.keys) occurrences.add(key, place);
    return indexed.words;
  });
  return { lists: listsOf(occurrences), words };
}

/** Which of a batch's lists holds the word, if any does. */
export function listOf(word: string, lists: number): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = (Math.imul(hash, 31) + word.charCodeAt(at)) | 0;
  return ((hash ^ (hash >>> 15)) >>> 0) % lists;
}

/** Calls back with the place and the count of each source that holds the word. */
export function findWord(list: string, word: string, found: (place: number, count: number) => void): void {
  const entry = `\n${word}\t`;
  const at = list.indexOf(entry);
  if (at < 0) return;
  const end = list.indexOf('\n', at + entry.length);
  for (let from = at + entry.length; from + 1 < end; from += 2) {
    found(list.charCodeAt(from) - ZERO, list.charCodeAt(from + 1) - ZERO);
  }
}

/**
 * Which sources hold a word and how often, for all words at once. Numbers in a few long arrays, because a batch of
 * Chinese text has a million words: a list for each would take seconds to make.
 */
class Occurrences {
  readonly #numberByWord = new Map<string, number>();
  /** For each word, by its number, the latest of its entries. */
  readonly #latest: number[] = [];
  /** For each entry its source and its count, and the entry before it of the same word; -1 for the first. */
  readonly #places: number[] = [];
  readonly #counts: number[] = [];
  readonly #before: number[] = [];

  /** Places come in ascending order. */
  add(word: string, place: number): void {
    let number = this.#numberByWord.get(word);
    if (number === undefined) {
      number = this.#latest.length;
      this.#numberByWord.set(word, number);
      this.#latest.push(-1);
    }
    const latest = this.#latest[number] ?? -1;
    if (latest >= 0 && this.#places[latest] === place) {
      this.#counts[latest] = (this.#counts[latest] ?? 0) + 1;
      return;
    }
    this.#latest[number] = this.#places.length;
    this.#places.push(place);
    this.#counts.push(1);
    this.#before.push(latest);
  }

  /** Each word with its sources as they are written. */
  *encoded(): Generator<readonly [word: string, sources: string]> {
    const codes: number[] = [];
    for (const [word, number] of this.#numberByWord) {
      codes.length = 0;
      for (let at = this.#latest[number] ?? -1; at >= 0; at = this.#before[at] ?? -1) {
        codes.push(ZERO + (this.#places[at] ?? 0), ZERO + Math.min(this.#counts[at] ?? 0, MAX_COUNT));
      }
      yield [word, String.fromCharCode(...codes)];
    }
  }
}

function listsOf(occurrences: Occurrences): string[] {
  const entries: string[] = [];
  const words: string[] = [];
  let bytes = 0;
  for (const [key, sources] of occurrences.encoded()) {
    // As the file will hold it: a key that was cut within a surrogate pair must be found again.
    const word = wellFormed(key);
    words.push(word);
    const entry = `\n${word}\t${sources}`;
    entries.push(entry);
    bytes += utf8Length(entry);
  }
  const lists = Array.from({ length: Math.max(1, Math.ceil(bytes / LIST_BYTES)) }, (): string[] => []);
  for (const [index, word] of words.entries()) {
    lists[listOf(word, lists.length)]?.push(entries[index] ?? '');
  }
  return lists.map((list) => `${list.join('')}\n`);
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // A surrogate pair is two units and four bytes.
    if (unit > 0x7f) length += unit > 0x7ff && (unit & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return length;
}
