// The user's promise: the page speaks English and Chinese, and the mechanism works the same in both.
import { expect, type Page, test } from '@playwright/test';
import { complaints, composer as englishComposer, SAMPLE } from './demo.js';

const LATIN = /\p{Script=Latin}/u;
const composer = (page: Page) => page.getByRole('textbox', { name: '消息', exact: true });

test.describe('where the browser asks for Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('compaction, mark, receipt and look-up are told in Chinese', async ({ page }) => {
    const heard = complaints(page);
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await page.getByRole('button', { name: '打开示例对话' }).click();
    await expect(page.getByRole('article').first()).toBeVisible();

    // Of the sample's questions one is Chinese, as a part of the sample is.
    await page.getByRole('list', { name: '推荐问题' }).getByText('大窑的燃气阀门编号是多少？').click();
    const toasts = page.getByRole('region', { name: '通知' });
    await expect(toasts.getByText('正在压缩上下文…')).toBeVisible();
    await expect(
      toasts.getByText(/^上下文已压缩：\d+ 条消息变成了一份摘要，[\d,]+ → [\d,]+ 个词元。/u),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: '发送' })).toBeVisible();
    const answer = page.getByRole('article', { name: '助手' }).last();
    await expect(answer).toContainText('我在对话记录里查到了。');
    await expect(answer).toContainText('GV-5518');
    await expect(page.getByRole('region', { name: '搜索了历史' }).last()).toBeVisible();

    const mark = page.getByRole('complementary', { name: '上下文窗口' });
    await mark.getByText(/^\d+ 条消息已移出模型窗口，仍可搜索$/u).click();
    await expect(mark.getByText('模型看到的替代摘要')).toBeVisible();
    await expect(mark).toContainText(/一份摘要代替了 \d+ 条消息：[\d,]+ → [\d,]+ 个词元（估算）。/u);
    await expect(mark.getByText('消息里提到、摘要里没有的内容')).toBeVisible();
    await expect(mark.getByRole('button', { name: /^把“.*”钉为笔记$/u }).first()).toBeVisible();

    await page.getByRole('tab', { name: '时间线' }).click();
    await expect(page.getByRole('tabpanel')).toContainText('刚打开时');
    expect(heard).toEqual([]);
  });

  test('no button, field or link of the page keeps an English name', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: '打开示例对话' }).click();
    await expect(page.getByRole('article').first()).toBeVisible();
    const names = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, textarea, select, summary, [aria-label], [title]')]
        // What the conversation says, its title and its questions are in its own language.
        .filter((element) => element.closest('article, .suggestions, .thread-list, .language') === null)
        .flatMap((element) => [
          element.getAttribute('aria-label') ?? '',
          element.getAttribute('title') ?? '',
          element.getAttribute('placeholder') ?? '',
          element.matches('button, summary') ? (element.textContent ?? '') : '',
        ]),
    );
    expect(names.filter((name) => /\p{Script=Han}/u.test(name)).length).toBeGreaterThan(10);
    expect(names.filter((name) => LATIN.test(name))).toEqual([]);
  });
});

test('the language can be changed by key, is remembered, and what was typed stays', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByRole('button', { name: 'Open the sample conversation' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
  await englishComposer(page).fill('Half a thought');

  await page.getByRole('combobox', { name: /语言/u }).selectOption('中文');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(composer(page)).toHaveValue('Half a thought');
  await page.reload();
  await expect(composer(page)).toHaveValue('Half a thought');

  await page.getByRole('combobox', { name: /Language/u }).selectOption('English');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(englishComposer(page)).toHaveValue('Half a thought');
  await englishComposer(page).fill(SAMPLE.question);
  await englishComposer(page).press('Enter');
  await expect(page.getByRole('article', { name: 'Agent' }).last()).toContainText(SAMPLE.answer);
});
