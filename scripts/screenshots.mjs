// Makes the README's pictures, and pictures of the page's main views in `build/screenshots` to look at. It takes a
// machine with Chinese letters.
import { mkdirSync } from 'node:fs';
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
const server = await preview({
  configFile: join(root, 'vite.config.ts'),
  mode: 'dist',
  preview: { port: 4392 },
});
const address = server.resolvedUrls?.local[0] ?? 'http://localhost:4392/';
const folder = join(root, 'build', 'screenshots');
mkdirSync(folder, { recursive: true });
const browser = await browsers.launch(chromium);

/** Which of the views the README shows, and as what. */
const SHOWN = {
  'answer-wide-light': 'demo',
  'receipt-wide-light': 'demo-receipt',
  'archive-wide-dark': 'demo-archive',
  'chinese-narrow-light': 'demo-chinese',
};

try {
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of Object.entries({
      wide: { width: 1280, height: 800 },
      narrow: { width: 390, height: 800 },
    })) {
      const open = (locale) => browser.newPage({ viewport, colorScheme, locale, serviceWorkers: 'block' });
      const shoot = async (page, view) => {
        const name = `${view}-${size}-${colorScheme}`;
        await page.screenshot({ path: join(folder, `${name}.png`) });
        if (name in SHOWN) await page.screenshot({ path: join(root, 'docs', `${SHOWN[name]}.png`) });
      };
      await walk(await open('en'), size === 'narrow', shoot);
      await walkInChinese(await open('zh-CN'), shoot);
    }
  }
  console.log(`${Object.values(SHOWN).join(', ')} in docs, and all views in ${folder}`);
} finally {
  await browser.close();
  await server.close();
}

/** The sample from its opening through a compaction, an answer, and all that can be looked into then. */
async function walk(page, isNarrow, shoot) {
  await page.goto(address);
  const sample = page.getByRole('button', { name: 'Open the sample conversation' });
  await sample.waitFor();
  await shoot(page, 'start');
  await sample.click();
  await page.getByRole('article').first().waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('What was the berth contract number?');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByText('Context compacted').first().waitFor();
  await shoot(page, 'toast');
  await page.getByRole('region', { name: 'Saved a note' }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await page.getByText('Context compacted').waitFor({ state: 'detached' });
  await shoot(page, 'answer');
  await page.getByRole('button', { name: 'Context', exact: true }).click();
  await shoot(page, 'window');
  await page.getByRole('button', { name: 'Requests as sent' }).click();
  await shoot(page, 'requests');
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Searched the history' }).getByRole('link').first().click();
  await page.locator('.excerpt mark').first().waitFor();
  await shoot(page, 'source');
  const mark = page.locator('.mark summary').first();
  await mark.click();
  const missing = page.getByText('Named in those messages, not in the summary');
  await missing.waitFor();
  await missing.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await shoot(page, 'receipt');
  await mark.click();
  if (isNarrow) await page.locator('.notes-button').click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('button', { name: /As it was opened/u }).waitFor();
  await shoot(page, 'timeline');
  await page.getByRole('tab', { name: 'Archive' }).click();
  await page.getByText('Room in this browser').waitFor();
  await shoot(page, 'archive');
  await page.close();
}

async function walkInChinese(page, shoot) {
  await page.goto(address);
  await page.getByRole('button', { name: '打开示例对话' }).click();
  await page.getByRole('article').first().waitFor();
  await page.getByRole('textbox', { name: '消息', exact: true }).fill('大窑的燃气阀门编号是多少？');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: '保存了笔记' }).waitFor();
  await page.getByRole('button', { name: '发送' }).waitFor();
  await page.getByText('上下文已压缩').waitFor({ state: 'detached' });
  await shoot(page, 'chinese');
  await page.close();
}
