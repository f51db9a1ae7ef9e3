// What the page says of an archive as a whole, and of the room that it has, in English.
import { bytes, messages, number, plural } from './en-figures.js';

/** The words for archives. */
export const enArchive = {
  archivedWhen: (when: string) => `archived ${when}`,
  positionOf: (position: number, count: number) =>
    `message ${number.format(position)} of ${number.format(count)}`,
  archiveOfThis: 'Archive of this conversation',
  nothingArchived:
    'Nothing is archived yet. What the model’s window has to let go is kept here, word for word.',
  archiveHolds: (sources: number, size: number) =>
    `${plural(sources, 'source', 'sources')} word for word, ${bytes(size)} on this device`,
  gaugeBatches: 'Batches',
  gaugePages: 'Pages',
  ofMost: (count: number, most: number) => `${number.format(count)} of ${number.format(most)}`,
  retention: (records: number, characters: number, ceiling: number) =>
    `A batch keeps the last ${number.format(records)} sources of a compaction, each up to ${number.format(characters)} characters; a page is 4 KB, so that all take ${bytes(ceiling)} at most. What is full gives up its oldest batch.`,
  batchHolds: (sources: number, size: number) => `${plural(sources, 'source', 'sources')}, ${bytes(size)}`,
  batchNextToGo: 'next to go',
  batchNotReachable: 'not reachable from here',
  archiveExport: 'Export .sqlite',
  archiveImport: 'Import…',
  archiveDelete: 'Delete…',
  saved: (name: string) => `Saved as ${name}.`,
  noArchive: 'This conversation has no archive.',
  archiveNotExported: 'The archive was not exported.',
  fileUnread: (name: string) => `${name} could not be read.`,
  archiveImported: (batches: number, sources: number) =>
    `Imported: ${plural(batches, 'batch', 'batches')}, ${plural(sources, 'source', 'sources')}.`,
  archiveNotImported: (name: string) => `${name} was not imported, and nothing was changed.`,
  replaceTitle: 'Replace the archive?',
  replaceNow: 'Replace',
  replaceWhat: (name: string, batches: number, sources: number) =>
    `What is archived now, ${plural(batches, 'batch', 'batches')} with ${plural(sources, 'source', 'sources')}, gives way to what ${name} holds.`,
  deleteArchiveTitle: 'Delete the archive?',
  deleteArchiveList: (batches: number, sources: number, size: number, pruned: number) => [
    `${plural(batches, 'batch', 'batches')} with ${plural(sources, 'source', 'sources')}, ${bytes(size)}`,
    ...(pruned === 0
      ? []
      : [`the only words left of ${messages(pruned)} that pruning took out of the conversation`]),
  ],
  deleteArchiveStays:
    'The conversation, its summary and its notes stay; what still stands in the conversation can still be found.',
  archiveDeleted: 'The archive was deleted.',
  archiveNotDeleted: 'The archive was not deleted.',
  archiveFailure: {
    quota: 'The browser gives no more room.',
    ceiling: 'It is more than one archive may hold.',
    locked: 'Another tab holds it. Try again.',
    corrupt: 'The file is damaged, or is no archive of this conversation.',
    unsupported: 'This browser cannot open it, or a newer version wrote it.',
    'worker-lost': 'The archive’s worker ended. Try again.',
    deadline: 'The archive did not answer in time. Try again.',
    internal: 'Something went wrong.',
  },
  roomOfDevice: 'Room in this browser',
  gaugeRoom: 'Storage',
  ofRoom: (used: number, quota: number) => `${bytes(used)} of ${bytes(quota)}`,
  roomUnknown: 'This browser does not tell how much room there is.',
  archivesHold: (count: number, size: number) =>
    `${plural(count, 'conversation has', 'conversations have')} an archive, ${bytes(size)} together.`,
  lastingYes: 'The browser keeps it until you delete it.',
  lastingNo: 'The browser may clear all of it by itself when the device is short of room.',
  lastingUnknown: 'This browser does not say whether it may clear it by itself.',
  lastingAsk: 'Ask the browser to keep it',
  lastingGranted: 'The browser keeps it from now on.',
  lastingRefused:
    'The browser did not agree. It may when this page is bookmarked, installed or used more often.',
};
