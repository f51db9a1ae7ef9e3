// What the archive of each conversation keeps; the package's defaults, named because the page tells them.
import type { Retention } from 'threadkeep';

export const RETENTION: Retention = { maxBatches: 32, maxRecordsPerBatch: 256, maxRecordChars: 16_000 };
