// The conversations of this page: the list, the sessions that are open, and which one the address names.
import { deleteThread } from 'threadkeep/langchain';
import type { Services } from './agent.js';
import { forgetTexts, keepDraft, readDraft, readEdit, takeNewThread } from './drafts.js';
import { inspect } from './inspection.js';
import { hashOf, NEW_HASH, parseRoute } from './route.js';
import { messageOf, openSession, type Session } from './session.js';
import type { PageState, Store } from './store.js';
import type { TabMessage, Tabs } from './tabs.js';
import {
  addThread,
  changeSettings,
  listThreads,
  removeThread,
  renameThread,
  type ThreadEntry,
  titleOf,
} from './threads.js';
import { exportConversation } from './transfer.js';
import { askDeletion, askTitle } from './views/thread-dialogs.js';
import type { Toasts } from './views/toasts.js';
import { words } from './words/index.js';
import { newEntry, type Opened } from './write.js';

export interface Desk {
  /** Brings the page to what the address names. */
  follow(): Promise<void>;
  /** Reads the list anew; a failure is told and leaves the list as it is. */
  refreshList(): Promise<void>;
  current(): Session | undefined;
  /** Opens a conversation made by `make`, or says why there is none. A large file is told to be on its way. */
  open(make: () => Promise<Opened>, file?: File): Promise<void>;
  send(text: string): Promise<void>;
  /** Says something else in the place of a message, on a branch of its own. */
  resend(message: string, text: string): Promise<void>;
  rename(id: string): Promise<void>;
  exportThread(id: string): Promise<void>;
  delete(id: string): Promise<void>;
  configure(settings: ThreadEntry['settings']): Promise<void>;
  /** The next call of every conversation asks the model that is chosen now. */
  changeModel(): void;
  /** A message from another tab of this page. */
  hear(message: TabMessage): void;
}

export interface DeskHooks {
  readonly page: Store<PageState>;
  readonly toasts: Toasts;
  readonly tabs: Tabs;
  /** Brings a text back into the composer of the open conversation. */
  restore(text: string): void;
  archiveChanged(lost: { failure: string; detail: string } | null): void;
}

/** From this size on, in bytes, a file takes long enough for one to wonder. */
const LARGE_BYTES = 1_000_000;

