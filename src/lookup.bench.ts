// Budget: a search over 10,000 live messages answers within 60 ms (p95) and holds the page at most 16 ms at a time.
import { afterAll, beforeAll, bench, describe } from 'vitest';
import { createContinuity } from './continuity.js';
import type { Message } from './core/message.js';
import type { HistoryView } from './lookup.js';
import type { Archive } from './protocol.js';

const WORDS = [
  'the deploy of service on host failed with code because config was missing and we rolled back to version',
  'please check invoice number for customer in region and tell whether it was paid before the end of month',
  '我们 决定 保留 备份 方案 集群 部署 失败 配置 缺失 回滚 版本 请 检查 订单 编号 客户',
].flatMap((line) => line.split(' '));

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number> {
  for (let value = seed; ; ) {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield value;
  }
}

function aConversation(length: number, wordsEach: number): Message[] {
  const random = numbers(7);
  const next = (below: number): number => (random.next().value ?? 0) % below;
  return Array.from({ length }, (_, at) => {
    const words = Array.from({ length: wordsEach }, () =>
      next(4) === 0 ? `word${next(20_000)}` : (WORDS[next(WORDS.length)] ?? ''),
    );
    return {
      type: at % 2 === 0 ? 'human' : 'ai',
      content: `${words.join(' ')} ZX-${at}`,
      id: `m${at}`,
      name: null,
      additional_kwargs: {},
      tool_calls: [],
      tool_call_id: null,
    };
  });
}

const unused = () => Promise.reject(new Error('Nothing is archived here.'));
const archive: Archive = {
  info: unused,
  capture: unused,
  search: unused,
  read: unused,
  holds: unused,
  forget: unused,
};
const continuity = createContinuity({ archive });
const view: HistoryView = {
  scope: { user: 'bench', thread: 'bench' },
  history: null,
  messages: aConversation(10_000, 80),
};

/** The longest time between two turns of the event loop while something runs. */
async function longestBlock(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isRunning = true;
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setImmediate(tick);
  };
  setImmediate(tick);
  await run();
  isRunning = false;
  return longest;
}

const QUERIES = {
  'an identifier': 'ZX-7312',
  'a rare word': 'word1234',
  'a question': 'which version did we roll back to when the deploy of the service failed',
  'Chinese words': '保留 备份 方案',
  'a word that nobody said': 'zeppelin',
};

const told: string[] = [];

describe('search over 10,000 live messages', () => {
  beforeAll(async () => {
    const start = performance.now();
    const block = await longestBlock(() => continuity.search(view, { query: 'ZX-1' }));
    told.push(
      `first search ${(performance.now() - start).toFixed(0)} ms, longest block ${block.toFixed(1)} ms`,
    );
    for (const [name, query] of Object.entries(QUERIES)) {
      const longest = await longestBlock(() => continuity.search(view, { query }));
      told.push(`${name}: longest block ${longest.toFixed(1)} ms`);
    }
  });
  for (const [name, query] of Object.entries(QUERIES)) {
    bench(name, async () => {
      await continuity.search(view, { query });
    });
  }
  afterAll(() => console.log(told.join('\n')));
});
