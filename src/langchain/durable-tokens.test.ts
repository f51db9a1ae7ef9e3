import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent, createMiddleware } from 'langchain';
import { expect, test } from 'vitest';
import { pairs } from '../../test/support/compacting-agent.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { memoryArchive } from '../../worker/memory.js';
import { createTokenEstimate } from '../core/tokens.js';
import { toMessages } from './messages.js';
import { threadkeep } from './threadkeep.js';

const TRIGGER = 4_000;

test('notes count: the request with them stays under the trigger', async () => {
  const sizes: number[] = [];
  const count = createTokenEstimate();
  const probe = createMiddleware({
    name: 'probe',
    wrapModelCall: (request, handler) => {
      const { systemMessage, messages } = request;
      sizes.push(count(toMessages([systemMessage, ...messages])));
      return handler(request);
    },
  });
  const agent = createAgent({
    model: new ScriptedModel(),
    checkpointer: new MemorySaver(),
    middleware: [
      ...threadkeep({
        archive: await memoryArchive(),
        summarization: {
          enabled: true,
          model: new ScriptedModel(['They spoke of boats.']),
          trigger: { type: 'tokens', value: TRIGGER },
          keep: { type: 'tokens', value: 3_000 },
        },
        taskContinuity: { enabled: true },
      }),
      probe,
    ],
  });
  const note = { content: 'word '.repeat(149), source_ids: [], authority: 'model_report' };
  const taskNotes = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`note-${at}`, note]));
  const config = { configurable: { thread_id: 'durable-tokens' } };
  await agent.graph.updateState(config, { messages: [...pairs(50)], taskNotes }, 'model_request');
  await agent.invoke({ messages: [new HumanMessage('And now?')] }, config);

  expect(sizes).toHaveLength(1);
  expect(sizes[0]).toBeLessThan(TRIGGER);
  expect(sizes[0]).toBeGreaterThan(TRIGGER / 2);
});
