// Several pages over one database in Chromium: branches, deletions, versions, lost connections and no storage.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { createAgent, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { cdp } from 'vitest/browser';
import { z } from 'zod';
import { at, putMessages, rowsIn, textsAt } from '../../test/support/checkpoints.js';
import { aPage } from '../../test/support/pages.js';
import { ScriptedModel } from '../../test/support/scripted-model.js';
import { scopeDigest } from '../core/digest.js';
import { IndexedDBSaver } from './checkpoint.js';

interface Protocol {
  send(method: 'Storage.clearDataForOrigin', params: { origin: string; storageTypes: string }): Promise<void>;
}

const { origin } = location;
const browser = () => cdp() as unknown as Protocol;
const aName = () => `tabs-${crypto.randomUUID()}`;

/** Opens a database as another version of the package would. */
function openAs(database: string, version: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, version);
    request.onupgradeneeded = () => {
      if (!request.result.objectStoreNames.contains('entries')) request.result.createObjectStore('entries');
    };
    request.onsuccess = () => resolve(request.result);
    request.onblocked = () => reject(new Error('Somebody does not let go.'));
    request.onerror = () => reject(request.error);
  });
}

describe('two pages', () => {
  test('write branches of one checkpoint at once, and each reads both', async () => {
    const database = aName();
    const saver = new IndexedDBSaver({ database });
    const page = await aPage(database);
    const first = await putMessages(saver, at('t'), [new HumanMessage('Hello')]);
    const parent = String(first.configurable?.['checkpoint_id']);
    const ours = (text: string) =>
      putMessages(saver, first, [new HumanMessage('Hello'), new AIMessage(text)]);
    const rounds = Array.from({ length: 20 }, (_, round) => round);
    const both = await Promise.all(
      rounds.map((round) =>
        Promise.all([ours(`Ours ${round}`), page.ask('put', 't', parent, 'Hello', `Theirs ${round}`)]),
      ),
    );
    for (const [round, [our, their]] of both.entries()) {
      const ourId = String(our.configurable?.['checkpoint_id']);
      expect(await textsAt(saver, at('t', { checkpoint_id: their }))).toEqual(['Hello', `Theirs ${round}`]);
      expect(await page.ask('texts', 't', their)).toBe(`Hello|Theirs ${round}`);
      expect(await textsAt(saver, our)).toEqual(['Hello', `Ours ${round}`]);
      expect(await page.ask('texts', 't', ourId)).toBe(`Hello|Ours ${round}`);
    }
    page.close();
  });

  test('a page that is closed right after a put was confirmed loses nothing', async () => {
    const database = aName();
    for (let round = 0; round < 5; round += 1) {
      const page = await aPage(database);
      const id = await page.ask('put', `t${round}`, '', 'Hello', 'word '.repeat(20_000));
      page.close();
      const texts = await textsAt(new IndexedDBSaver({ database }), at(`t${round}`, { checkpoint_id: id }));
      expect(texts).toEqual(['Hello', 'word '.repeat(20_000)]);
    }
  });

  test('a deletion in the other brings nothing of this one’s run back', async () => {
    const database = aName();
    const saver = new IndexedDBSaver({ database });
    const page = await aPage(database);
    let steps = 0;
    let deleted: Promise<string> | null = null;
    const step = tool(
      async () => {
        steps += 1;
        // Not waited for: puts of this run are in flight.
        if (steps === 3) deleted = page.ask('delete', 't');
        return 'x'.repeat(50_000);
      },
      { name: 'step', description: 'A step.', schema: z.object({}) },
    );
    const script = Array.from({ length: 40 }, (_, call) => ({
      calls: [{ name: 'step', args: {}, id: `c${call}` }],
    }));
    const agent = createAgent({ model: new ScriptedModel(script), tools: [step], checkpointer: saver });
    const run = agent.invoke({ messages: [new HumanMessage('Go')] }, { ...at('t'), recursionLimit: 200 });
    await expect(run).rejects.toThrow('was deleted while this run was going on');
    expect(await deleted).toBe('deleted');
    expect((await rowsIn(database)).map(([key]) => key)).toEqual([['mark', scopeDigest('local', 't')]]);
    // What begins now may use the id again.
    const again = createAgent({ model: new ScriptedModel(), tools: [], checkpointer: saver });
    await again.invoke({ messages: [new HumanMessage('Anew')] }, at('t'));
    expect(await textsAt(saver, at('t'))).toEqual(['Anew', 'done']);
    page.close();
  });
});

describe('another version of the database', () => {
  test('is let through at once, and told', async () => {
    const database = aName();
    const saver = new IndexedDBSaver({ database });
    await putMessages(saver, at('t'), [new HumanMessage('Hello')]);
    const newer = await openAs(database, 99);
    await expect(saver.getTuple(at('t'))).rejects.toThrow('a newer version of threadkeep made');
    newer.close();
  });

  test('that an older page keeps open fails the call instead of hanging it', async () => {
    const database = aName();
    const old = await openAs(database, 1);
    const saver = new IndexedDBSaver({ database });
    await expect(saver.getTuple(at('t'))).rejects.toThrow('another tab keeps an older version of');
    old.close();
    await putMessages(saver, at('t'), [new HumanMessage('Hello')]);
    expect(await textsAt(saver, at('t'))).toEqual(['Hello']);
  });
});

describe('storage that the browser takes away', () => {
  test('is opened again: no put that was in flight fails', async () => {
    const database = aName();
    const saver = new IndexedDBSaver({ database });
    await putMessages(saver, at('t'), [new HumanMessage('Hello')]);
    const puts = Array.from({ length: 40 }, (_, put) =>
      putMessages(saver, at(`t${put}`), [new HumanMessage('x'.repeat(100_000))]),
    );
    await browser().send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
    await Promise.all(puts);
    // All that was there is gone, and the saver does not believe to have stored any of it.
    expect(await textsAt(saver, at('t'))).toBeNull();
    await putMessages(saver, at('t'), [new HumanMessage('Hello')]);
    expect(await textsAt(new IndexedDBSaver({ database }), at('t'))).toEqual(['Hello']);
  });

  test('is none at all in some private windows, and a call says so at once', async () => {
    const real = Object.getOwnPropertyDescriptor(window, 'indexedDB');
    const denied = () => {
      throw new DOMException('Access is denied in this context.', 'SecurityError');
    };
    for (const stand of [{ value: undefined }, { value: { open: denied } }, { get: denied }]) {
      Object.defineProperty(window, 'indexedDB', { ...stand, configurable: true });
      try {
        const saver = new IndexedDBSaver({ database: aName() });
        await expect(saver.getTuple(at('t'))).rejects.toThrow('this browser has no IndexedDB here');
      } finally {
        if (real === undefined) Reflect.deleteProperty(window, 'indexedDB');
        else Object.defineProperty(window, 'indexedDB', real);
      }
    }
  });
});
