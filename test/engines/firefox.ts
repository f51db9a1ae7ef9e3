// Firefox, driven over WebDriver BiDi: an empty profile, and in it a container for each browser.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, type EngineOptions, keyActions, type Tab } from './engine.js';
import { installed } from './installed.mjs';
import { startProgram, temporaryDirectory } from './program.js';

/** Starts a Firefox without a window on the screen. */
export async function startFirefox({ isPrivate }: EngineOptions): Promise<Engine> {
  const profile = temporaryDirectory();
  const settings = {
    'intl.accept_languages': 'en-US',
    'browser.privatebrowsing.autostart': isPrivate,
    // It looks for no updates, and loads nothing but the page.
    'app.update.disabledForTesting': true,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
  };
  writeFileSync(
    join(profile.path, 'user.js'),
    Object.entries(settings)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  );
  const program = await startProgram(
    installed.firefox.program ?? 'firefox-esr',
    ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile.path, 'about:blank'],
    { until: /listening on (ws:\S+)/u, clean: profile.remove },
  );
  try {
    return await engineAt(`${program.said}/session`, isPrivate, program.end);
  } catch (error) {
    await program.end();
    throw error;
  }
}

async function engineAt(address: string, isPrivate: boolean, end: () => Promise<void>): Promise<Engine> {
  let complaints: string[] = [];
  const connection = await connect(address, ({ method, params }) => {
    if (method === 'log.entryAdded' && params['level'] === 'error') complaints.push(String(params['text']));
  });
  const { send } = connection;
  const { capabilities } = (await send('session.new', { capabilities: {} })) as {
    capabilities: { browserVersion: string };
  };
  await send('session.subscribe', { events: ['log.entryAdded'] });
  return {
    async openBrowser() {
      complaints = [];
      // Private windows have no containers.
      const container = isPrivate
        ? {}
        : ((await send('browser.createUserContext', {})) as { userContext: string });
      return {
        version: capabilities.browserVersion,
        complaints,
        async openTab() {
          const asked = await send('browsingContext.create', { type: 'window', ...container });
          return tabOf((asked as { context: string }).context, send);
        },
        async close() {
          if (!isPrivate) await send('browser.removeUserContext', container);
        },
      };
    },
    async close() {
      connection.close();
      await end();
    },
  };
}

function tabOf(context: string, send: Send): Tab {
  return {
    async goTo(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async reload() {
      await send('browsingContext.reload', { context, wait: 'complete' });
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = (await send('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: false,
      })) as { result?: { value?: string }; exceptionDetails?: { text: string } };
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
      return result?.value === undefined ? undefined : JSON.parse(result.value);
    },
    async pressKeys(keys) {
      await send('input.performActions', { context, actions: keyActions(keys) });
    },
  };
}

type Send = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;
interface Heard {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}
type Message =
  | ({ readonly type: 'event' } & Heard)
  | { readonly type: 'success'; readonly id: number; readonly result: unknown }
  | { readonly type: 'error'; readonly id: number | null; readonly error: string; readonly message: string };

/** Speaks BiDi: commands have numbers, and their answers the same. */
async function connect(address: string, onEvent: (event: Heard) => void) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  const failAll = () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has gone.'));
    waiting.clear();
  };
  socket.addEventListener('close', failAll);
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.type === 'event') return onEvent(message);
    const asked = waiting.get(message.id ?? -1);
    waiting.delete(message.id ?? -1);
    if (message.type === 'success') asked?.resolve(message.result);
    else asked?.reject(new Error(`${message.error}: ${message.message}`));
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error(`No connection to ${address}.`)), { once: true });
  });
  const send: Send = (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return { send, close: () => socket.close() };
}
