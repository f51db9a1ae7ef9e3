// The agent of one conversation: LangChain's createAgent with threadkeep, kept in IndexedDB.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { END } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { type ArchiveClient, createContinuity, type ThreadkeepEvent } from 'threadkeep';
import {
  type CompactionReceipt,
  compactionReceipt,
  compactThread,
  contextUsage,
  type Fact,
  type IndexedDBSaver,
  type PinResult,
  pinFact,
  type RequestParts,
  threadkeep,
  toMessages,
  type UndoResult,
  undoCompaction,
} from 'threadkeep/langchain';
import { forkBefore, removalOf } from './branch.js';
import { type KeptRequest, watchSent } from './requests.js';
import { RETENTION } from './retention.js';
import { STOPPED, snapshotOf, visibleText } from './shown.js';
import type { Snapshot } from './store.js';
import type { ThreadEntry } from './threads.js';
import { words } from './words/index.js';

export interface Services {
  readonly archive: ArchiveClient;
  readonly saver: IndexedDBSaver;
  /** The model that is to answer the next call. */
  model(): BaseChatModel;
}

export interface Listeners {
  onEvent(event: ThreadkeepEvent): void;
  /** What a model call is sent, told before the call. */
  onRequest(request: KeptRequest): void;
}

/** What a run tells the page, in order. */
export type RunStep =
  | { readonly kind: 'token'; readonly id: string; readonly text: string }
  | { readonly kind: 'state'; readonly snapshot: Snapshot };

/** The agent of one conversation, with the settings of its entry. */
export type PageAgent = ReturnType<typeof buildAgent>;

const INSTRUCTIONS = 'You go on with the conversation. Look up what you no longer see before you answer.';

