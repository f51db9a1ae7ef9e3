// A Chromium of our own: a real process with a profile on disk, that can be killed and started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BrowserContext, type Page, chromium as playwright } from '@playwright/test';
import { chromium } from '../../e2e/chromium.mjs';
import type { Report } from './page.js';

const FLAGS = [
  '--headless',
  '--remote-debugging-port=0',
  '--no-default-browser-check',
  '--disable-dev-shm-usage',
];

export interface PageOptions {
  readonly thread: string;
  readonly maxBatches: number;
  readonly maxRecords: number;
}

export class KillableBrowser {
  readonly #site: string;
  readonly #profile = mkdtempSync(join(tmpdir(), 'threadkeep-survival-'));
  #process: ChildProcess | null = null;
  #context: BrowserContext | null = null;

  /** An interrupted run leaves no browser behind. */
  readonly #killAll = () => {
    if (this.#process?.pid !== undefined) process.kill(-this.#process.pid, 'SIGKILL');
    rmSync(this.#profile, { recursive: true, force: true });
  };

  constructor(site: string) {
    this.#site = site;
  }

  async start(): Promise<void> {
    const executable = chromium.executablePath ?? playwright.executablePath();
    const args = [...chromium.args, ...FLAGS, `--user-data-dir=${this.#profile}`, 'about:blank'];
    const child = spawn(executable, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    this.#process = child;
    process.once('exit', this.#killAll);
    const endpoint = await endpointOf(child);
    const browser = await playwright.connectOverCDP(endpoint);
    const [context] = browser.contexts();
    if (context === undefined) throw new Error('The browser has no context.');
    this.#context = context;
  }

  /** Ends the browser as the system does when memory is short: no process of it gets a word. */
  async kill(which: 'browser' | 'all'): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined) return;
    process.off('exit', this.#killAll);
    const ended = once(child, 'exit');
    process.kill(which === 'all' ? -child.pid : child.pid, 'SIGKILL');
    await ended;
    this.#process = null;
  }

  async open({ thread, maxBatches, maxRecords }: PageOptions, hear: (report: Report) => void): Promise<Page> {
    if (this.#context === null) throw new Error('The browser was not started.');
    const page = await this.#context.newPage();
    await page.exposeBinding('report', (_source, report: Report) => hear(report));
    const query = new URLSearchParams({
      thread,
      maxBatches: String(maxBatches),
      maxRecords: String(maxRecords),
    });
    await page.goto(`${this.#site}?${query}`);
    return page;
  }

  async dispose(): Promise<void> {
    await this.kill('all');
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function endpointOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('The browser has no stderr.');
  const lines = createInterface(child.stderr);
  const said: string[] = [];
  for await (const line of lines) {
    const [, endpoint] = /^DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (endpoint !== undefined) {
      // Unread, what it says would fill the pipe and stop it.
      child.stderr.resume();
      return endpoint;
    }
    said.push(line);
  }
  throw new Error(`The browser did not start: ${said.join('\n')}`);
}
