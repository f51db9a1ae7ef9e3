// Two tabs that run one thread notice each other: the second is told, waits, takes over, or makes a branch.
import 'fake-indexeddb/auto';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { texts } from '../../test/support/compacting-agent.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { IndexedDBSaver } from './checkpoint.js';
import { deleteThread } from './delete-thread.js';
import { LeaseLostError, type LeaseOptions, type RunLease } from './run-lease.js';

let databases = 0;
const leases: RunLease[] = [];

/** Two tabs over one database. */
function twoTabs() {
  databases += 1;
  const tabs = [1, 2].map(() => new IndexedDBSaver({ database: `leases-${databases}` }));
  const [one, two] = tabs as [IndexedDBSaver, IndexedDBSaver];
  return { one, two };
}

async function held(saver: IndexedDBSaver, tab: string, whenBusy?: LeaseOptions['whenBusy']) {
  const outcome = await saver.lease('t', { tab, ...(whenBusy === undefined ? {} : { whenBusy }) });
  if (outcome.outcome !== 'leased') throw new Error(`Busy in ${outcome.tab}`);
  leases.push(outcome.lease);
  return outcome.lease;
}

const lossOf = ({ signal }: RunLease) =>
  new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

afterEach(async () => {
  vi.useRealTimers();
  for (const lease of leases.splice(0)) await lease.release();
});

describe('a thread that another tab runs', () => {
  test('is told with that tab’s name, until it is released', async () => {
    const { one, two } = twoTabs();
    const before = Date.now();
    const lease = await held(one, 'Left window');
    const busy = await two.lease('t', { tab: 'Right window' });
    expect(busy).toEqual({ outcome: 'busy', tab: 'Left window', since: expect.any(Number), branch: null });
    expect(busy.outcome === 'busy' && busy.since).toBeGreaterThanOrEqual(before);
    // Another thread, or another user's of the same name, is free.
    for (const thread of ['t2', { user: 'ann', thread: 't' }]) {
      const other = await two.lease(thread, { tab: 'Right window' });
      expect(other.outcome).toBe('leased');
      if (other.outcome === 'leased') await other.lease.release();
    }
    await lease.release();
    await held(two, 'Right window');
  });

  test('is had by one of several that ask at once', async () => {
    const { one, two } = twoTabs();
    const asked = [one, two, one, two].map((saver, at) => saver.lease('t', { tab: `Tab ${at}` }));
    const outcomes = await Promise.all(asked);
    const [winner, ...others] = outcomes.filter(({ outcome }) => outcome === 'leased');
    expect(others).toEqual([]);
    if (winner?.outcome === 'leased') leases.push(winner.lease);
  });

  test('can be waited for', async () => {
    const { one, two } = twoTabs();
    const lease = await held(one, 'Left window');
    const waiting = held(two, 'Right window', 'wait');
    const first = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 50, 'waits'))]);
    expect(first).toBe('waits');
    await lease.release();
    expect((await waiting).signal.aborted).toBe(false);
  });

  test('is waited for no longer than the caller wants', async () => {
    const { one, two } = twoTabs();
    await held(one, 'Left window');
    const control = new AbortController();
    const waiting = two.lease('t', { tab: 'Right window', whenBusy: 'wait', signal: control.signal });
    control.abort(new Error('Not any more.'));
    await expect(waiting).rejects.toThrow('Not any more.');
  });

  test('can be taken over: the other tab’s run ends, and hears by whom', async () => {
    const { one, two } = twoTabs();
    const lease = await held(one, 'Left window');
    const agent = createAgent({ model: new ScriptedModel(['hang']), tools: [], checkpointer: one });
    const run = agent.invoke(
      { messages: [new HumanMessage('Hello')] },
      { configurable: { thread_id: 't' }, signal: lease.signal },
    );
    const outcome = run.catch((error: unknown) => error);
    await held(two, 'Right window', 'take-over');
    expect(await outcome).toBeInstanceOf(Error);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLostError);
    expect(lease.signal.reason).toMatchObject({ name: 'LeaseLostError', tab: 'Right window' });
    // The former holder gives nothing back that is not its own.
    await lease.release();
    expect(await one.lease('t', { tab: 'Left window' })).toMatchObject({
      outcome: 'busy',
      tab: 'Right window',
    });
  });

  test('can be branched from where the other run began', async () => {
    const { one, two } = twoTabs();
    const config = { configurable: { thread_id: 't' } };
    const agentOf = (checkpointer: IndexedDBSaver, label: string) =>
      createAgent({ model: new ScriptedModel([], label), tools: [], checkpointer });
    await agentOf(one, 'a').invoke({ messages: [new HumanMessage('Start')] }, config);
    await held(one, 'Left window');
    await agentOf(one, 'b').invoke({ messages: [new HumanMessage('Left')] }, config);
    const busy = await two.lease('t', { tab: 'Right window' });
    const branch = busy.outcome === 'busy' ? busy.branch : null;
    const { messages } = await agentOf(two, 'c').invoke(
      { messages: [new HumanMessage('Right')] },
      branch ?? {},
    );
    expect(texts(messages as BaseMessage[])).toEqual(['Start', 'done', 'Right', 'done']);
  });
});

describe('a lease', () => {
  test('runs out some seconds after its tab has died', async () => {
    const { one, two } = twoTabs();
    await held(one, 'Left window');
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 5_000);
    expect(await two.lease('t', { tab: 'Right window' })).toMatchObject({ outcome: 'busy' });
    vi.setSystemTime(Date.now() + 1_500);
    await held(two, 'Right window');
  });

  test('is renewed for as long as its tab lives', async () => {
    const { one, two } = twoTabs();
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    await held(one, 'Left window');
    for (let second = 0; second < 20; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      // The renewal is written by now: transactions of one database follow each other.
      expect(await two.lease('t', { tab: 'Right window' })).toMatchObject({
        outcome: 'busy',
        tab: 'Left window',
      });
    }
  });

  test('ends when the thread is deleted', async () => {
    const { one, two } = twoTabs();
    const lease = await held(one, 'Left window');
    const loss = lossOf(lease);
    const archive = { forget: async () => ({ ok: true, value: null }) as const };
    await deleteThread({ saver: two, archive }, { thread: 't' });
    expect(await loss).toMatchObject({ name: 'LeaseLostError', tab: null });
  });
});
