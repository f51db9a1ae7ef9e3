// Wiring: state, agent and views of the page, and what a user can do on it.
import { openArchive } from 'threadkeep';
import { finishDeletions, IndexedDBSaver } from 'threadkeep/langchain';
import type { Actions } from './actions.js';
import type { Services } from './agent.js';
import { archiveActions } from './archive-actions.js';
import { openDesk } from './desk.js';
import { hasUnkept } from './drafts.js';
import { lookUp, readPage } from './lookup.js';
import { hasBrowserModel } from './models/browser-api.js';
import { openModel } from './models/current.js';
import { keepForOffline } from './offline/register.js';
import { hashOf, NEW_HASH } from './route.js';
import { messageOf } from './session.js';
import { placeOfWords, placesBySource } from './sources.js';
import { createStore, type PageState, type ShownMessage } from './store.js';
import { openTabs } from './tabs.js';
import { importConversation, isExported } from './transfer.js';
import { archiveView } from './views/archive.js';
import { composerView } from './views/composer.js';
import { contextView } from './views/context.js';
import { frameView } from './views/frame.js';
import { lookupView } from './views/lookup.js';
import { meterView } from './views/meter.js';
import { chooseModel } from './views/model-dialog.js';
import { notesView } from './views/notes.js';
import { filePicker, refusalView, welcomeView } from './views/open-dialog.js';
import { panelView } from './views/panel.js';
import { sideView } from './views/side.js';
import { archiveLine, archiveNotice } from './views/status.js';
import { pastView, timelineView } from './views/timeline.js';
import { toastsView } from './views/toasts.js';
import { transcriptView } from './views/transcript.js';
import type { TranscriptContext } from './views/transcript-context.js';
import { words } from './words/index.js';
import { openRecording, openSampleConversation } from './write.js';

// A conversation needs a place: without one, what stands on the page says that it cannot start.
if (typeof indexedDB === 'undefined') throw new Error('This browser has no database.');

let scheduled = false;
const model = await openModel();
const services: Services = { archive: openArchive(), saver: new IndexedDBSaver(), model: model.model };
const page = createStore<PageState>(
  {
    archive: { kind: 'starting' },
    model: model.choice(),
    threads: [],
    open: null,
    place: null,
    editing: null,
    archives: 0,
    tab: 'notes',
    busy: false,
    refused: null,
    panel: 'none',
  },
  draw,
);

const actions: Actions = {
  openSample: () => void desk.open(() => openSampleConversation(services)),
  openFile: (file) =>
    void desk.open(
      async () =>
        (await isExported(file)) ? importConversation(file, services) : openRecording(file, services),
      file,
    ),
  openNew: () => {
    page.set({ panel: 'none' });
    location.hash = NEW_HASH;
    composer.focus();
  },
  renameThread: (id) => void desk.rename(id),
  exportThread: (id) => void desk.exportThread(id),
  deleteThread: (id) => void desk.delete(id),
  send: (text) => {
    leavePlace();
    void desk.send(text);
  },
  edit: (message) => {
    page.set({ editing: message, panel: 'none' });
    composer.focus();
  },
  cancelEdit: () => {
    page.set({ editing: null });
    composer.focus();
  },
  resend: (message, text) => {
    leavePlace();
    page.set({ editing: null });
    void desk.resend(message, text);
  },
  stop: () => desk.current()?.stop(),
  stopOther: () => desk.current()?.stopOther(),
  resume: () => void desk.current()?.resume(),
  compact: (prune) => void desk.current()?.compact(prune),
  changeSettings: (settings) => void desk.configure(settings),
  chooseModel: () => void askForModel(),
  showSource: (place) => {
    const thread = page.get().open?.entry.id;
    if (thread === undefined) return;
    history.pushState(null, '', hashOf(thread, place));
    // A new object, so that a second click on the same hit goes there again.
    page.set({ place: { ...place }, panel: 'none' });
  },
  showFound: (place) => page.set({ place }),
  showPanel: (panel) => page.set({ panel }),
  showTab: (tab) => {
    page.set({ tab });
    if (tab === 'timeline') void desk.current()?.readTimeline();
  },
  visit: (past) => {
    page.set({ place: null, editing: null });
    void desk.current()?.visit(past);
  },
  goOnHere: () => void desk.current()?.goOnHere(),
  readTimeline: (more) => void desk.current()?.readTimeline(more),
  search: async (query, role) => {
    const session = desk.current();
    return session === undefined
      ? { kind: 'failed', detail: words.unknownThread }
      : lookUp(session, query, role);
  },
  read: async (source, offset) => {
    const session = desk.current();
    return session === undefined ? null : readPage(session, source, offset);
  },
  receipt: async () => {
    try {
      return (await desk.current()?.receipt()) ?? null;
    } catch {
      // The mark says that there is no receipt; what the checkpoint said besides stands on the page already.
      return null;
    }
  },
  pin: (fact) => void desk.current()?.pin(fact),
  undo: () => void desk.current()?.undo(),
  removeNote: (key) => void desk.current()?.removeNote(key),
  showCited: (source, said) => void showCited(source, said),
  ...archiveActions(
    services,
    () => page.get().open,
    () => tabs.tell({ kind: 'archive' }),
  ),
  dismissRefusal: () => page.set({ refused: null }),
};

