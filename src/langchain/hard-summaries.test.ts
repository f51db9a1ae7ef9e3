// What a summariser is shown in the hard cases, and what its failures may not do.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import {
  anAgent,
  coveredCountOf,
  pairs,
  SUMMARY,
  texts,
  typesOf,
} from '../../test/support/compacting-agent.js';
import { called, long, resultOf } from '../../test/support/tool-work.js';
import { memoryArchive } from '../../worker/memory.js';
import { createContinuity } from '../continuity.js';
import { compactThread } from './compact-thread.js';

const ask = (id: string, content = 'And then?'): HumanMessage => new HumanMessage({ id, content });
/** Calls and results alone, about 250 tokens each pair. */
const work = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => [
    called(`c${from + at}`, `x${from + at}`),
    resultOf(`x${from + at}`, `Result ${from + at}: ${long(60)}`),
  ]).flat();

describe('what the summariser is shown', () => {
  test('the opening goal and a rule of it, when a run of tool results fills its budget', async () => {
    const goal = ask('goal', 'Move the archive to Oslo. Never touch the server called heron.');
    const { say, summaryModel } = await anAgent({ options: { trimTokensToSummarize: 400 } });
    await say([goal, ...work(12), ask('q')]);
    const prompt = texts(summaryModel.requests[0]).join();
    expect(prompt).toContain('Move the archive to Oslo. Never touch the server called heron.');
    expect(prompt).toContain('[tool look]');
    expect(prompt).toMatch(/\(\d+ messages are left out here\)/u);
  });

  test('the newest results when no user message is in its window, and none in the part at all', async () => {
    const goal = ask('goal', 'Move the archive to Oslo.');
    const { say, summaryModel, model } = await anAgent({ options: { trimTokensToSummarize: 400 } });
    await say([goal, ...work(12)]);
    const [prompt = ''] = texts(summaryModel.requests[0]);
    expect(prompt).not.toContain('[user]');
    expect(prompt).toContain('Result 10: ');
    const shown = prompt.match(/^\[(?:tool look|assistant)\]/gmu) ?? [];
    const leftOut = [...prompt.matchAll(/^\((\d+) messages are left out here\)$/gmu)];
    expect(leftOut.reduce((sum, [, count]) => sum + Number(count), shown.length)).toBe(22);
    expect(texts(model.requests[0]).slice(0, 2)).toEqual([expect.stringContaining(SUMMARY), goal.text]);
  });

  test('a rule that was stated once, early, and the former summary with what it tells of one', async () => {
    const rule = 'By the way: never deploy on a Friday.';
    const { say, summaryModel } = await anAgent({
      summaries: ['Never deploy on Fridays; boats are discussed.', SUMMARY],
      options: { trimTokensToSummarize: 500 },
    });
    await say([...pairs(2), ask('rule', rule), ...pairs(60, 10)]);
    expect(texts(summaryModel.requests[0]).join()).toContain(rule);
    await say(pairs(20, 200));
    expect(texts(summaryModel.requests[1]).join()).toContain(
      '<previous_summary>\nNever deploy on Fridays; boats are discussed.\n</previous_summary>',
    );
  });

  test('patterns of replacement as text, in history and in a former summary', async () => {
    const { say, summaryModel, model } = await anAgent({
      summaries: ["It costs $& or $1, $' and $$.", SUMMARY],
    });
    await say([ask('h', "Pay $& and $1, </conversation> then $' it"), ...pairs(10)]);
    expect(texts(summaryModel.requests[0]).join()).toContain(
      "Pay $&amp; and $1, &lt;/conversation&gt; then $' it",
    );
    expect(model.requests[0]?.[0]?.text).toBe(
      "Here is a summary of the conversation to date:\n\nIt costs $& or $1, $' and $$.",
    );
    await say([...pairs(8, 100), ask('q')]);
    expect(texts(summaryModel.requests[1]).join()).toContain("It costs $&amp; or $1, $' and $$.");
  });

  test('a summary that quotes closing tags, as text', async () => {
    const tricky = 'He wrote </previous_summary> and </conversation>.';
    const { say, summaryModel, model } = await anAgent({ summaries: [tricky, SUMMARY] });
    await say(pairs(10));
    await say([...pairs(8, 100), ask('q')]);
    expect(model.requests[0]?.[0]?.text).toContain(tricky);
    const prompt = texts(summaryModel.requests[1]).join();
    expect(prompt.match(/<\/previous_summary>/gu)).toHaveLength(1);
    expect(prompt.match(/<\/conversation>/gu)).toHaveLength(1);
    expect(prompt).toContain('He wrote &lt;/previous_summary&gt; and &lt;/conversation&gt;.');
  });

  test('no half of an emoji, wherever its budget ends', async () => {
    for (let pad = 0; pad < 8; pad += 1) {
      const { say, summaryModel, model } = await anAgent({
        archive: false,
        options: { trimTokensToSummarize: 100 },
      });
      await say([ask('e', `${'a'.repeat(pad)}${'😀'.repeat(900)}`), ...pairs(8, 10)]);
      expect(texts(summaryModel.requests[0]).join()).toContain('😀\n…\n');
      expect(texts(summaryModel.requests[0]).join()).not.toMatch(/\p{Cs}|\ufffd/u);
      expect(texts(model.requests[0]).join()).not.toMatch(/\p{Cs}|\ufffd/u);
    }
  });

  test('everything again after a number of folds, with the last summary: nothing drifts away', async () => {
    const rule = 'Never deploy on a Friday.';
    const { say, summaryModel } = await anAgent({
      summaries: ['One.', 'Two.', 'Three.', 'Four.'],
      options: { refreshAfterFolds: 2 },
    });
    await say([ask('rule', rule), ...pairs(10)]);
    await say(pairs(10, 100));
    expect(texts(summaryModel.requests[1]).join()).not.toContain(rule);
    await say(pairs(10, 200));
    const anew = texts(summaryModel.requests[2]).join();
    expect(anew).toContain(rule);
    expect(anew).toContain('<previous_summary>\nTwo.');
    await say(pairs(10, 300));
    expect(texts(summaryModel.requests[3]).join()).not.toContain(rule);
  });
});

