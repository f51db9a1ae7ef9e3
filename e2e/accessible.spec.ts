// The user's promise: every view can be used with assistive technology; axe finds nothing serious on any.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { answered, composer, messages, openSample, pickFile, SAMPLE, sendTyped, transcript } from './demo.js';

/** What axe holds against the page, or a part of it, in light and in dark: rule and element, for reading. */
async function faults(page: Page, part?: string): Promise<readonly string[]> {
  const look = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    const axe = new AxeBuilder({ page });
    if (part !== undefined) axe.include(part);
    // Nothing but colours differs between the two.
    if (colorScheme === 'dark') axe.withRules('color-contrast');
    return (await axe.analyze()).violations;
  };
  const violations = [...(await look('light')), ...(await look('dark'))];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary?.slice(0, 300)}`,
      ),
    );
}

const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const;

for (const size of ['wide', 'narrow'] as const) {
  test.describe(size, () => {
    test.use({ viewport: SIZES[size] });

    test('no view has a serious fault, in light or in dark', async ({ page }) => {
      const isNarrow = size === 'narrow';
      const check = async (view: string, part?: string) => {
        await test.step(view, async () => expect.soft(await faults(page, part), view).toEqual([]));
      };
      const side = page.getByRole('navigation', { name: 'Conversations' });
      await page.goto('/');
      await expect(page.getByRole('button', { name: 'Open the sample conversation' })).toBeVisible();
      await check('the empty page');

      await pickFile(page, { name: 'bad.json', text: '{"colour": "green"}' });
      await expect(page.getByRole('alert').getByText('bad.json')).toBeVisible();
      await check('a refused file');

      await openSample(page);
      await check('a conversation before its first compaction');
      await composer(page).fill(SAMPLE.question);
      await sendTyped(page);
      await expect(page.getByText('Compacting the context…')).toBeVisible();
      await check('while a summary is made');
      await answered(page);
      await expect(messages(page).last()).toContainText(SAMPLE.answer);
      await check('an answer with its look-ups');

      await transcript(page).locator('details summary').first().click();
      await transcript(page).getByText('left the model’s window').click();
      await expect(transcript(page).getByText('Named in those messages, not in the summary')).toBeVisible();
      await check('the receipt', '.mark');
      await transcript(page).getByText('left the model’s window').click();

      await page.getByRole('button', { name: 'Context', exact: true }).click();
      await check('the context settings', '.context');
      await page.getByRole('button', { name: 'Requests as sent' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await check('the requests as sent', 'dialog');
      await page.keyboard.press('Escape');

      if (isNarrow) await page.getByRole('button', { name: 'Notebook, timeline' }).click();
      for (const tab of ['Notebook', 'Timeline', 'Search', 'Archive']) {
        await page.getByRole('tab', { name: tab }).click();
        await expect(page.getByRole('tabpanel')).toBeVisible();
        if (tab === 'Timeline')
          await expect(page.getByRole('button', { name: /As it was opened/u })).toBeVisible();
        if (tab === 'Search') {
          await page.getByRole('searchbox', { name: 'Search the history' }).fill('contract');
          await page.keyboard.press('Enter');
          await expect(page.getByRole('tabpanel').getByRole('listitem').first()).toBeVisible();
        }
        await check(`the side panel: ${tab}`, '#notebook');
      }
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page.getByRole('button', { name: /As it was opened/u }).click();
      await expect(page.getByText(/This is the conversation as it was on/u)).toBeVisible();
      await check('an earlier moment');
      if (isNarrow) await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Back to now' }).click();

      await transcript(page).focus();
      await page.keyboard.press('Control+f');
      await page.keyboard.type('berth');
      await check('finding in the conversation', '.find');
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: 'Choose a model…' }).click();
      await page.getByText(/A model at an OpenAI-compatible address/u).click();
      await check('choosing a model', 'dialog');
      await page.keyboard.press('Escape');

      if (isNarrow) await page.getByRole('button', { name: 'Conversations', exact: true }).click();
      const more = side.getByRole('button', { name: /^More for/u });
      await more.click();
      await check('the menu of a conversation', '.menu');
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await check('renaming', 'dialog');
      await page.keyboard.press('Escape');
      await more.click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await check('deleting', 'dialog');
      await page.keyboard.press('Escape');
      await side.getByRole('button', { name: 'New conversation' }).click();
      await expect(messages(page)).toHaveCount(0);
      await check('a new conversation');
    });
  });
}

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('neither the empty page nor a conversation has a serious fault', async ({ page }) => {
    await page.goto('/');
    const open = page.getByRole('button', { name: '打开示例对话' });
    await expect(open).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await open.click();
    await expect(page.getByRole('article').first()).toBeVisible();
    expect(await faults(page)).toEqual([]);
  });
});
