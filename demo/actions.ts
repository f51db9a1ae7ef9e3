// What a user can do on the page; the views know these verbs and nothing of the agent behind them.
import type { Reply } from 'threadkeep';
import type { CompactionReceipt, Fact } from 'threadkeep/langchain';
import type { Inspection, Told } from './inspection.js';
import type { Found, FoundPage } from './lookup.js';
import type { Past, SourcePlace, Tab } from './store.js';
import type { ContextSettings } from './threads.js';

export interface Actions {
  openSample(): void;
  openFile(file: File): void;
  openNew(): void;
  /** Asks for another title. */
  renameThread(id: string): void;
  /** Hands it over as one file. */
  exportThread(id: string): void;
  /** Says what will go, and asks. */
  deleteThread(id: string): void;
  send(text: string): void;
  /** Takes a message into the composer, to say it in other words. */
  edit(message: string): void;
  cancelEdit(): void;
  /** Says something else, or the same again, in the place of a message. */
  resend(message: string, text: string): void;
  stop(): void;
  /** Ends another tab's run; who waits for it has the conversation next. */
  stopOther(): void;
  /** Goes on with a run that ended before its answer. */
  resume(): void;
  compact(prune: boolean): void;
  changeSettings(settings: ContextSettings): void;
  /** Asks which model is to answer. */
  chooseModel(): void;
  showSource(place: SourcePlace): void;
  /** Shows a place without a trace in the browser's history; null leaves it. */
  showFound(place: SourcePlace | null): void;
  showPanel(panel: 'none' | 'threads' | 'notes'): void;
  showTab(tab: Tab): void;
  /** Shows the conversation as it was, or as it is. */
  visit(past: Past | null): void;
  /** Makes what is shown the newest, and what came after it a branch of its own. */
  goOnHere(): void;
  readTimeline(more: boolean): void;
  search(query: string, role: string | null): Promise<Found>;
  read(source: string, offset: number): Promise<FoundPage | null>;
  /** What the compaction that is shown did; null where there is none, or where it cannot be read. */
  receipt(): Promise<CompactionReceipt | null>;
  /** Keeps what a summary lost as a note. */
  pin(fact: Fact): void;
  /** Takes the last compaction back. */
  undo(): void;
  removeNote(key: string): void;
  /** Looks up the message of a source and shows the words in it. */
  showCited(source: string, said: string): void;
  /** What the archive of the open conversation holds; null when none is open. */
  inspect(): Promise<Reply<Inspection> | null>;
  exportArchive(): Promise<Told>;
  /** Asks before it replaces one that is there. */
  importArchive(file: File): Promise<Told>;
  /** Says what will go, and asks. */
  deleteArchive(): Promise<Told>;
  /** Asks the browser not to clear this page's storage by itself. */
  keepStorage(): Promise<Told>;
  dismissRefusal(): void;
}

/** A part of the page that draws itself from the state. */
export interface View<State> {
  readonly element: HTMLElement;
  update(state: State): void;
}
