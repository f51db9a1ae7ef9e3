// One scorer for the live conversation and the archive.

/** What a scorer must know of a body of sources for one query. */
export interface CorpusStatistics {
  readonly documents: number;
  /** Sum of all document lengths, in words. */
  readonly words: number;
  /** Documents that hold each query term, in the order of the parsed query's terms. */
  readonly documentFrequency: readonly number[];
}
