// Whatever the conversation and the settings: what every request promises.
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { isUserMessage } from '../../src/core/message.js';
import type { ContextSize } from '../../src/core/partition.js';
import { createTokenEstimate } from '../../src/core/tokens.js';
import type { ThreadkeepEvent } from '../../src/events.js';
import { toMessage, toMessages } from '../../src/langchain/messages.js';
import type { SummarizationOptions } from '../../src/langchain/options.js';
import { anAgent } from '../support/compacting-agent.js';
import { conversationBy } from '../support/conversations.js';
import type { Scripted } from '../support/scripted-model.js';
import { type SeededRandom, seededRandom } from '../support/seeded.js';

const SEEDS = 60;
const TURNS = 4;
const WINDOW = 4_000;

/** What the seeds came to, so that no promise is kept by nothing having happened. */
const tally = { requests: 0, compactions: 0, over: 0, failed: 0 };

describe('a request', () => {
  test.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'keeps every promise (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const options = settingsBy(random);
      const next = conversationBy(random);
      const { say, model, summaryModel, events, state } = await anAgent({
        archive: false,
        options,
        summaries: Array.from({ length: TURNS * 2 }, () => summaryBy(random)),
      });
      const said: BaseMessage[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        const added = [...next(random.below(40)), ...(random.below(2) === 0 ? [question(turn)] : [])];
        if (added.length === 0) continue;
        said.push(...added);
        events.length = 0;
        const asked = summaryModel.requests.length;
        const before = said.map(({ id, content }) => [id, JSON.stringify(content)]);
        await say(added);
        const request = model.requests.at(-1) ?? [];

        expect(strictFault(request)).toBeNull();
        const latest = latestUser(said);
        if (latest !== undefined) expect(request.map(({ id }) => id)).toContain(latest.id);
        expect(summaryModel.requests.length - asked).toBeLessThanOrEqual(1);
        expect(texts([...request, ...(summaryModel.requests.at(-1) ?? [])])).not.toMatch(/\p{Cs}/u);
        tally.requests += 1;
        tally.compactions += events.filter(({ type }) => type === 'context_compacted').length;
        if (isOver(request, options)) {
          tally.over += 1;
          if (hasFailed(events)) tally.failed += 1;
          expect(isExplained(request, said, events, options)).toBe(true);
        }
        const stored = (await state())['messages'] as BaseMessage[];
        const answer = stored.at(-1);
        expect(stored.slice(0, -1).map(({ id, content }) => [id, JSON.stringify(content)])).toEqual(before);
        if (answer !== undefined) said.push(answer);
      }
    },
  );
});

test('enough has come to pass for the promises to mean something', () => {
  console.log(`compaction by chance: ${JSON.stringify(tally)}`);
  expect(tally.requests).toBeGreaterThan(200);
  expect(tally.compactions).toBeGreaterThan(100);
  expect(tally.over).toBeLessThan(tally.requests / 2);
  expect(tally.failed).toBeLessThan(tally.requests / 4);
});

const question = (turn: number): BaseMessage =>
  new HumanMessage({ id: `question-${turn}`, content: `What of it, in turn ${turn}?` });

function settingsBy(random: SeededRandom): SummarizationOptions {
  const size = (): ContextSize =>
    random.pick([
      { type: 'tokens', value: 100 + random.below(3_000) },
      { type: 'messages', value: 2 + random.below(40) },
      { type: 'fraction', value: (1 + random.below(9)) / 10 },
    ]);
  return {
    enabled: true,
    windowTokens: WINDOW,
    trigger: Array.from({ length: 1 + random.below(2) }, size),
    keep: size(),
    trimTokensToSummarize: random.pick([null, 50, 500, 4_000]),
    preserveRecentSkillCount: random.below(4),
    preserveRecentSkillTokens: random.below(2_000),
  };
}

const summaryBy = (random: SeededRandom): Scripted =>
  random.below(6) === 0
    ? random.pick<Scripted>([' ', new Error('down'), 'words '.repeat(5_000)])
    : random.pick(['A short summary.', 'Another one.', 'words '.repeat(30)]);

/** Why a strict provider would refuse a request; null when none would. */
function strictFault(request: readonly BaseMessage[]): string | null {
  const spoken = request.filter((message) => message.getType() !== 'system');
  const isCompacted = request.some(({ name }) => name === 'summary');
  if (isCompacted && spoken[0]?.getType() !== 'human') return 'begins with an answer';
  let open = new Set<string>();
  for (const { type, tool_call_id: answered, tool_calls: calls } of toMessages(request)) {
    if (type === 'tool') {
      if (answered === null || !open.delete(answered)) return `a result without its call: ${answered}`;
      continue;
    }
    if (open.size > 0) return `a call without a result: ${[...open].join()}`;
    open = new Set(calls.map(({ id }) => id).filter((id) => id !== null));
  }
  return open.size > 0 ? `a call without a result: ${[...open].join()}` : null;
}

function latestUser(messages: readonly BaseMessage[]): BaseMessage | undefined {
  return (
    messages.findLast((message) => isUserMessage(toMessage(message))) ??
    messages.findLast((message) => message.getType() === 'human')
  );
}

const estimate = createTokenEstimate();

function isOver(request: readonly BaseMessage[], { trigger = [] }: SummarizationOptions): boolean {
  const tokens = estimate(toMessages(request));
  return [trigger].flat().some(({ type, value }) => {
    if (type === 'messages') return request.length >= value;
    return tokens >= (type === 'tokens' ? value : Math.floor(value * WINDOW));
  });
}

const hasFailed = (events: readonly ThreadkeepEvent[]): boolean =>
  events.some(({ type }) => type === 'context_compaction_failed');

/** Over a trigger, there was no summary to be had, or nothing is left that could be left out. */
function isExplained(
  request: readonly BaseMessage[],
  said: readonly BaseMessage[],
  events: readonly ThreadkeepEvent[],
  options: SummarizationOptions,
): boolean {
  if (hasFailed(events)) return true;
  // A request that was repaired has answers that nobody gave.
  const given = request.filter((message) => said.includes(message) || message.name === 'summary');
  if (!isOver(given, options)) return true;
  const must = new Set([...said.slice(lastRun(said)), latestUser(said)]);
  const rest = given.filter((message) => !must.has(message) && message.name !== 'summary');
  const isOptional = (message: BaseMessage): boolean =>
    message.getType() !== 'system' && !isOfSkills(message, said);
  return !rest.some(isOptional);
}

/** Where the last message begins, with the results that follow it, and the calls of those among them. */
function lastRun(said: readonly BaseMessage[]): number {
  const messages = toMessages(said);
  let start = messages.findLastIndex(({ type }) => type !== 'tool');
  for (let at = start - 1; at >= 0 && (messages[at]?.tool_calls.length ?? 0) > 0; at -= 1) {
    const ids = messages[at]?.tool_calls.map(({ id }) => id) ?? [];
    if (messages.slice(start).some(({ tool_call_id: id }) => ids.includes(id))) start = at;
  }
  return Math.max(0, start);
}

function isOfSkills(message: BaseMessage, said: readonly BaseMessage[]): boolean {
  const reads = (one: BaseMessage | undefined): boolean =>
    JSON.stringify(one === undefined ? [] : toMessage(one).tool_calls).includes('/mnt/skills/');
  if (message.getType() !== 'tool') return reads(message);
  const call = said.slice(0, said.indexOf(message)).findLast((one) => one.getType() !== 'tool');
  return reads(call);
}

const texts = (messages: readonly BaseMessage[]): string => messages.map(({ text }) => text).join('\n');
