// WebKitGTK, driven over WebDriver: a session of its own, which keeps nothing, for each browser.
import { createServer } from 'node:net';
import { type Browser, type Engine, type EngineOptions, keyActions, type Tab } from './engine.js';
import { installed } from './installed.mjs';
import { type Program, startProgram, temporaryDirectory } from './program.js';

/** Starts the driver of WebKitGTK's small browser, on a display in memory when there is no other. */
export async function startWebKit(_: EngineOptions): Promise<Engine> {
  const { program: driver, xvfb } = installed.webkitgtk;
  const programs: Program[] = [];
  const end = async () => {
    for (const program of programs.toReversed()) await program.end();
  };
  try {
    const env: Record<string, string> = { LC_ALL: 'C', NO_AT_BRIDGE: '1' };
    if (xvfb !== undefined) {
      const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'];
      const screen = await startProgram(xvfb, args, { until: /(\d+)\n/u, listensTo: 3 });
      programs.push(screen);
      env['DISPLAY'] = `:${screen.said}`;
      // There is no graphics card behind that display: imitating one takes half of all the time.
      env['WEBKIT_DISABLE_DMABUF_RENDERER'] = '1';
    }
    // What GTK and the caches of fonts write stays out of the home directory.
    const home = temporaryDirectory();
    env['HOME'] = home.path;
    const port = await freePort();
    const args = [`--port=${port}`];
    programs.push(await startProgram(driver ?? 'WebKitWebDriver', args, { env, clean: home.remove }));
    const address = `http://127.0.0.1:${port}`;
    await answers(address);
    return { openBrowser: () => openSession(address), close: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function openSession(driver: string): Promise<Browser> {
  const { sessionId, capabilities } = (await command('POST', `${driver}/session`, {
    capabilities: { alwaysMatch: {} },
  })) as { sessionId: string; capabilities: { browserVersion: string } };
  const send: Send = (method, path, body) => command(method, `${driver}/session/${sessionId}${path}`, body);
  return {
    version: capabilities.browserVersion,
    complaints: null,
    async openTab() {
      const { handle } = (await send('POST', '/window/new', { type: 'window' })) as { handle: string };
      await send('POST', '/window', { handle });
      await send('POST', '/window/rect', { x: 0, y: 0, width: 1280, height: 860 });
      return tabOf(handle, send);
    },
    async close() {
      await send('DELETE', '');
    },
  };
}

/** WebDriver has one current window: each command says which it means. */
function tabOf(handle: string, send: Send): Tab {
  const here: Send = async (...request) => {
    await send('POST', '/window', { handle });
    return send(...request);
  };
  return {
    async goTo(url) {
      await here('POST', '/url', { url });
    },
    async reload() {
      await here('POST', '/refresh', {});
    },
    async evaluate(expression) {
      const json = await here('POST', '/execute/sync', {
        script: `return JSON.stringify(${expression})`,
        args: [],
      });
      return typeof json === 'string' ? JSON.parse(json) : undefined;
    },
    async pressKeys(keys) {
      await here('POST', '/actions', { actions: keyActions(keys) });
    },
  };
}

type Send = (method: 'POST' | 'DELETE', path: string, body?: unknown) => Promise<unknown>;

async function command(method: string, address: string, body?: unknown): Promise<unknown> {
  const response = await fetch(address, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: { error?: string; message?: string } | null };
  if (!response.ok) throw new Error(`${value?.error ?? response.status}: ${value?.message ?? address}`);
  return value;
}

/** The driver says nothing when it is ready. */
async function answers(driver: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await command('GET', `${driver}/status`);
      return;
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