let contextOf: { messages: readonly ShownMessage[]; context: TranscriptContext } | null = null;
const opened = new Set<string>();

/** What links of the transcript need to know; made anew only when the messages changed. */
function transcriptContext(): TranscriptContext {
  const open = page.get().open;
  const messages = open?.messages ?? [];
  if (contextOf?.messages === messages) return contextOf.context;
  const present = new Set(messages.map((message) => message.id));
  const places = placesBySource(messages);
  const context: TranscriptContext = {
    revision: `${messages[0]?.id ?? ''}|${open?.compaction?.pruned.length ?? 0}`,
    actions,
    opened,
    linkTo: (place) => hashOf(open?.entry.id ?? '', place),
    hasMessage: (id) => present.has(id),
    placeOfSource: (source) => places.get(source) ?? null,
  };
  contextOf = { messages, context };
  return context;
}

const toasts = toastsView();
const picker = filePicker(actions);
const composer = composerView(actions);
const frame = frameView(page.set, {
  side: sideView(actions, hashOf, picker.pick),
  line: archiveLine(),
  meter: meterView(),
  context: contextView(actions),
  notice: archiveNotice(),
  refusal: refusalView(actions),
  welcome: welcomeView(actions, picker.pick),
  past: pastView(actions),
  notes: panelView(actions, {
    notes: notesView(actions, transcriptContext),
    timeline: timelineView(actions),
    search: lookupView(actions, transcriptContext),
    archive: archiveView(actions),
  }),
  composer,
  // Last, so that it knows how much room the others leave when it scrolls.
  transcript: transcriptView(actions, transcriptContext),
});
const tabs = openTabs((message) => desk.hear(message));
const desk = openDesk(services, {
  page,
  toasts,
  tabs,
  restore: composer.restore,
  archiveChanged: (lost) => {
    if (lost === null) void watchArchive();
    else page.set({ archive: { kind: 'unavailable', ...lost } });
  },
});
document.querySelector('#not-started')?.remove();
document.documentElement.lang = words.language;
document.body.append(frame.element, toasts.element, picker.element);
addEventListener('hashchange', () => void desk.follow());
// What was typed and could not be kept is not left without a question.
addEventListener('beforeunload', (event) => {
  if (hasUnkept()) event.preventDefault();
});
addEventListener('offline', () => toasts.tell(words.offline(model.choice().kind === 'endpoint')));
addEventListener('online', () => toasts.tell(words.online));
addEventListener('popstate', () => void desk.follow());
page.set({});
if (model.failure !== null) toasts.warn(words.modelNotTaken(messageOf(model.failure)));
void watchArchive();
void start();

/** Draws once a frame, however many changes there were. */
function draw(): void {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    frame.update(page.get());
  });
}

/** The reader goes on with the conversation: the highlighted place is done with. */
function leavePlace(): void {
  const { open, place } = page.get();
  if (open === null || place === null) return;
  history.replaceState(null, '', hashOf(open.entry.id));
  page.set({ place: null });
}

async function showCited(source: string, said: string): Promise<void> {
  const read = await actions.read(source, 0);
  const message = page.get().open?.messages.find(({ id }) => id === read?.messageId);
  if (message === undefined) toasts.tell(read === null ? words.sourceGone : words.notInCheckpoint);
  else actions.showSource(placeOfWords(message, said, ''));
}

async function askForModel(): Promise<void> {
  const asked = await chooseModel(model.choice(), await hasBrowserModel());
  if (asked === null) return;
  try {
    await model.choose(asked.choice, asked.keeps);
    desk.changeModel();
  } catch (error) {
    toasts.warn(words.modelNotTaken(messageOf(error)));
  }
  page.set({ model: model.choice() });
}

async function watchArchive(): Promise<void> {
  const info = await services.archive.info();
  if (!info.ok) page.set({ archive: { kind: 'unavailable', failure: info.failure, detail: info.detail } });
  else if (info.value.persistent) page.set({ archive: { kind: 'persistent' } });
  else page.set({ archive: { kind: 'memory', reason: info.value.reason ?? '' } });
}

async function start(): Promise<void> {
  await desk.refreshList();
  await desk.follow();
  // A page that was closed in the middle of a deletion has left a part of it.
  await finishDeletions(services);
  await keepForOffline({ newVersion: () => toasts.tell(words.newVersion) });
}