/** Makes the desk. Nothing here throws: what goes wrong is on the page. */
export function openDesk(services: Services, hooks: DeskHooks): Desk {
  const { page, toasts, tabs, restore, archiveChanged } = hooks;
  const sessions = new Map<string, Session>();
  const find = (id: string | null) => page.get().threads.find((thread) => thread.id === id);
  const current = () => sessions.get(page.get().open?.entry.id ?? '');

  function startSession(entry: ThreadEntry): Session {
    const known = sessions.get(entry.id);
    if (known !== undefined) return known;
    const session = openSession(entry, services, {
      toasts,
      tabs,
      changed: (state) => {
        if (page.get().open?.entry.id === entry.id) page.set({ open: state });
      },
      ended: () => void listChanged(),
      restore: (thread, text) => {
        if (page.get().open?.entry.id === thread) restore(text);
        else keepDraft(thread, [text, readDraft(thread)].filter((piece) => piece !== '').join('\n'));
      },
      archiveChanged,
    });
    sessions.set(entry.id, session);
    return session;
  }

  /** An imported conversation has taken the place of the one that was read. */
  function forgetSession(id: string): void {
    sessions.get(id)?.close();
    sessions.delete(id);
    if (page.get().open?.entry.id === id) page.set({ open: null, place: null });
  }

  async function refreshList(): Promise<void> {
    try {
      const threads = await listThreads(services.saver);
      page.set({ threads });
      for (const thread of threads) {
        const session = sessions.get(thread.id);
        if (session !== undefined && isOther(session.state().entry, thread)) session.configure(thread);
      }
    } catch (error) {
      page.set({ refused: words.listFailed(messageOf(error)) });
    }
  }

  /** The list is another one, for the other tabs too. */
  async function listChanged(): Promise<void> {
    tabs.tell({ kind: 'list' });
    await refreshList();
  }

  /** Another tab has deleted it. What was typed here goes to a new conversation. */
  async function leaveDeleted(id: string): Promise<void> {
    const isOpen = page.get().open?.entry.id === id;
    const draft = readDraft(id);
    forgetSession(id);
    forgetTexts(id);
    if (isOpen) {
      if (draft !== '') keepDraft(takeNewThread(), draft);
      history.replaceState(null, '', draft === '' ? '#/' : NEW_HASH);
      await follow();
      page.set({ refused: words.deletedElsewhere(draft !== '') });
    }
    await refreshList();
  }

  async function show(session: Session, place: PageState['place']): Promise<void> {
    const { id } = session.state().entry;
    if (page.get().tab === 'timeline') void session.readTimeline();
    page.set({ open: session.state(), place, refused: null, editing: readEdit(id)?.message ?? null });
    if (!session.state().loaded) await session.load();
  }

  async function follow(): Promise<void> {
    if (location.hash === NEW_HASH) {
      const session = startSession(newEntry(takeNewThread()));
      if (page.get().open?.entry.id !== session.state().entry.id) await show(session, null);
      return;
    }
    const { thread, place } = parseRoute(location.hash);
    if (thread !== null && thread === page.get().open?.entry.id) {
      page.set({ place });
      return;
    }
    const entry = find(thread);
    if (thread !== null && entry === undefined) page.set({ refused: words.unknownThread });
    if (entry === undefined) page.set({ open: null, place: null });
    else await show(startSession(entry), place);
  }

  return {
    follow,
    refreshList,
    current,

    async open(make, file) {
      if (page.get().busy) return;
      page.set({ busy: true });
      const progress =
        file !== undefined && file.size > LARGE_BYTES ? toasts.progress(words.opening(file.name)) : null;
      try {
        const made = await make();
        if (made === null) return;
        if (made.kind === 'refused') {
          page.set({ refused: made.reason });
          return;
        }
        await listChanged();
        page.set({ refused: null, panel: 'none' });
        forgetSession(made.entry.id);
        tabs.tell({ kind: 'replaced', thread: made.entry.id });
        location.hash = hashOf(made.entry.id);
        // Where the address names it already, nothing else says that it is another one.
        await follow();
        if (made.warnings.length > 0) toasts.tell(words.openedWith(made.warnings));
      } catch (error) {
        page.set({ refused: words.threadNotMade(messageOf(error)) });
      } finally {
        progress?.drop();
        page.set({ busy: false });
      }
    },

    async send(text) {
      const session = current();
      if (session === undefined) return;
      const { entry } = session.state();
      if (find(entry.id) === undefined) {
        // A new conversation is one from its first message on.
        const named = { ...entry, title: titleOf(text) };
        try {
          await addThread(named);
        } catch (error) {
          restore(text);
          page.set({ refused: words.threadNotMade(messageOf(error)) });
          return;
        }
        session.configure(named);
        takeNewThread({ isTaken: true });
        history.replaceState(null, '', hashOf(entry.id));
        await listChanged();
      }
      await session.send(text);
    },

    async resend(message, text) {
      const session = current();
      const run = session?.state().run.kind;
      if (session !== undefined && (run === 'idle' || run === 'elsewhere'))
        await session.resend(message, text);
    },

    async rename(id) {
      const thread = find(id);
      if (thread === undefined) return;
      const title = await askTitle(thread);
      if (title === null) return;
      try {
        await renameThread(thread, title, services.saver);
      } catch (error) {
        toasts.warn(messageOf(error));
      }
      await listChanged();
    },

    async exportThread(id) {
      const thread = find(id);
      const told = thread === undefined ? null : await exportConversation(services, thread);
      if (told?.ok === true) toasts.tell(told.text);
      else if (told?.ok === false) toasts.warn([told.text, told.detail].filter(Boolean).join(' '));
    },

    async delete(id) {
      const thread = find(id);
      if (thread === undefined || !(await askDeletion(thread, inspect(services, id)))) return;
      const session = sessions.get(id);
      session?.close();
      try {
        const deletion = await deleteThread(services, { thread: id });
        if (deletion.outcome === 'pending') throw new Error(words.archiveNotForgotten(deletion.failure));
        await removeThread(id);
        forgetTexts(id);
        tabs.tell({ kind: 'deleted', thread: id });
        toasts.tell(words.deleted(thread.title));
      } catch (error) {
        // It stays on the list, so that it can be deleted again.
        toasts.warn(words.notDeleted(thread.title, messageOf(error)));
        await refreshList();
        return;
      }
      sessions.delete(id);
      if (page.get().open?.entry.id === id) {
        history.replaceState(null, '', '#/');
        page.set({ open: null, place: null });
      }
      await refreshList();
    },

    async configure(settings) {
      const open = page.get().open;
      if (open === null) return;
      try {
        const entry =
          find(open.entry.id) === undefined
            ? { ...open.entry, settings }
            : await changeSettings(open.entry, settings);
        sessions.get(entry.id)?.configure(entry);
        await listChanged();
      } catch (error) {
        toasts.warn(messageOf(error));
      }
    },
    changeModel() {
      for (const session of sessions.values()) session.changeModel();
    },

    hear(message) {
      if (message.kind === 'list') void refreshList();
      else if (message.kind === 'archive') page.set({ archives: page.get().archives + 1 });
      else if (message.kind === 'deleted') void leaveDeleted(message.thread);
      else if (message.kind === 'replaced') {
        forgetSession(message.thread);
        void refreshList().then(follow);
      } else sessions.get(message.thread)?.hear(message);
    },
  };
}

/** What another tab may have changed of it. */
function isOther(one: ThreadEntry, other: ThreadEntry): boolean {
  return (
    one.title !== other.title ||
    one.settings.triggerTokens !== other.settings.triggerTokens ||
    one.settings.keepMessages !== other.settings.keepMessages
  );
}
