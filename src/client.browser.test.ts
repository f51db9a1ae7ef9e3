// The page's end of the archive in a real browser: real workers, real OPFS, real deaths.
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  aScope,
  capture,
  captureOf,
  messagesOf,
  queryFor,
  RETENTION,
  searchTexts,
  unwrap,
} from '../test/support/archives.js';
import { type ArchiveClient, type ArchiveOptions, openArchive } from './client.js';
import { batchIdOf, scopeDigest } from './core/digest.js';
import { extractRecords } from './core/message.js';
import { PROTOCOL_VERSION } from './protocol.js';

const clients: ArchiveClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
});

function open(options: ArchiveOptions = {}): ArchiveClient {
  const client = openArchive(options);
  clients.push(client);
  return client;
}

/** A client whose workers the test can get at. */
function openWatched() {
  const workers: Worker[] = [];
  const client = open({
    worker: () => {
      const worker = new Worker(new URL('../worker/main.js', import.meta.url), { type: 'module' });
      workers.push(worker);
      return worker;
    },
  });
  return { client, workers };
}

/** A worker with this script instead of the package's. */
function scriptWorker(script: string): () => Worker {
  return () => {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    return new Worker(url, { type: 'module' });
  };
}

/** A worker that answers as Comlink does: every call with the same value. */
const answering = (value: string): (() => Worker) =>
  scriptWorker(`onmessage = ({ data: { id } }) => postMessage({ id, type: 'RAW', value: ${value} });`);

describe('an open archive', () => {
  test('starts its worker with the first call', async () => {
    const { client, workers } = openWatched();
    expect(workers).toHaveLength(0);
    await Promise.all([client.info(), client.info()]);
    expect(workers).toHaveLength(1);
  });

  test('lasts in this browser', async () => {
    expect(unwrap(await open().info())).toEqual({
      persistent: true,
      reason: null,
      protocolVersion: PROTOCOL_VERSION,
    });
  });

  test('keeps what was captured, for another worker to find', async () => {
    const scope = aScope();
    const first = open();
    const batch = await capture(first, scope, 'The code is ZX-731.');
    first.dispose();
    expect(await searchTexts(open(), scope, [batch], 'zx-731')).toEqual(['The code is ZX-731.']);
  });
});

describe('a worker that dies', () => {
  test('leaves no call without an answer, and the next call finds everything again', async () => {
    const scope = aScope();
    const { client, workers } = openWatched();
    const batch = await capture(client, scope, 'before the end');
    const pending = [
      client.capture(scope, captureOf('never stored')),
      client.search(scope, [batch], queryFor('before')),
      client.info(),
    ];
    workers[0]?.terminate();
    for (const reply of await Promise.all(pending)) {
      expect(reply).toMatchObject({ ok: false, failure: 'worker-lost' });
    }
    expect(await searchTexts(client, scope, [batch], 'before')).toEqual(['before the end']);
    expect(workers).toHaveLength(2);
  });

  test('in the middle of a capture leaves the whole batch or nothing of it', async () => {
    const scope = aScope();
    const { client, workers } = openWatched();
    const texts = Array.from({ length: 256 }, (_, index) => `word${index} `.repeat(400));
    for (let round = 0; round < 4; round += 1) {
      const request = captureOf(...texts, `round ${round}`);
      const records = extractRecords(messagesOf(request), RETENTION.maxRecordChars).slice(-256);
      const batch = batchIdOf(scopeDigest(scope.user, scope.thread), records);
      const reply = client.capture(scope, request);
      // Another worker's capture takes about as long as a part of this one.
      await capture(open(), aScope(), ...texts.slice(0, 1 + round * 40));
      workers.at(-1)?.terminate();
      await reply;
      await expect.poll(async () => (await client.info()).ok).toBe(true);
      const { statistics } = unwrap(await client.search(scope, [batch], queryFor('round')));
      expect([0, 256]).toContain(statistics.documents);
      const { stored } = unwrap(await client.capture(scope, request));
      expect(stored).toBe(256);
      const after = unwrap(await client.search(scope, [batch], queryFor('round')));
      expect(after.statistics).toMatchObject({ documents: 256, documentFrequency: [1] });
    }
  });

  test('is not taken for dead while it works for seconds', async () => {
    const busy = `
      const name = 'life ' + crypto.randomUUID();
      const held = new Promise((resolve) => navigator.locks.request(name, () => {
        resolve();
        return new Promise(() => {});
      }));
      onmessage = async ({ data: { id, path } }) => {
        await held;
        if (path[0] === 'hello') {
          postMessage({ id, type: 'RAW', value: { protocolVersion: ${PROTOCOL_VERSION}, lifeLock: name } });
          return;
        }
        const end = performance.now() + 2_000;
        while (performance.now() < end);
        postMessage({ id, type: 'RAW', value: { ok: true, value: 'worked' } });
      };`;
    const client = open({ worker: scriptWorker(busy) });
    expect(await client.info()).toEqual({ ok: true, value: 'worked' });
  });
});

