// The offline model in a real agent with threadkeep: asked for details that have left the window, before and after pruning.
import { MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import {
  type ImportedConversation,
  readConversationText,
  readConversationValue,
  toLangChain,
} from '../demo/import/index.js';
import { HARBOUR_MOVE } from '../demo/samples/index.js';
import { compactThread } from '../src/langchain/compact-thread.js';
import { threadkeep } from '../src/langchain/threadkeep.js';
import { OfflineChatModel } from '../src/offline-model/index.js';
import { memoryArchive } from '../worker/memory.js';
import { sharedFile } from './support/shared-data.js';

const THREAD = { configurable: { thread_id: 'journey' } };

/** An agent that goes on with a recorded conversation and has room for little of it. */
async function agentOver(conversation: ImportedConversation) {
  const { systemPrompt, messages } = toLangChain(conversation);
  const instructions = systemPrompt ?? 'Go on.';
  const agent = createAgent({
    model: new OfflineChatModel(),
    tools: [],
    systemPrompt: instructions,
    checkpointer: new MemorySaver(),
    middleware: [
      ...threadkeep({
        archive: await memoryArchive(),
        summarization: {
          enabled: true,
          trigger: { type: 'tokens', value: 2_500 + Math.ceil(instructions.length / 4) },
          keep: { type: 'messages', value: 6 },
        },
        taskContinuity: { enabled: true },
      }),
    ],
  });
  await agent.graph.updateState(THREAD, { messages: [...messages] }, 'model_request');
  return {
    /** Asks; answers with what was said, which tools were called, and where the source came from. */
    async ask(question: string) {
      const { messages: after } = await agent.invoke(
        { messages: [{ role: 'user', content: question }] },
        THREAD,
      );
      const turn = after.slice(
        after.findLastIndex(({ type, text }) => type === 'human' && text === question) + 1,
      );
      const reads = turn.filter(({ name }) => name === 'history_read').map(({ text }) => text);
      return {
        answer: turn.at(-1)?.text ?? '',
        calls: turn.flatMap(({ name, type }) => (type === 'tool' ? [name] : [])),
        reads,
      };
    },
    prune: () => compactThread(agent, { thread: 'journey' }, { prune: true }),
    async isCompacted() {
      const { values } = await agent.graph.getState(THREAD);
      return values.compaction !== undefined && values.compaction !== null;
    },
  };
}

describe('the harbour sample', () => {
  test('every suggested question is answered by its source, live and from the archive', {
    timeout: 60_000,
  }, async () => {
    const read = readConversationValue(HARBOUR_MOVE.conversation);
    const [conversation] = read.ok ? read.conversations : [];
    if (conversation === undefined) throw new Error('The sample was not read.');
    const agent = await agentOver(conversation);
    for (const { question, expects } of HARBOUR_MOVE.questions) {
      const { answer, calls } = await agent.ask(question);
      expect(answer).toContain(expects);
      expect(calls).toEqual(['history_search', 'history_read', 'task_note']);
    }
    expect(await agent.isCompacted()).toBe(true);
    expect(await agent.prune()).toMatchObject({ outcome: 'compacted' });
    for (const { question, expects } of HARBOUR_MOVE.questions) {
      const { answer, reads } = await agent.ask(question);
      expect(answer).toContain(expects);
      expect(reads.at(-1)).toContain('"origin": "archive"');
    }
  });
});

describe('recorded runs of an airline agent', () => {
  test('the reservation number is found in each, live and from the archive', {
    timeout: 60_000,
  }, async (context) => {
    const read = readConversationText(sharedFile('airline-agent/trajectories.json', context));
    if (!read.ok) throw new Error(read.problem.kind);
    for (const conversation of read.conversations) {
      const known = new Set(JSON.stringify(conversation).match(/(?<=reservation_id\W+)[A-Z0-9]{6}\b/gu));
      const agent = await agentOver(conversation);
      for (const prunes of [false, true]) {
        if (prunes) await agent.prune();
        const { answer, reads } = await agent.ask('What was the reservation number?');
        expect(
          [...known].some((number) => answer.includes(number)),
          `${conversation.title}: ${answer}`,
        ).toBe(true);
        if (prunes) expect(reads.at(-1)).toContain('"origin": "archive"');
      }
      expect(await agent.isCompacted()).toBe(true);
    }
  });

  test('all of several numbers are quoted when several are asked for', {
    timeout: 60_000,
  }, async (context) => {
    const read = readConversationText(sharedFile('airline-agent/trajectories.json', context));
    const conversation = read.ok
      ? read.conversations.find(({ title }) => title.includes('I need to make a few changes'))
      : undefined;
    if (conversation === undefined) throw new Error('The run was not found.');
    const agent = await agentOver(conversation);
    for (const prunes of [false, false, true]) {
      if (prunes) await agent.prune();
      const { answer, reads } = await agent.ask('Which reservation numbers did you find under my user ID?');
      expect(answer).toContain('1. NM1VX1\n2. KC18K6\n3. S61CZX\n4. H8Q05L\n5. WUNA5K');
      expect(reads.at(-1)).toContain('NM1VX1');
    }
  });
});
