// A real agent for the proof of continuity, whose model follows a conversation and looks up what it is asked.
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { END } from '@langchain/langgraph';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import type { ThreadkeepEvent } from '../../src/events.js';
import type { IndexedDBSaver } from '../../src/langchain/checkpoint.js';
import { compactThread } from '../../src/langchain/compact-thread.js';
import { threadkeep } from '../../src/langchain/threadkeep.js';
import { OfflineChatModel } from '../../src/offline-model/index.js';
import type { Archive } from '../../src/protocol.js';
import { type Scripted, ScriptedModel } from '../support/scripted-model.js';
import type { Detail, Turn } from './conversation.js';

/** More model calls than any test makes. */
const CALLS = 5_000;

/** The label with which a turn begins: no other has it. */
const entryOf = (said: string): string => said.split(':')[0] ?? '';

/** What the agent's own tools gave for a question. */
export interface Finding {
  /** Place of the detail's source among the hits, from 1, the question itself not counted; null when it is not there. */
  readonly rank: number | null;
  /** Where it stands; null when it was not found. */
  readonly origin: 'active' | 'archive' | null;
  /** Of the search. */
  readonly status: string;
  readonly reason: string | null;
  /** Whether the question's first request held the detail outside of the summary: then nothing was evicted. */
  readonly wasInRequest: boolean;
}

interface Hit {
  readonly id: string;
  readonly excerpt: string;
  readonly excerpt_start: number;
}

interface Page {
  readonly id: string;
  readonly text: string;
  readonly origin: 'active' | 'archive';
}

interface Found {
  readonly results: readonly Hit[];
  readonly status: string;
  readonly reason?: string;
}

export function harbourAgent({
  saver,
  archive,
}: {
  readonly saver: IndexedDBSaver;
  readonly archive: Archive;
}) {
  const events: ThreadkeepEvent[] = [];
  const turnByEntry = new Map<string, Turn>();
  const label = crypto.randomUUID();
  let calls = 0;

  const follow = (messages: readonly BaseMessage[]): Scripted => {
    const said = messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
    const turn = turnByEntry.get(entryOf(said));
    const last = messages.at(-1);
    if (turn === undefined) return lookUp(said, last);
    if (turn.looked === null || ToolMessage.isInstance(last)) return turn.answer;
    return call('look', { entry: entryOf(said) });
  };
  /** Searches for a question, reads every hit where its excerpt begins, and says that it is done. */
  const lookUp = (question: string, last: BaseMessage | undefined): Scripted => {
    if (!ToolMessage.isInstance(last)) return call('history_search', { query: question });
    if (last.name !== 'history_search') return 'That is what I have found.';
    const { results } = JSON.parse(last.text) as Found;
    const hits = results.filter(({ excerpt }) => excerpt !== question);
    if (hits.length === 0) return 'There is nothing about it.';
    return {
      calls: hits.map(({ id, excerpt_start: offset }) => ({
        name: 'history_read',
        args: { source_id: id, offset },
        id: newCallId(),
      })),
    };
  };
  const newCallId = (): string => {
    calls += 1;
    return `call-${label}-${calls}`;
  };
  const call = (name: string, args: Record<string, unknown>): Scripted => ({
    calls: [{ name, args, id: newCallId() }],
  });

  const model = new ScriptedModel(
    Array.from({ length: CALLS }, () => follow),
    label,
  );
  const agent = createAgent({
    model,
    tools: [
      tool(async ({ entry }: { entry: string }) => turnByEntry.get(entry)?.looked ?? '', {
        name: 'look',
        description: 'Looks at an entry of the log.',
        schema: z.object({ entry: z.string() }),
      }),
    ],
    systemPrompt: 'You help the harbour office.',
    checkpointer: saver,
    middleware: threadkeep({
      archive,
      summarization: {
        enabled: true,
        model: new OfflineChatModel(),
        trigger: { type: 'tokens', value: 6_000 },
        keep: { type: 'messages', value: 10 },
      },
      taskContinuity: { enabled: true },
      onEvent: (event) => events.push(event),
    }),
  });
  const at = (thread: string, checkpoint?: string) => ({
    configurable: { thread_id: thread, ...(checkpoint === undefined ? {} : { checkpoint_id: checkpoint }) },
  });

  return {
    agent,
    events,
    /** Goes through the turns, from a checkpoint or at the thread's end. */
    async converse(thread: string, turns: readonly Turn[], from?: string): Promise<void> {
      for (const [index, turn] of turns.entries()) {
        turnByEntry.set(entryOf(turn.said), turn);
        const input = { messages: [new HumanMessage(turn.said)] };
        await agent.invoke(input, at(thread, index === 0 ? from : undefined));
      }
    },
    /** Compacts the thread's newest checkpoint, and tells the ids of those before and after. */
    async compact(thread: string, prune: boolean) {
      const before = await this.newest(thread);
      const result = await compactThread(agent, { thread }, { prune });
      return { ...result, before, after: await this.newest(thread) };
    },
    async newest(thread: string): Promise<string> {
      const { config } = await agent.graph.getState(at(thread));
      return String(config.configurable?.['checkpoint_id']);
    },
    async messagesAt(thread: string, checkpoint: string): Promise<readonly BaseMessage[]> {
      return (await agent.graph.getState(at(thread, checkpoint))).values.messages;
    },
    /** Writes what a checkpoint holds into another thread, archive references and all. */
    async copy(thread: string, checkpoint: string, to: string): Promise<string> {
      const { values } = await agent.graph.getState(at(thread, checkpoint));
      await agent.graph.updateState(at(to), values, 'model_request');
      await agent.graph.updateState(at(to), null, END);
      return this.newest(to);
    },
    /** Asks for a detail on a branch of its own, so that no question stands in the way of another. */
    async ask(thread: string, checkpoint: string, detail: Detail): Promise<Finding> {
      const first = model.requests.length;
      const input = { messages: [new HumanMessage(detail.question)] };
      const { messages } = await agent.invoke(input, at(thread, checkpoint));
      const answers = messages.slice(messages.findLastIndex((message) => HumanMessage.isInstance(message)));
      const textsOf = (name: string): unknown[] =>
        answers
          .filter((message) => ToolMessage.isInstance(message) && message.name === name)
          .map(({ text }) => JSON.parse(text));
      const [search] = textsOf('history_search') as Found[];
      if (search === undefined) throw new Error(`Nothing was searched for “${detail.question}”.`);
      const pages = textsOf('history_read') as Page[];
      const index = pages.findIndex(({ text }) => text?.includes(detail.sentence));
      const request = model.requests[first] ?? [];
      return {
        rank: index < 0 ? null : index + 1,
        origin: pages[index]?.origin ?? null,
        status: search.status,
        reason: search.reason ?? null,
        wasInRequest: request.some(
          ({ text, name, type }) => name !== 'summary' && type !== 'system' && text.includes(detail.sentence),
        ),
      };
    },
  };
}