/** Builds the agent. A setting that the package does not allow throws here, in its own words. */
export function buildAgent(entry: ThreadEntry, services: Services, listeners: Listeners) {
  const agent = createAgent({
    model: services.model(),
    tools: [],
    systemPrompt: entry.systemPrompt ?? INSTRUCTIONS,
    checkpointer: services.saver,
    middleware: [
      ...threadkeep({
        archive: services.archive,
        summarization: {
          enabled: true,
          trigger: { type: 'tokens', value: entry.settings.triggerTokens },
          keep: { type: 'messages', value: entry.settings.keepMessages },
          compactingMessage: words.compacting,
        },
        taskContinuity: { enabled: true, ...RETENTION },
        onEvent: listeners.onEvent,
      }),
      watchSent(listeners.onRequest),
    ],
  });
  const thread = { configurable: { thread_id: entry.id } };
  const at = (checkpoint: string | null) =>
    checkpoint === null ? thread : { configurable: { ...thread.configurable, checkpoint_id: checkpoint } };
  const continuity = createContinuity({ archive: services.archive });
  const viewAt = async (checkpoint: string | null) => {
    const { values } = await agent.graph.getState(at(checkpoint));
    const scope = { user: services.saver.user, thread: entry.id };
    return { scope, history: values.taskHistory, messages: toMessages(values.messages ?? []) };
  };

  return {
    /** What a checkpoint holds, the newest one where none is named. */
    async load(checkpoint: string | null = null): Promise<Snapshot> {
      const state = await agent.graph.getState(at(checkpoint));
      // `next` leaves out a step whose outcome is stored but not yet in a checkpoint; `tasks` has it.
      return snapshotOf(state.values, state.tasks.length > 0);
    },
    /** What the model would be sent next, by parts. */
    async usage(checkpoint: string | null = null): Promise<RequestParts> {
      const target = { thread: entry.id, ...(checkpoint === null ? {} : { checkpoint }) };
      return (await contextUsage(agent, target)).parts;
    },
    /** What the last compaction of a checkpoint did; null where there is none. Looks through all that it covered. */
    async receipt(checkpoint: string | null): Promise<CompactionReceipt | null> {
      const { values } = await agent.graph.getState(at(checkpoint));
      return compactionReceipt(values);
    },
    /** Keeps what a summary lost as a note. */
    pin: (fact: Fact): Promise<PinResult> => pinFact(agent, { thread: entry.id }, fact),
    /** Takes the last compaction back. */
    undo: (): Promise<UndoResult> => undoCompaction(agent, { thread: entry.id }),
    /** Takes a note out of the notebook; the conversation is at rest then. */
    async removeNote(key: string): Promise<void> {
      await agent.graph.updateState(thread, { taskNotes: { [key]: null } }, 'model_request');
      await agent.graph.updateState(thread, null, END);
    },
    /** The agent's own search, in what a checkpoint can reach. */
    async search(query: string, role: string | null, checkpoint: string | null) {
      return continuity.search(await viewAt(checkpoint), { query, role });
    },
    /** A page of a source, as the agent would read it there. */
    async read(source: string, offset: number, checkpoint: string | null) {
      return continuity.read(await viewAt(checkpoint), { id: source, offset });
    },
    /** Makes a checkpoint the newest one, at rest: what came after it stays on a branch of its own. */
    async goTo(checkpoint: string): Promise<void> {
      await agent.graph.updateState(at(checkpoint), null, END);
    },
    /** Writes a recording into the conversation's first checkpoint, all of it or nothing. */
    async write(messages: readonly BaseMessage[]): Promise<void> {
      await agent.graph.updateState(thread, { messages: [...messages] }, 'model_request');
      // A recording is over: no step of the agent is due until the user speaks.
      await agent.graph.updateState(thread, null, END);
    },
    /**
     * Goes back to before a message, on the branch of a checkpoint or on the newest one: answers the checkpoint from which `run` goes another way.
     * The way that was gone before stays. Throws when the message is not there.
     */
    async goBefore(message: string, checkpoint: string | null = null): Promise<string> {
      const fork = await forkBefore(services.saver, entry.id, message, checkpoint ?? undefined);
      if (fork === null) throw new Error(words.messageGone);
      if (fork.remove.length === 0) return fork.checkpoint;
      const removed = await agent.graph.updateState(
        at(fork.checkpoint),
        { messages: [...removalOf(fork.remove)] },
        'model_request',
      );
      const rested = await agent.graph.updateState(removed, null, END);
      return String(rested.configurable?.['checkpoint_id']);
    },
    /** Keeps what there is of an answer that was stopped; the conversation is at rest then. */
    async keepPartial(id: string, text: string): Promise<void> {
      const message = new AIMessage({ id, content: text, response_metadata: { [STOPPED]: true } });
      await agent.graph.updateState(thread, { messages: [message] }, 'model_request');
      await agent.graph.updateState(thread, null, END);
    },
    /**
     * Sends a message, or goes on with a cut-off run when `text` is null; from a checkpoint instead of the newest one
     * when `from` names it. Ends with the run; throws what it throws.
     */
    async *run(
      text: string | null,
      signal: AbortSignal,
      from: string | null = null,
    ): AsyncGenerator<RunStep> {
      const input = text === null ? null : { messages: [{ role: 'user', content: text }] };
      const options = {
        ...at(from),
        signal,
        streamMode: ['values', 'messages'] satisfies ['values', 'messages'],
      };
      const stream =
        input === null ? await agent.graph.stream(null, options) : await agent.stream(input, options);
      for await (const [mode, chunk] of stream) {
        if (mode === 'values') {
          yield { kind: 'state', snapshot: snapshotOf(chunk, true) };
          continue;
        }
        const [message] = chunk;
        if (!AIMessageChunk.isInstance(message) || message.id === undefined) continue;
        const token = visibleText(message.content);
        if (token !== '') yield { kind: 'token', id: message.id, text: token };
      }
    },
    /** Compacts on demand; the outcome is told as an event. */
    compact: (prune: boolean, signal: AbortSignal) =>
      compactThread(agent, { thread: entry.id }, { prune, signal }),
  };
}
