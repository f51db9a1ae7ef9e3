// Measures the page with a long conversation: how responsive it is while a file opens, and while one scrolls.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium, ensureDependencies, must, root } from './prepare.mjs';

ensureDependencies();
await ensureChromium();
if (!process.argv.includes('--built')) {
  must('npm', ['run', '--silent', 'build']);
  must('npm', ['run', '--silent', 'build:demo', '--', '--logLevel', 'warn']);
}

const { preview } = await import('vite');
const { chromium: browsers } = await import('@playwright/test');
const { chromium } = await import('../e2e/chromium.mjs');

const MESSAGES = 5_000;
const PORT = Number(process.env.E2E_PORT ?? 4_392);
const server = await preview({
  configFile: join(root, 'vite.config.ts'),
  mode: 'dist',
  preview: { port: PORT, strictPort: true },
});
const browser = await browsers.launch(chromium);
const folder = mkdtempSync(join(tmpdir(), 'threadkeep-'));
// A file on disk: handing it over as bytes would be a long task of its own.
const recording = join(folder, 'long.json');
const text = JSON.stringify(longConversation(MESSAGES));
writeFileSync(recording, text);
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.addInitScript(watchTasks);
  await page.goto(server.resolvedUrls.local[0]);
  const file = page.locator('input[type=file][accept^=".json"]');
  await file.waitFor({ state: 'attached' });

  await reset(page);
  const began = Date.now();
  await file.setInputFiles(recording);
  await page.getByRole('article').first().waitFor();
  await quiet(page);
  report(`opening ${MESSAGES} messages (${(text.length / 1e6).toFixed(1)} MB)`, await tasks(page), {
    seconds: (Date.now() - began) / 1e3,
  });

  await reset(page);
  const again = Date.now();
  await page.reload();
  await page.getByRole('article').first().waitFor();
  await quiet(page);
  report('reloading it', await tasks(page), { seconds: (Date.now() - again) / 1e3 });

  await page.mouse.move(640, 400);
  for (const [name, step, count] of [
    ['scrolling up by the wheel', -240, 300],
    ['scrolling down by the wheel', 240, 300],
    ['flinging up', -3_000, 120],
  ]) {
    await reset(page);
    const frames = page.evaluate(measureFrames, count * 16);
    for (let at = 0; at < count; at += 1) await page.mouse.wheel(0, step);
    report(name, await tasks(page), { frames: await frames });
  }

  await reset(page);
  const frames = page.evaluate(measureFrames, 4_000);
  await page.evaluate(jumpAbout);
  report('jumping about by the scroll bar', await tasks(page), { frames: await frames });

  await reset(page);
  await page.getByRole('textbox', { name: 'Message' }).fill('What was the code of crate 17?');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor({ timeout: 120_000 });
  report('an answer, with its compaction and search', await tasks(page), {});
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
  await server.close();
}

function report(what, found, { seconds, frames }) {
  const parts = [`longest task ${Math.max(0, ...found).toFixed(0)} ms`];
  const over = found.filter((one) => one > 50);
  parts.push(`${over.length} over 50 ms`);
  if (seconds !== undefined) parts.unshift(`${seconds.toFixed(1)} s`);
  if (frames !== undefined) {
    const sorted = frames.toSorted((a, b) => a - b);
    parts.push(`p95 frame ${sorted[Math.floor(sorted.length * 0.95)]?.toFixed(1)} ms of ${frames.length}`);
  }
  console.log(`${what}: ${parts.join(', ')}`);
}

/** Runs in the page before anything else: notes every task that the browser calls long. */
function watchTasks() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
}

async function reset(page) {
  await page.waitForTimeout(300);
  await page.evaluate(() => {
    window.longTasks.length = 0;
  });
}

async function tasks(page) {
  await page.waitForTimeout(300);
  return page.evaluate(() => [...window.longTasks]);
}

/** Resolves when no long task was seen for a second. */
async function quiet(page) {
  for (let seen = -1; ; ) {
    const now = await page.evaluate(() => window.longTasks.length);
    if (now === seen) return;
    seen = now;
    await page.waitForTimeout(1_000);
  }
}

/** The time between frames for so many milliseconds. */
function measureFrames(milliseconds) {
  return new Promise((resolve) => {
    const deltas = [];
    const begin = performance.now();
    let last = begin;
    const frame = (now) => {
      if (now > last) deltas.push(now - last);
      last = now;
      if (now - begin < milliseconds) requestAnimationFrame(frame);
      else resolve(deltas);
    };
    requestAnimationFrame(frame);
  });
}

async function jumpAbout() {
  const scroller = document.querySelector('.transcript');
  for (let at = 0; at < 40; at += 1) {
    scroller.scrollTop = ((at * 7_919) % 100) * 0.01 * scroller.scrollHeight;
    await new Promise((resolve) => setTimeout(resolve, 90));
  }
}

/** Questions, calls with results, answers with lists and code; the same every time. */
function longConversation(count) {
  const messages = [];
  for (let turn = 0; messages.length < count; turn += 1) {
    messages.push({
      role: 'user',
      content: `🧵 ${turn}. Where is crate ${turn}, and ${'what of the rest of it '.repeat(turn % 9)}?`,
    });
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `call-${turn}`,
          type: 'function',
          function: { name: 'find_crate', arguments: JSON.stringify({ crate: turn, quay: turn % 14 }) },
        },
      ],
    });
    messages.push({
      role: 'tool',
      tool_call_id: `call-${turn}`,
      content: JSON.stringify({ crate: turn, code: `CR-${turn * 37}`, log: 'moved '.repeat(turn % 120) }),
    });
    messages.push({
      role: 'assistant',
      content: `Crate **${turn}** has the code \`CR-${turn * 37}\`.\n\n${'- It was moved by hand, and 会议记录 says so.\n'.repeat(turn % 7)}${turn % 11 === 0 ? '\n```js\nconst crate = 1;\n```\n' : ''}${'It stands where it stood before. '.repeat(turn % 13)}`,
    });
  }
  return messages.slice(0, count);
}
