// A search over 10,000 live messages: how long it takes, and how long it holds the page at a time.
import { test } from 'vitest';
import { createContinuity } from '../src/continuity.js';
import type { Message } from '../src/core/message.js';
import type { HistoryView } from '../src/lookup.js';
import type { Archive } from '../src/protocol.js';
import { type Figure, report, time } from './measure.js';

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
  sources: unused,
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

test('search over 10,000 live messages', async () => {
  const start = performance.now();
  const firstBlock = await longestBlock(() => continuity.search(view, { query: 'ZX-1' }));
  const figures: Figure[] = [
    { name: 'the first search of a page', value: performance.now() - start, unit: 'ms' },
    { name: 'the first search, longest block', value: firstBlock, unit: 'ms', atMost: 16 },
  ];
  for (const [name, query] of Object.entries(QUERIES)) {
    const search = () => continuity.search(view, { query });
    const { median, p95 } = await time(search);
    const block = await longestBlock(search);
    figures.push({ name, value: median, unit: 'ms' });
    figures.push({ name: `${name}, 95th percentile`, value: p95, unit: 'ms', atMost: 60 });
    figures.push({ name: `${name}, longest block`, value: block, unit: 'ms', atMost: 16 });
  }
  report('Search over 10,000 live messages', figures);
});
