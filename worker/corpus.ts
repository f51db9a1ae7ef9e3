// The sources of some batches as ranking sees them: each once, in the order in which they were first stored.
import type { BatchId, Role, SourceId } from '../src/core/message.js';
import { contentsOf, reachableBatches, type StoredBatch } from './batches.js';
import type { ThreadFile } from './thread-file.js';

/** A source's position is its index in `ids`, `roles`, `words` and `keys`. */
export interface Corpus {
  readonly batches: readonly StoredBatch[];
  readonly ids: readonly SourceId[];
  readonly roles: readonly Role[];
  /** Length in words, of the longest version where versions with different caps are stored. */
  readonly words: readonly number[];
  /** Keys of the rows: those of the first stored versions, which are the ones shown. */
  readonly keys: readonly number[];
  readonly totalWords: number;
  /** For each batch the positions of its sources, by their place in it. */
  readonly positions: readonly (readonly number[])[];
  readonly positionById: ReadonlyMap<SourceId, number>;
}

/** The corpus of those of the batches that the file holds; the last one is kept until the file changes. */
export function corpusOf(file: ThreadFile, batches: readonly BatchId[]): Corpus {
  return file.corpus.of(batches.join(), () => made(file, reachableBatches(file, batches)));
}

function made(file: ThreadFile, batches: readonly StoredBatch[]): Corpus {
  const ids: SourceId[] = [];
  const roles: Role[] = [];
  const words: number[] = [];
  const keys: number[] = [];
  const positionById = new Map<SourceId, number>();
  const positions = batches.map((batch) => {
    const contents = contentsOf(file, batch);
    return contents.ids.map((id, place) => {
      const length = contents.words[place] ?? 0;
      const known = positionById.get(id);
      if (known !== undefined) {
        words[known] = Math.max(words[known] ?? 0, length);
        return known;
      }
      const position = ids.length;
      positionById.set(id, position);
      ids.push(id);
      roles.push(contents.roles[place] ?? 'tool');
      words.push(length);
      keys.push(batch.firstSource + place);
      return position;
    });
  });
  const totalWords = words.reduce((sum, length) => sum + length, 0);
  return { batches, ids, roles, words, keys, totalWords, positions, positionById };
}
