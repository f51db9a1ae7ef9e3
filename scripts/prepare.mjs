// What `npm start` and `npm test` share: running commands, and installing what is missing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = join(root, 'node_modules', '.bin');

/** Runs a command of the project (or of the system) in its root, its output shown; answers its exit code. */
export function run(command, args, options = {}) {
  const { env, ...rest } = options;
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${bin}:${process.env.PATH ?? ''}`, ...env },
    ...rest,
  });
  if (result.error !== undefined) console.error(`${command}: ${result.error.message}`);
  return result.status ?? 1;
}

/** Like `run`, but ends the process when the command fails: nothing after it would make sense. */
export function must(command, args, options) {
  const code = run(command, args, options);
  if (code === 0) return;
  console.error(`\n${[command, ...args].join(' ')} failed with exit code ${code}.`);
  process.exit(code);
}

/** Installs the locked packages unless exactly they are installed already. */
export function ensureDependencies() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', '.installed-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('Installing packages…');
  must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, lock);
}

/**
 * Finds a Chromium for the browser tests: `CHROMIUM`, one on the machine, Playwright's download, or the
 * system's package manager, in this order. Ends the process with a word of advice when there is none.
 */
export async function ensureChromium() {
  const { chromium: launch } = await import('../e2e/chromium.mjs');
  if (launch.executablePath !== undefined) return;
  const { chromium } = await import('@playwright/test');
  if (existsSync(chromium.executablePath())) return;
  console.log('No Chromium on this machine: asking Playwright for its own…');
  if (run('playwright', ['install', 'chromium'], { timeout: 300_000 }) === 0) return;
  console.log('Playwright could not download it: asking the package manager…');
  if (apt('update') && apt('install', '-y', 'chromium')) return;
  console.error('No Chromium could be installed. Install one, or name it: CHROMIUM=/path/to/chrome npm test');
  process.exit(1);
}

/**
 * Asks the package manager for the other engines that are missing, where it may be asked without a person: as root,
 * or in CI. An engine that stays missing is no failure: its tests say why they cannot run.
 */
export async function ensureEngines() {
  const { installed } = await import('../test/engines/installed.mjs');
  const missing = Object.values(installed).filter((engine) => engine.missing !== null);
  const mayAsk = process.getuid?.() === 0 || process.env.CI !== undefined;
  if (missing.length === 0 || !mayAsk || !existsSync('/usr/bin/apt-get') || !apt('update')) return;
  for (const { packages } of missing) {
    console.log(`Asking the package manager for ${packages.join(' and ')}…`);
    apt('install', '-y', '--no-install-recommends', ...packages);
  }
}

/** Lets Debian's package manager do something; whether it did. Only what goes wrong is shown. */
function apt(...args) {
  const [command, ...rest] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), 'apt-get', '-qq', ...args];
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: { DEBIAN_FRONTEND: 'noninteractive' } };
  return run(command, rest, options) === 0;
}
