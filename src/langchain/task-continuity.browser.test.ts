// The tools in a browser: no async context, a real worker, a real file, a long conversation.
import { AIMessage, HumanMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages';
import { MemorySaver, StateSchema } from '@langchain/langgraph';
import { createAgent, fakeModel } from 'langchain';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openArchive } from '../client.js';
import { createContinuity } from '../continuity.js';
import { toMessages } from './messages.js';
import { taskContinuity } from './task-continuity.js';

const disposals: (() => void)[] = [];
afterEach(() => {
  for (const dispose of disposals.splice(0)) dispose();
});

const asks = (...calls: readonly { readonly name: string; readonly args: Record<string, unknown> }[]) =>
  new AIMessage({ content: '', tool_calls: calls.map((call, at) => ({ ...call, id: `call-${at}` })) });

test('an agent finds, reads and notes what left its checkpoint', async () => {
  const archive = openArchive();
  disposals.push(() => archive.dispose());
  const continuity = createContinuity({ archive });
  const model = fakeModel();
  const agent = createAgent({
    model,
    stateSchema: new StateSchema({ todos: z.array(z.string()).default(() => []) }),
    middleware: [taskContinuity({ enabled: true, continuity, sections: ['todos'] })],
    checkpointer: new MemorySaver(),
  });
  const thread = crypto.randomUUID();
  const config = { configurable: { thread_id: thread } };

  model.respond(new AIMessage('Noted.'));
  await agent.invoke({ messages: [new HumanMessage('批次代码是 ZX-731。')], todos: ['ship'] }, config);
  expect(model.calls[0]?.messages[1]?.text).toContain('## Todos\n- ship\n');

  const { values } = await agent.graph.getState(config);
  const scope = { user: 'local', thread };
  const { history } = await continuity.capture(scope, undefined, toMessages(values.messages));
  const removals = values.messages.map(
    (message: HumanMessage) => new RemoveMessage({ id: message.id ?? '' }),
  );
  await agent.graph.updateState(config, { messages: removals, taskHistory: history }, 'model_request');

  model.respond(asks({ name: 'history_search', args: { query: '批次代码' } }));
  model.respond((messages) => {
    const { results } = JSON.parse(messages.at(-1)?.text ?? '');
    const [id] = results.map((hit: { readonly id: string }) => hit.id);
    return asks(
      { name: 'task_note', args: { key: 'code', content: 'ZX-731', source_ids: [id] } },
      { name: 'history_read', args: { source_id: id } },
      { name: 'task_note', args: { key: 'code', content: 'ZX-731!' } },
    );
  });
  model.respond(new AIMessage('ZX-731.'));
  const told: unknown[] = [];
  const input = { messages: [new HumanMessage('Which code?')] };
  for await (const event of await agent.stream(input, { ...config, streamMode: 'custom' })) told.push(event);

  const after = await agent.graph.getState(config);
  const answers = after.values.messages.filter((one: unknown) => ToolMessage.isInstance(one));
  expect(answers.map((one: ToolMessage) => JSON.parse(one.text))).toMatchObject([
    { results: [{ excerpt: '批次代码是 ZX-731。', origin: 'archive' }], status: 'available' },
    { key: 'code', status: 'saved', cited: true },
    { text: '批次代码是 ZX-731。', origin: 'archive' },
    { key: 'code', status: 'saved', cited: false },
  ]);
  expect(after.values.taskNotes).toMatchObject({ code: { content: 'ZX-731!' } });
  // Calls side by side end in any order.
  expect(told.map((event) => (event as { readonly type: string }).type).sort()).toEqual([
    'history_read',
    'history_searched',
    'note_saved',
    'note_saved',
  ]);
});
