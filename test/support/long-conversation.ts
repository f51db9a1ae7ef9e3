// A conversation with tools as long as wanted, in one run of an agent: what its checkpoints take is measured on it.

import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { createAgent, createMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { ScriptedModel } from './scripted-model.js';

const WORDS =
  'harbour crane berth tide ledger customs pilot manifest quay container bearing invoice rudder keel'.split(
    ' ',
  );

/** Some sixty words that no other turn has. */
export function textOf(turn: number, part: string): string {
  return Array.from({ length: 60 }, (_, at) => `${WORDS[(turn * 7 + at) % WORDS.length]}${turn % 89}`)
    .concat(part, String(turn))
    .join(' ');
}

/**
 * Runs an agent for so many turns of question, tool call, result and answer. Each step is checkpointed as in any
 * agent; only that the questions come from a middleware, so that a turn does not begin with reading all former ones.
 */
export async function converse(
  saver: BaseCheckpointSaver,
  thread: string,
  turns: number,
): Promise<BaseMessage[]> {
  const look = tool(async ({ berth }) => textOf(Number(berth), 'result'), {
    name: 'look',
    description: 'Looks at a berth.',
    schema: z.object({ berth: z.string() }),
  });
  const model = new ScriptedModel(
    Array.from({ length: turns }, (_, turn) => [
      { calls: [{ name: 'look', args: { berth: String(turn) }, id: `call-${turn}` }] },
      textOf(turn, 'answer'),
    ]).flat(),
  );
  let turn = 0;
  const asker = createMiddleware({
    name: 'asker',
    afterModel: {
      canJumpTo: ['model'],
      hook: ({ messages }) => {
        const last = messages.at(-1);
        if (!AIMessage.isInstance(last) || (last.tool_calls ?? []).length > 0) return undefined;
        turn += 1;
        if (turn === turns) return undefined;
        return { messages: [new HumanMessage(textOf(turn, 'question'))], jumpTo: 'model' as const };
      },
    },
  });
  const agent = createAgent({ model, tools: [look], middleware: [asker], checkpointer: saver });
  const { messages } = await agent.invoke(
    { messages: [new HumanMessage(textOf(0, 'question'))] },
    { configurable: { thread_id: thread }, recursionLimit: turns * 10 },
  );
  return messages;
}
