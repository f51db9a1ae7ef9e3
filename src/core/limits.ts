// Every number of the product's rules, once, with its unit and its reason.

/** Characters here and below are Unicode code points, never UTF-16 units. Longest excerpt of a search hit. */
export const EXCERPT_CHARS = 600;
/** One page of `history_read`, in characters. */
export const READ_PAGE_CHARS = 4_000;
/** How many characters of a raw query are looked at. */
export const QUERY_CHARS = 500;
/** How many distinct words of a query are searched for. */
export const QUERY_TERMS = 32;
/** Most hits that `history_search` answers with; duplicates are removed before the cut. */
export const SEARCH_HITS = 8;
/** Text cap, in characters, of a message looked at in the live conversation (the archive's cap is configurable). */
export const ACTIVE_RECORD_CHARS = 64_000;

/** Archive limits: default and allowed range. Batches per thread; records per batch; characters per record. */
export const MAX_BATCHES = { default: 32, min: 1, max: 64 } as const;
export const MAX_RECORDS_PER_BATCH = { default: 256, min: 1, max: 1_024 } as const;
export const MAX_RECORD_CHARS = { default: 16_000, min: 1_000, max: 64_000 } as const;

/** SQLite page size in bytes. SQLite WASM defaults to 8,192: set before the first table. */
export const PAGE_BYTES = 4_096;
/** SQLite page ceiling of one thread's archive: 32,768 pages of 4,096 bytes are 128 MiB. */
export const CEILING_PAGES = 32_768;

/** Task notes: how many, their length in characters, how many sources each may cite, length of a key. */
export const MAX_NOTES = 8;
export const NOTE_CHARS = 750;
export const NOTE_SOURCES = 4;
export const NOTE_KEY_CHARS = 40;
/** Longest notes section of the durable context, in characters, before escaping. */
export const NOTES_SECTION_CHARS = 12_000;
/** Longest summary section of the durable context, in characters. */
export const SUMMARY_SECTION_CHARS = 6_000;
