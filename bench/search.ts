// A search over 10,000 live messages: how long it takes, and how long it holds its thread at a time.
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

/** What a run takes of the processor, whatever else the machine does; null in a page, which cannot know. */
async function processorTime(run: () => Promise<unknown>): Promise<number | null> {
  if (typeof globalThis.process?.cpuUsage !== 'function') return null;
  const begun = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) await run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000 / ROUNDS;
}

const ROUNDS = 30;

const QUERIES = {
  'an identifier': 'ZX-7312',
  'a rare word': 'word1234',
  'a question': 'which version did we roll back to when the deploy of the service failed',
  'Chinese words': '保留 备份 方案',
  'a word that nobody said': 'zeppelin',
};

/** Runs something `rounds` times, and says how long its thread was held at a time. */
export type Hold = (name: string, rounds: number, run: () => Promise<unknown>) => Promise<readonly Figure[]>;

/** Searches of many kinds; the first one has all of the conversation to work out. */
export async function benchSearch(hold: Hold): Promise<void> {
  let took = Number.NaN;
  const figures = [
    ...(await hold('the first search', 1, async () => {
      const start = performance.now();
      await continuity.search(view, { query: 'ZX-1' });
      took = performance.now() - start;
    })),
  ];
  figures.unshift({ name: 'the first search of a page', value: took, unit: 'ms' });
  for (const [name, query] of Object.entries(QUERIES)) {
    const search = () => continuity.search(view, { query });
    const { median, p95 } = await time(search);
    figures.push({ name, value: median, unit: 'ms' });
    const processor = await processorTime(search);
    if (processor !== null) figures.push({ name: `${name}, processor time`, value: processor, unit: 'ms' });
    figures.push({ name: `${name}, 95th percentile`, value: p95, unit: 'ms', atMost: 60 });
    figures.push(...(await hold(name, ROUNDS, search)));
  }
  report('Search over 10,000 live messages', figures);
}
