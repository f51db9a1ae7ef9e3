// Every sentence that the page says, in English; the other languages have the same words.
import { OFFLINE_MODEL_NOTICE } from 'threadkeep/offline-model';
import type { ModelChoice } from '../models/choice.js';
import type { Trouble } from '../models/trouble.js';
import { enArchive } from './en-archive.js';
import { bytes, messages, number, plural } from './en-figures.js';
import { enFiles } from './en-files.js';
import { enThreads } from './en-threads.js';

const speakers = new Map([
  ['human', 'You'],
  ['ai', 'Agent'],
  ['tool', 'Tool result'],
]);

/** What kept the archive from its work; the package names it by a code. */
const reasonOf = (failure: string) =>
  Object.entries<string>(enArchive.archiveFailure).find(([code]) => code === failure)?.[1] ?? `${failure}.`;

/** The words of the page: whole sentences, or functions that make one. */
export const en = {
  ...enFiles,
  ...enArchive,
  ...enThreads,
  language: 'en',
  chooseLanguage: 'Language · 语言',
  number: (value: number) => number.format(value),

  brand: 'threadkeep',
  conversations: 'Conversations',
  noConversations: 'None yet.',
  newThread: 'New conversation',
  newHint:
    'Nothing has been said yet. What you tell here can be asked for later, however long the conversation grows.',
  findThread: 'Search the conversations',
  noThreadFound: (query: string) => `No conversation is called “${query}”.`,
  threadsFound: (count: number) => `${plural(count, 'conversation', 'conversations')} found`,
  threadActions: (title: string) => `More for “${title}”`,
  rename: 'Rename',
  renameTitle: 'Rename the conversation',
  threadTitle: 'Title',
  delete: 'Delete',
  deleteNow: 'Delete',
  deleteTitle: (title: string) => `Delete “${title}”?`,
  deleteMessages: (count: number, checkpoints: number, size: number) =>
    `${messages(count)} and ${plural(checkpoints, 'checkpoint', 'checkpoints')}, about ${bytes(size)}`,
  deleteSummary: 'its summary and the agent’s notes',
  deleteArchiveLine: 'its archive: the words that left the model’s window',
  deleteArchiveOf: (batches: number, sources: number, size: number) =>
    `its archive: ${plural(sources, 'source', 'sources')} in ${plural(batches, 'batch', 'batches')}, ${bytes(size)}`,
  deleteNoArchive: 'it has no archive',
  deleteTyped: 'what you typed here and did not send',
  deleteFinal: 'All of it is removed from this browser, and cannot be brought back.',
  deleted: (title: string) => `“${title}” was deleted.`,
  notDeleted: (title: string, detail: string) => `“${title}” was not deleted whole: ${detail}`,
  archiveNotForgotten: (failure: string) => `its archive could not be removed (${failure}).`,
  notebook: 'Notebook',
  beside: 'Notebook, timeline, search and archive',
  tab: { notes: 'Notebook', timeline: 'Timeline', search: 'Search', archive: 'Archive' },
  timelineHint: 'Go back to where an answer ended, and on from there another way.',
  reading: 'Reading…',
  noMoments: 'Nothing has happened yet.',
  earlier: 'Look further back',
  moment: (kind: string, said: string | null) =>
    kind === 'compacted'
      ? 'Compacted by hand'
      : kind === 'undone'
        ? 'Compaction taken back'
        : kind === 'recorded'
          ? 'As it was opened'
          : (said ?? 'The beginning'),
  now: 'now',
  cutOff: 'cut off',
  otherBranch: 'another branch',
  past: (when: string) =>
    `This is the conversation as it was on ${when}: its messages, notes, window and archive.`,
  goOnHere: 'Go on from here',
  backToNow: 'Back to now',
  composerPast: 'Say something from here: it begins a branch',
  lookup: 'Search the history',
  lookupHint: 'As the agent searches',
  lookupGo: 'Search',
  lookupRole: 'Who said it',
  lookupRoles: { '': 'anyone', user: 'you', assistant: 'the agent', tool: 'a tool' },
  reach: (count: number) =>
    count === 0
      ? 'Nothing of it is archived from here; the conversation itself is searched.'
      : `The conversation and ${plural(count, 'batch', 'batches')} of its archive are searched.`,
  sourceGone: 'The source cannot be read from here.',
  readOn: 'Read on',
  conversation: 'Conversation',
  closePanel: 'Close',

  pitch:
    'An agent that runs in this page alone, and can look up word for word what its context window had to let go.',
  pitchMore:
    'Open a conversation and go on with it. When it grows too long for the model, it is compacted before your eyes; ask for a detail that is gone, and watch the agent find it.',
  openSample: 'Open the sample conversation',
  openFile: 'Open a recorded conversation…',
  openSampleShort: 'Open the sample',
  openFileShort: 'Open a recording…',
  orDrop: 'Or drop a file here.',
  fileKind: 'OpenAI chat messages, as JSON, or a conversation exported here. The file stays in this browser.',
  dropNow: 'Drop the file to open it',
  refused: (file: string, reason: string) => `${file} was not opened. ${reason}`,
  openedWith: (warnings: readonly string[]) =>
    [
      ...warnings.slice(0, 3),
      ...(warnings.length > 3 ? [`And ${warnings.length - 3} more remarks.`] : []),
    ].join(' '),
  otherParts: (count: number) =>
    `${plural(count, 'part', 'parts')} that ${count === 1 ? 'is' : 'are'} no text`,
  chooseTitle: 'Which conversation?',
  chooseLead: (file: string, count: number) => `${file} holds ${number.format(count)} conversations.`,
  cancel: 'Cancel',
  messages,

  agent: 'Agent',
  speaker: (role: string) => speakers.get(role) ?? role,

  composer: 'Message',
  composerHint: 'Ask about anything in this conversation',
  send: 'Send',
  stop: 'Stop',
  suggestions: 'Suggested questions',
  answering: 'The agent is answering.',
  latest: 'Latest',

  edit: 'Edit this message',
  editing: 'Written anew, this message begins a branch: what followed it stays in the timeline.',
  cancelEdit: 'Do not edit',
  retry: 'Answer again',
  stopped: 'Stopped here.',
  showWhole: (count: number) => `Show all ${number.format(count)} characters`,
  messageGone: 'the message is not on this branch of the conversation any more.',
  messageTools: 'With this message',
  copy: 'Copy the text',
  copyCode: 'Copy the code',
  copied: 'Copied',
  notCopied: 'The browser does not allow copying',

  find: 'Find in this conversation',
  findBack: 'Previous',
  findOn: 'Next',
  findClose: 'Close the search',
  findNone: 'not found',
  findCount: (at: number, count: number, isMore: boolean) =>
    `${number.format(at)} of ${number.format(count)}${isMore ? ' or more' : ''}`,

  unfinished: 'The last run ended before its answer.',
  resume: 'Continue',
  runFailed: (detail: string) => `The run failed: ${detail}`,
  loadFailed: (detail: string) => `The conversation could not be read: ${detail}`,
  listFailed: (detail: string) => `The list of conversations could not be read: ${detail}`,
  unknownThread: 'There is no such conversation in this browser. Open one from the list.',
  threadNotMade: (detail: string) =>
    `The conversation could not be written: ${detail}. Nothing was kept of it.`,

  arguments: 'Arguments',
  result: 'Result',
  running: 'running',
  noAnswer: 'no result',
  failed: 'failed',
  call: 'The call as it was made',

  searched: 'Searched the history',
  searching: 'Searching the history',
  hits: (count: number) => (count === 0 ? 'nothing found' : plural(count, 'hit', 'hits')),
  moreHits: (count: number) => `${plural(count, 'more hit', 'more hits')}`,
  onlyRole: (role: string) => `only ${role} messages`,
  origin: 'origin: ',
  originOf: { active: 'active', archive: 'archive' },
  showSource: 'Show in the conversation',
  notInCheckpoint: 'No longer in the checkpoint: this text comes from the archive.',
  removedSince: 'Removed from the checkpoint since.',
  fallback: 'opening of the source; the words stand beyond what an excerpt can hold',
  readSource: 'Read the source',
  readingSource: 'Reading a source',
  readRange: (from: number, to: number, more: boolean) =>
    `characters ${number.format(from)}–${number.format(to)}${more ? ', more follows' : ''}`,
  noted: 'Saved a note',
  noteDeleted: 'Removed a note',
  noting: 'Saving a note',
  noteRefused: 'The note was not saved',
  lookupRefused: 'The look-up had no result',
  cites: 'Source',
  uncited: 'names no source',
  historyStatus: (status: string): string | null =>
    status === 'partially_expired'
      ? 'A part of the archive has expired.'
      : status === 'unavailable'
        ? 'The archive is unavailable; only the checkpoint was searched.'
        : status === 'empty_query'
          ? 'The query held no word to search for.'
          : null,

  noNotes: 'What the agent writes down appears here, each note with the message it rests on.',

  left: (count: number) => `${messages(count)} left the model’s window; still searchable`,
  removed: (count: number) =>
    `${messages(count)} ${count === 1 ? 'was' : 'were'} removed from the checkpoint; the archive still holds ${count === 1 ? 'it' : 'them'}`,
  removedAndLost: (count: number) =>
    `${messages(count)} ${count === 1 ? 'was' : 'were'} removed from the checkpoint; the archive cannot be reached now`,
  summaryTitle: 'The summary that the model sees in their place',
  receiptFigures: (covered: number, tokens: { readonly before: number; readonly after: number } | null) =>
    tokens === null
      ? `One summary stands for ${messages(covered)}.`
      : `One summary stands for ${messages(covered)}: ${number.format(tokens.before)} → ${number.format(tokens.after)} tokens, estimated.`,
  receiptFailed: 'The receipt cannot be read.',
  missing: 'Named in those messages, not in the summary',
  missingHint: 'What matters can be pinned: as a note it goes along with every request from then on.',
  nothingMissing: 'Every exact thing that those messages name stands in the summary.',
  factKind: {
    rule: 'Rules',
    link: 'Links',
    path: 'Paths',
    identifier: 'Identifiers',
    number: 'Numbers',
    name: 'Names',
  },
  moreFacts: (count: number) => `Show ${number.format(count)} more`,
  pin: 'Pin',
  pinFact: (fact: string) => `Pin “${fact}” as a note`,
  pinned: 'Pinned',
  pinnedFact: (fact: string) => `Pinned as a note: “${fact}”`,
  pinnedAs: (key: string) => `Pinned as the note “${key}”.`,
  notesFull: (limit: number) =>
    `All ${number.format(limit)} notes are in use. Remove one from the notebook, then pin again.`,
  undo: 'Take this compaction back',
  undoHint:
    'The model sees those messages again as it did before, and the next compaction waits until the conversation has grown; what was archived stays.',
  undone: 'The last compaction was taken back.',
  undoPruned: 'It cannot be taken back: it removed messages from the checkpoint.',
  removeNote: (key: string) => `Remove the note “${key}”`,
  noteGone: (key: string) => `The note “${key}” was removed.`,
  contextWindow: 'Context window',

  context: 'Context',
  contextTitle: 'Context window',
  trigger: 'Compact at (tokens)',
  keep: 'Keep (messages)',
  settingsWhen: 'Changes take effect with the next message.',
  compactNow: 'Compact now',
  compactPrune: 'Compact and prune',
  pruneHint: 'Pruning also removes the covered messages from the checkpoint; the archive keeps their text.',
  pruneNeedsDisk: 'Pruning needs an archive that outlives this page.',

  window: (tokens: number, trigger: number) => `${number.format(tokens)} of ${number.format(trigger)} tokens`,
  windowTotal: 'All, estimated',
  windowTrigger: 'Compacts at',
  tokens: (count: number) => plural(count, 'token', 'tokens'),
  requests: 'Requests as sent',
  requestsTitle: 'What the model was sent',
  requestsLead:
    'The last calls since this page was opened, the newest first; they end with it. Summaries are written by calls of their own, which are not among them.',
  noRequests: 'The model has not been called since this page was opened.',
  requestChoice: 'Model call',
  requestName: (time: string, tokens: number, said: string | null, tool: string) =>
    `${time}, ${plural(tokens, 'token', 'tokens')}: ${said === null ? `after ${tool === '' ? 'a result' : tool}` : `“${said}”`}`,
  pieces: (part: string, count: number) =>
    part === 'messages'
      ? `${messages(count)}, `
      : part === 'tools'
        ? `${plural(count, 'tool', 'tools')}, `
        : '',
  notSent: 'none',
  sentBy: (type: string) => (type === 'system' ? 'Instructions' : (speakers.get(type) ?? type)),
  sentCalls: 'Calls:',
  windowUnknown: (trigger: number) => `compacts at ${number.format(trigger)} tokens`,
  windowPart: {
    system: 'Instructions',
    tools: 'Tools',
    notes: 'Notes',
    summary: 'Summary',
    messages: 'Messages',
  },

  archiveStarting: 'Archive: starting…',
  archivePersistent: 'Archive: kept on this device',
  archiveMemory: 'Archive: in memory only',
  archiveUnavailable: 'Archive: unavailable',
  memoryNotice: (reason: string) =>
    `The archive lives in memory and ends with this page: ${reason} The conversations themselves are kept, except in a private window.`,
  unavailableNotice: (failure: string) =>
    `The archive cannot be used now: ${reasonOf(failure)} The agent goes on and still searches what the checkpoint holds.`,
  details: 'Details',

  chooseModel: 'Choose a model…',
  modelTitle: 'Which model answers?',
  modelOffline: 'The built-in program: no key, no network. It searches the conversation and quotes.',
  modelEndpoint: 'A model at an OpenAI-compatible address, asked by this page directly.',
  modelBrowser: 'The model built into this browser.',
  modelBrowserAbsent: 'The model built into this browser: there is none here.',
  modelBrowserMissing: 'This browser has no built-in model. Choose another model.',
  modelAddress: 'Address',
  modelAddressHint: 'Up to the version, such as http://localhost:11434/v1',
  modelAddressBad: 'Give an address that begins with http:// or https://.',
  modelName: 'Model',
  modelNameBad: 'Give the name of a model.',
  modelKey: 'Key, if the address asks for one',
  modelKeyHint: 'The key is sent to this address alone. It never leaves this browser otherwise.',
  modelKeep: 'Keep the address and the key in this browser',
  modelForget: 'Forget the address and the key now',
  modelUse: 'Use this model',
  modelNotTaken: (detail: string) => `The model could not be taken: ${detail} The built-in program answers.`,
  modelNotice: (choice: ModelChoice) =>
    choice.kind === 'offline'
      ? OFFLINE_MODEL_NOTICE
      : choice.kind === 'browser'
        ? 'Answers come from the model built into this browser; nothing leaves this device.'
        : `Answers come from ${choice.model}; what it is asked goes to ${new URL(choice.baseUrl).host}.`,
  modelTrouble: (trouble: Trouble, origin: string) => {
    switch (trouble.kind) {
      case 'unreachable':
        return `The model’s address did not answer this page: nothing listens there, or it does not allow pages from ${origin} (CORS). With Ollama, start it with OLLAMA_ORIGINS=${origin}.`;
      case 'silent':
        return 'The model’s address was silent for too long. It may be loading the model; try again.';
      case 'cut':
        return 'The connection to the model broke off in the midst of its answer. Continue to ask again.';
      case 'status':
        return trouble.status === 401 || trouble.status === 403
          ? `The model’s address refused the key (${trouble.status}): ${trouble.message}`
          : trouble.status === 404
            ? `The address does not know this model, or is not the right one (404): ${trouble.message}`
            : trouble.status === 429
              ? `The address takes no more requests for now (429): ${trouble.message}`
              : `The model’s address failed (${trouble.status}): ${trouble.message}`;
    }
  },

  notifications: 'Notifications',
  compacting: 'Compacting the context…',
  seconds: (count: number) => `${number.format(count)} s`,
  compacted: (covered: number, before: number, after: number) =>
    `Context compacted: ${messages(covered)} became one summary, ${number.format(before)} → ${number.format(after)} tokens.`,
  prunedToast: (count: number) => `${messages(count)} removed from the checkpoint.`,
  nothingPruned: 'Nothing more could be removed from the checkpoint.',
  archivedToast: (stored: number) => `${plural(stored, 'source', 'sources')} archived.`,
  notArchived: (failure: string) => `The archive did not take them: ${reasonOf(failure)}`,
  compactionFailed: (message: string, _reason: string) => `The context was not compacted: ${message}`,
  nothingToCompact: (message: string, _reason: string) => `Nothing to compact: ${message}`,
  opening: (file: string) => `Opening ${file}…`,
  storageFull:
    'The browser has no more room for this page. Delete a conversation or free some space, then try again.',
  offline: (needsNetwork: boolean): string =>
    needsNetwork
      ? 'There is no network: the chosen model cannot be asked until it is back. All else goes on.'
      : 'There is no network. None is needed: all of this page goes on.',
  online: 'The network is back.',
  newVersion: 'There is a newer version of this page. It opens once all tabs with this one are closed.',
  dismiss: 'Dismiss',
};

export type Words = typeof en;