describe('a summary that is made anew after messages were pruned', () => {
  test('has their words from the archive, and goes on without an archive that is gone', async () => {
    const rule = 'Never deploy on a Friday.';
    for (const isArchiveThere of [true, false]) {
      const archive = await memoryArchive();
      const { agent, say, thread, summaryModel, state, events } = await anAgent({
        options: { refreshAfterFolds: 1, continuity: createContinuity({ archive }) },
      });
      await say([ask('rule', rule), ...pairs(2)]);
      const { pruned } = await compactThread(agent, { thread }, { prune: true });
      expect(pruned).toContain('rule');
      expect(texts((await state())['messages'] as HumanMessage[])).not.toContain(rule);
      if (!isArchiveThere) await archive.forget({ user: 'local', thread });
      await say(pairs(10, 50));
      const anew = texts(summaryModel.requests[1]).join();
      expect(anew.includes(`[user] ${rule}\n`)).toBe(isArchiveThere);
      expect(anew).toContain(`<previous_summary>\n${SUMMARY}`);
      expect(events.at(-1)).toMatchObject({ type: 'context_compacted' });
    }
  });
});

describe('the second half of a two-step request', () => {
  test('stays word for word through every compaction of the work on the first', async () => {
    const request = 'First copy the files, then delete the old server.';
    const { say, model, summaryModel } = await anAgent();
    await say([...pairs(4), ask('two', request), ...work(4)]);
    await say(work(4, 10));
    await say(work(4, 20));
    expect(summaryModel.requests).toHaveLength(3);
    for (const sent of model.requests) expect(texts(sent).filter((text) => text === request)).toHaveLength(1);
    // It is what is being worked on, and the past of nothing.
    for (const asked of summaryModel.requests) expect(texts(asked).join()).not.toContain(request);
  });
});

describe('a summary that fails', () => {
  test.each([
    ['throws', new Error('no quota'), 'error'],
    ['takes too long', 'hang', 'timeout'],
    ['is blank', ' \n ', 'blank'],
    ['returns more than it replaced', 'long '.repeat(4_000), 'not-shorter'],
  ] as const)('because it %s changes nothing but an event', async (_, answer, reason) => {
    const { say, model, summaryModel, state, events } = await anAgent({
      summaries: [answer, SUMMARY],
      options: { summaryTimeoutMs: answer === 'hang' ? 20 : 60_000 },
    });
    const messages = pairs(10);
    await say(messages);
    expect(texts(model.requests[0])).toEqual(texts(messages));
    expect((await state())['compaction']).toBeUndefined();
    expect((await state())['taskHistory']).toBeUndefined();
    expect(typesOf(events)).toEqual(['context_compacting', 'context_compaction_failed']);
    expect(events.at(-1)).toMatchObject({ reason });
    // The next message may bring another attempt.
    await say([ask('q')]);
    expect(summaryModel.requests).toHaveLength(2);
    expect(coveredCountOf(await state())).toBeGreaterThan(0);
  });

  test('is not asked for again in a run that brings no new message', async () => {
    const { say, model, summaryModel } = await anAgent({
      summaries: [new Error('down'), SUMMARY],
      script: [new Error('overloaded'), 'done'],
    });
    await expect(say(pairs(10))).rejects.toThrow('overloaded');
    await say([]);
    expect(summaryModel.requests).toHaveLength(1);
    expect(model.requests[1]).toHaveLength(20);
  });

  test('leaves the last valid summary to serve on', async () => {
    const { say, model, events } = await anAgent({ summaries: [SUMMARY, new Error('gone')] });
    await say(pairs(10));
    await say([...pairs(8, 100), ask('c', 'And now?')]);
    expect(model.requests[1]?.[0]?.text).toContain(SUMMARY);
    expect(texts(model.requests[1])).toContain('And now?');
    expect(events.at(-1)).toMatchObject({ type: 'context_compaction_failed' });
  });

  test('for an abort in the middle of it ends the run and leaves the state as it was', async () => {
    const { say, state, events } = await anAgent({ summaries: ['hang'] });
    const abort = new AbortController();
    const run = say(pairs(10), { signal: abort.signal });
    while (events.length === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await expect(run).rejects.toThrow();
    expect((await state())['compaction']).toBeUndefined();
  });

  test('and one that succeeds at last covers all that came meanwhile', async () => {
    const { say, state } = await anAgent({ summaries: [new Error('down'), new Error('down'), SUMMARY] });
    await say(pairs(10));
    await say([new AIMessage({ id: 'a', content: 'Yes.' }), ask('q')]);
    await say(pairs(4, 50));
    expect(coveredCountOf(await state())).toBeGreaterThan(20);
  });
});
