// What the page says of conversations as files, in English.
import { plural } from './en-figures.js';

/** The words for conversations that are carried from place to place. */
export const enThreads = {
  exportThread: 'Export',
  importThread: 'Import a conversation…',
  threadNotExported: 'The conversation was not exported.',
  nothingToExport: 'Nothing has been said in it yet.',
  threadFileProblem: {
    foreign: 'It is no conversation that was exported here. Nothing was changed.',
    damaged: 'It is damaged: it was cut short or changed since it was exported. Nothing was changed.',
    newer: 'A newer version of this page wrote it. Nothing was changed.',
  },
  existsNow: 'Another tab has just taken its place. Nothing was changed.',
  imported: (checkpoints: number, sources: number) =>
    `Imported: ${plural(checkpoints, 'checkpoint', 'checkpoints')}, ${plural(sources, 'archived source', 'archived sources')}.`,
  importedTitle: 'Imported conversation',
  placeTitle: 'This conversation is here already',
  placeText: (file: string) =>
    `${file} holds a conversation that this browser has, as it was when it was exported.`,
  placeBoth: 'Keep both',
  placeReplace: 'Replace the one here',
  answeringElsewhere: 'Another tab is answering here.',
  compactingElsewhere: 'Another tab is compacting this conversation.',
  stopOther: 'Stop it',
  waitingToSend: 'Another tab is answering; your message is sent as soon as it is done.',
  waitingToWrite: 'Another tab is busy with this conversation; this one goes on as soon as it is done.',
  takeOver: 'Stop the other tab now',
  doNotWait: 'Do not wait',
  takenOver: 'Another tab has taken this conversation over; the run here has ended.',
  deletedElsewhere: (hasDraft: boolean): string =>
    hasDraft
      ? 'This conversation was deleted in another tab. What you typed stands in a new one.'
      : 'This conversation was deleted in another tab.',
};
