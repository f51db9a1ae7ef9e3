// How many pages rows will take, before they are written: SQLite's file format, for rows that are appended.
import { PAGE_BYTES } from '../src/core/limits.js';

/** Of a table's leaf page: header of the page; what a row adds to its content, at most. */
const PAGE_HEADER_BYTES = 8;
const ROW_HEADER_BYTES = 24;
/** A longer row keeps a part on the leaf, and the rest in a chain of pages of its own. */
const MOST_LOCAL_BYTES = PAGE_BYTES - 35;
const LEAST_LOCAL_BYTES = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
const CHAIN_PAGE_BYTES = PAGE_BYTES - 4;
/** Leaves that one page above them points to. */
const LEAVES_PER_PARENT = 300;

/** Pages that rows of these sizes (bytes of content) take in a table, appended in this order; never too few. */
export function pagesOfRows(rows: Iterable<number>): number {
  let leaves = 1;
  let chained = 0;
  let left = PAGE_BYTES - PAGE_HEADER_BYTES;
  for (const content of rows) {
    const bytes = content + ROW_HEADER_BYTES;
    const local = localBytes(bytes);
    chained += Math.ceil((bytes - local) / CHAIN_PAGE_BYTES);
    if (local > left) {
      leaves += 1;
      left = PAGE_BYTES - PAGE_HEADER_BYTES;
    }
    left -= local;
  }
  return leaves + chained + Math.ceil(leaves / LEAVES_PER_PARENT);
}

function localBytes(bytes: number): number {
  if (bytes <= MOST_LOCAL_BYTES) return bytes;
  const local = LEAST_LOCAL_BYTES + ((bytes - LEAST_LOCAL_BYTES) % CHAIN_PAGE_BYTES);
  return local <= MOST_LOCAL_BYTES ? local : LEAST_LOCAL_BYTES;
}
