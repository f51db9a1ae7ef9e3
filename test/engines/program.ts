// A program that is started for a test and leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A program that has not said what is waited for by then, in milliseconds, does not start at all. */
const START_DEADLINE_MS = 60_000;
/** A program that does not end when it is asked to is killed after so many milliseconds. */
const END_DEADLINE_MS = 5_000;

export interface Program {
  /** What `until` found in what the program said; empty without it. */
  readonly said: string;
  end(): Promise<void>;
}

export interface ProgramOptions {
  /** Waits until the program has said this on standard error, or on its fourth stream with `listensTo: 3`. */
  readonly until?: RegExp;
  readonly listensTo?: 2 | 3;
  readonly env?: Readonly<Record<string, string>>;
  /** Called when it has ended. */
  readonly clean?: () => void;
}

/** Starts a program; rejects with what it said when it ends, or says nothing for a minute. */
export async function startProgram(
  command: string,
  args: readonly string[],
  { until, listensTo = 2, env, clean }: ProgramOptions,
): Promise<Program> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  });
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // Nothing of it is left.
    }
  };
  // An interrupted run leaves no program behind.
  const onExit = () => {
    kill('SIGKILL');
    clean?.();
  };
  process.once('exit', onExit);
  const end = async () => {
    process.off('exit', onExit);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      kill('SIGTERM');
      const impatience = setTimeout(() => kill('SIGKILL'), END_DEADLINE_MS);
      await ended;
      clearTimeout(impatience);
    }
    kill('SIGKILL');
    clean?.();
  };
  try {
    return { said: await heard(child, until ?? /^/u, listensTo), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** A directory for a program's files, and what removes it. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'threadkeep-engine-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

function heard(child: ChildProcess, until: RegExp, stream: 2 | 3): Promise<string> {
  const { promise, resolve, reject } = withResolvers<string>();
  let said = '';
  if (until.test('')) resolve('');
  const fail = (what: string) => reject(new Error(`${child.spawnfile} ${what}: ${said}`));
  const deadline = setTimeout(() => fail('did not start in time'), START_DEADLINE_MS);
  child.once('error', reject);
  child.once('exit', () => fail('ended'));
  // Read to the end, or the program would wait for its reader.
  for (const [at, source] of [...child.stdio.entries()]) {
    if (at < 2) continue;
    (source as Readable | null)?.setEncoding('utf8').on('data', (text: string) => {
      if (at === stream) said += text;
      const match = at === stream ? until.exec(said) : null;
      if (match !== null) resolve(match[1] ?? match[0]);
    });
  }
  return promise.finally(() => clearTimeout(deadline));
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
