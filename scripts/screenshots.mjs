// Makes the README's picture, and pictures of the page's main views in `build/screenshots` to look at.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium, ensureDependencies, must, root } from './prepare.mjs';

ensureDependencies();
await ensureChromium();
must('npm', ['run', '--silent', 'build']);
must('npm', ['run', '--silent', 'build:demo', '--', '--logLevel', 'warn']);

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

try {
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of Object.entries({
      wide: { width: 1280, height: 860 },
      narrow: { width: 390, height: 844 },
    })) {
      const page = await browser.newPage({
        viewport,
        colorScheme,
        deviceScaleFactor: size === 'wide' ? 1.5 : 2,
      });
      const shoot = (view) => page.screenshot({ path: join(folder, `${view}-${size}-${colorScheme}.png`) });
      await page.goto(address);
      await page.getByRole('button', { name: 'Open the sample conversation' }).waitFor();
      await shoot('start');
      await page.getByRole('button', { name: 'Open the sample conversation' }).click();
      await page.getByRole('article').first().waitFor();
      await page.getByRole('textbox', { name: 'Message' }).fill('What was the berth contract number?');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      await page.getByText('Context compacted').first().waitFor();
      await shoot('toast');
      await page.getByRole('region', { name: 'Saved a note' }).waitFor();
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await shoot('answer');
      if (size === 'wide' && colorScheme === 'light')
        await page.screenshot({ path: join(root, 'docs', 'demo.png') });
      await page.getByRole('region', { name: 'Searched the history' }).getByRole('link').first().click();
      await page.locator('.excerpt mark').first().waitFor();
      await shoot('source');
      await page.close();
    }
  }
  console.log(`docs/demo.png, and all views in ${folder}`);
} finally {
  await browser.close();
  await server.close();
}
