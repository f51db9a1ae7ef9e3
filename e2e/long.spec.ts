// The user's promise: a conversation of many hundred messages is read, searched and gone on with like a short one.
import { expect, type Page, test } from '@playwright/test';
import { answered, ask, complaints, composer, messages, pickFile, transcript } from './demo.js';

const TURNS = 600;

async function openLong(page: Page): Promise<void> {
  await page.goto('/');
  const turns = Array.from({ length: TURNS }, (_, turn) => [
    { role: 'user', content: `🧵 Question ${turn}: where is crate ${turn}?` },
    {
      role: 'assistant',
      content: `Crate ${turn} has the **code CR-${turn * 37}**. ${'It was moved. '.repeat(turn % 17)}`,
    },
  ]);
  await pickFile(page, { name: 'long.json', text: JSON.stringify(turns.flat()) });
  await expect(messages(page).last()).toContainText(`CR-${(TURNS - 1) * 37}`);
}

/** Where a message stands on the screen, in pixels from its top; null when it is not drawn. */
const topOf = (page: Page, text: string) =>
  page.evaluate((wanted) => {
    const found = [...document.querySelectorAll('article')].find((one) => one.textContent.includes(wanted));
    return found === undefined ? null : found.getBoundingClientRect().top;
  }, text);

test('it opens at its end, with a part of it in the page, and its beginning is a key away', async ({
  page,
}) => {
  const heard = complaints(page);
  await openLong(page);
  await expect(messages(page).last()).toBeInViewport();
  expect(await messages(page).count()).toBeLessThan(100);
  await transcript(page).press('Home');
  await expect(messages(page).getByText('Question 0: where')).toBeInViewport();
  await expect(transcript(page).getByRole('article').first()).toContainText('Question 0:');
  await transcript(page).press('End');
  await expect(messages(page).last()).toContainText(`CR-${(TURNS - 1) * 37}`);
  await expect(messages(page).last()).toBeInViewport();
  expect(heard).toEqual([]);
});

test('scrolled back by the wheel, every message comes by, in its order and once', async ({ page }) => {
  await openLong(page);
  await transcript(page).hover();
  const seen: number[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(60);
    const visible = await page.evaluate(() =>
      [...document.querySelectorAll('article')]
        .filter((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return bottom > 60 && top < 700;
        })
        .flatMap((one) => /Question (\d+):/u.exec(one.textContent)?.[1] ?? [])
        .map(Number),
    );
    expect(visible).toEqual(visible.toSorted((a, b) => a - b));
    seen.push(...visible);
  }
  const all = [...new Set(seen)].sort((a, b) => b - a);
  expect(all.length).toBeGreaterThan(60);
  expect(all).toEqual(Array.from({ length: all.length }, (_, at) => (all[0] ?? 0) - at));
});

test('what one reads stays where it is while an answer arrives below', async ({ page }) => {
  await openLong(page);
  await composer(page).fill('What is the code of crate 17?');
  await composer(page).press('Enter');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await page.evaluate(() => {
    const scroller = document.querySelector('.transcript');
    if (scroller !== null) scroller.scrollTop = scroller.scrollHeight / 2;
  });
  await expect(page.getByRole('button', { name: 'Latest' })).toBeVisible();
  await page.waitForTimeout(300);
  const text = await page.evaluate(
    () => document.elementFromPoint(640, 400)?.closest('article')?.textContent.slice(0, 40) ?? '',
  );
  const before = await topOf(page, text);
  expect(before).not.toBeNull();
  await answered(page);
  expect(await topOf(page, text)).toBe(before);
  await page.getByRole('button', { name: 'Latest' }).click();
  await expect(messages(page).last()).toContainText('CR-629');
  await expect(messages(page).last()).toBeInViewport();
});

test('a text is found anywhere by the key that finds in a page, and stepped through', async ({ page }) => {
  await openLong(page);
  await page.keyboard.press('Control+f');
  const find = page.getByRole('search').getByRole('textbox', { name: 'Find in this conversation' });
  await expect(find).toBeFocused();
  await find.fill('code cr-370');
  await expect(page.getByRole('search')).toContainText('1 of 2');
  const mark = transcript(page).locator('mark');
  await expect(mark.first()).toBeInViewport();
  await expect(
    messages(page)
      .filter({ has: page.locator('mark') })
      .first(),
  ).toContainText('Crate 10 has');
  await find.press('Enter');
  await expect(page.getByRole('search')).toContainText('2 of 2');
  await expect(
    messages(page)
      .filter({ has: page.locator('mark') })
      .first(),
  ).toContainText('Crate 100 has');
  await find.press('Shift+Enter');
  await expect(page.getByRole('search')).toContainText('1 of 2');
  await expect(find).toBeFocused();
  await find.press('Escape');
  await expect(mark).toHaveCount(0);
});

test('a very long message shows its beginning, the rest on demand, and a find in the rest', async ({
  page,
}) => {
  await page.goto('/');
  const text = `${'All work and no play. '.repeat(640)}The word is xylophone.`;
  await pickFile(page, {
    name: 'huge.json',
    text: JSON.stringify([
      { role: 'user', content: text },
      { role: 'assistant', content: 'I see.' },
    ]),
  });
  const more = page.getByRole('button', { name: 'Show all 14,102 characters' });
  await expect(more).toBeVisible();
  await page.getByRole('tab', { name: 'Search' }).click();
  await page.getByRole('searchbox', { name: 'Search the history' }).fill('xylophone');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByRole('link').first().click();
  await expect(transcript(page).locator('mark').first()).toHaveText('xylophone');
  await expect(transcript(page).locator('mark').first()).toBeInViewport();
});

test('a detail from its beginning is found by the agent, and the hit leads there', async ({ page }) => {
  await openLong(page);
  await ask(page, 'What is the code of crate 17?');
  await expect(messages(page).last()).toContainText('CR-629');
  await transcript(page)
    .getByRole('region', { name: 'Searched the history' })
    .last()
    .getByRole('link')
    .filter({ hasText: 'CR-629' })
    .first()
    .click();
  await expect(transcript(page).locator('.excerpt mark').first()).toBeInViewport();
  await page.reload();
  await expect(transcript(page).locator('.excerpt mark').first()).toBeInViewport();
});