describe('a worker that cannot start is an unsupported archive', () => {
  test.each([
    ['when the script is missing', () => new Worker('/no-such-worker.js', { type: 'module' })],
    ['when the script fails while it loads', scriptWorker('throw new Error("broken script")')],
    ['when the script imports what is not there', scriptWorker('import "/no-such-module.js"')],
    ['when the browser refuses to make it', () => new Worker('https://elsewhere.invalid/worker.js')],
  ])('%s', async (_, worker) => {
    const client = open({ worker });
    for (const reply of await Promise.all([client.info(), client.forget(aScope())])) {
      expect(reply).toMatchObject({ ok: false, failure: 'unsupported' });
    }
  });

  test.each([
    ['a newer', PROTOCOL_VERSION + 1],
    ['an older', PROTOCOL_VERSION - 1],
  ])('when it speaks %s version of the protocol', async (_, version) => {
    const client = open({ worker: answering(`{ protocolVersion: ${version}, lifeLock: null }`) });
    const reply = await client.info();
    expect(reply).toMatchObject({ ok: false, failure: 'unsupported' });
    expect(reply).toHaveProperty('detail', expect.stringContaining(`the worker version ${version}.`));
  });

  test('until one can be started', async () => {
    const attempts = [() => new Worker('/no-such-worker.js', { type: 'module' })];
    const client = open({
      worker: () =>
        attempts.pop()?.() ?? new Worker(new URL('../worker/main.js', import.meta.url), { type: 'module' }),
    });
    expect(await client.info()).toMatchObject({ ok: false, failure: 'unsupported' });
    expect(await client.info()).toMatchObject({ ok: true });
  });
});

describe('without a file system and without locks', () => {
  const insecureWorker = () =>
    new Worker(new URL('../test/support/insecure-worker.ts', import.meta.url), { type: 'module' });

  test('the archive lives in memory, and says why', async () => {
    const client = open({ worker: insecureWorker });
    expect(unwrap(await client.info())).toMatchObject({
      persistent: false,
      reason: expect.stringMatching(/file system/),
    });
    const scope = aScope();
    const batch = await capture(client, scope, 'for now');
    expect(await searchTexts(client, scope, [batch], 'now')).toEqual(['for now']);
    expect(await client.forget(scope)).toMatchObject({ ok: true });
    expect(unwrap(await client.holds(scope, [batch], [])).batchesFound).toBeNull();
  });

  test('nothing of it is there for another worker', async () => {
    const scope = aScope();
    const batch = await capture(open({ worker: insecureWorker }), scope, 'for now');
    expect(unwrap(await open({ worker: insecureWorker }).holds(scope, [batch], [])).batchesFound).toBeNull();
  });
});

describe('a deadline', () => {
  test('ends the wait for a worker that does not answer', async () => {
    const client = open({ worker: scriptWorker('onmessage = () => {}'), deadlineMs: 100 });
    expect(await client.info()).toMatchObject({ ok: false, failure: 'deadline' });
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('of %d is refused', (deadlineMs) => {
    expect(() => openArchive({ deadlineMs })).toThrow(/^deadlineMs: .* given; a positive number/);
  });
});

describe('an archive that was disposed of', () => {
  test('answers pending and later calls with a failure', async () => {
    const client = open();
    const pending = client.info();
    client.dispose();
    client.dispose();
    expect(await pending).toMatchObject({ ok: false, failure: 'worker-lost' });
    expect(await client.info()).toMatchObject({ ok: false, failure: 'internal' });
  });

  test('leaves no timer behind', async () => {
    vi.useFakeTimers();
    try {
      const client = open({ worker: scriptWorker('onmessage = () => {}') });
      const pending = client.info();
      expect(vi.getTimerCount()).toBe(1);
      client.dispose();
      await pending;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('holds no lock any more', async () => {
    const client = open();
    await capture(client, aScope(), 'something');
    const names = async () => {
      const { held = [], pending = [] } = await navigator.locks.query();
      return [...held, ...pending].map((lock) => lock.name);
    };
    const before = await names();
    client.dispose();
    await expect.poll(async () => (await names()).filter((name) => before.includes(name))).toEqual([]);
  });
});
