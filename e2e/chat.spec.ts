// The user's promise: a message can be said in other words, an answer asked for again, copied, or stopped without loss.
import { expect, type Page, test } from '@playwright/test';
import { answered, ask, complaints, composer, messages, pickFile, sendTyped, transcript } from './demo.js';

const own = (page: Page) => transcript(page).getByRole('article', { name: 'You' });

async function beginNew(page: Page): Promise<void> {
  await page.goto('/#/new');
  await expect(composer(page)).toBeVisible();
}

test('a message said in other words takes the place of what followed, and the draft waits', async ({
  page,
}) => {
  const heard = complaints(page);
  await beginNew(page);
  await ask(page, 'The gate code is 4711-B.');
  await ask(page, 'The dog is called Rufus.');
  await composer(page).fill('Half a thought');

  await own(page).first().getByRole('button', { name: 'Edit this message' }).click();
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue('The gate code is 4711-B.');
  await composer(page).fill('The gate code is 5822-C.');
  await page.reload();
  await expect(composer(page)).toHaveValue('The gate code is 5822-C.');
  await sendTyped(page);
  await answered(page);
  await expect(own(page)).toHaveCount(1);
  await expect(messages(page).last()).toContainText('5822-C');
  await expect(composer(page)).toHaveValue('Half a thought');
  await page.reload();
  await expect(own(page)).toHaveText([/5822-C/u]);
  expect(heard).toEqual([]);
});

test('an edit is begun and ended by key, and changes nothing when it is given up', async ({ page }) => {
  await beginNew(page);
  await ask(page, 'The gate code is 4711-B.');
  await composer(page).press('ArrowUp');
  await expect(composer(page)).toHaveValue('The gate code is 4711-B.');
  await expect(page.getByText('this message begins a branch')).toBeVisible();
  await composer(page).fill('Something else');
  await composer(page).press('Escape');
  await expect(composer(page)).toHaveValue('');
  await expect(page.getByText('this message begins a branch')).toBeHidden();
  await expect(own(page)).toHaveText([/4711-B/u]);
});

test('an answer is asked for again, and takes the place of the former one', async ({ page }) => {
  await beginNew(page);
  await ask(page, 'The gate code is 4711-B.');
  const former = await messages(page).last().getAttribute('id');
  await messages(page).last().getByRole('button', { name: 'Answer again' }).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await answered(page);
  await expect(messages(page)).toHaveCount(2);
  await expect(messages(page).last()).toContainText('4711-B');
  expect(await messages(page).last().getAttribute('id')).not.toBe(former);
});

test('what there is of an answer stays when it is stopped, after a reload too', async ({ page }) => {
  await beginNew(page);
  await composer(page).fill(
    `Remember: ${'the tide table lies in the blue folder, '.repeat(6)}and that is all.`,
  );
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      if ((document.querySelector('.message.live')?.textContent ?? '').split(' ').length < 6) return;
      document.querySelector<HTMLElement>('button[aria-label="Stop"]')?.click();
      observer.disconnect();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await composer(page).press('Enter');
  await expect(page.getByText('Stopped here.')).toBeVisible();
  await answered(page);
  await expect(page.getByRole('button', { name: 'Continue' })).toBeHidden();
  const partial = (await messages(page).last().textContent()) ?? '';
  expect(partial.length).toBeGreaterThan(20);
  await page.reload();
  await expect(messages(page).last()).toHaveText(partial);
  await ask(page, 'The dog is called Rufus.');
  await expect(messages(page)).toHaveCount(4);
});

test('text and code are copied as they were written', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  const answer = 'So **do** this:\n\n```sh\nnpm run "x"\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |';
  await pickFile(page, {
    name: 'code.json',
    text: JSON.stringify([
      { role: 'user', content: 'How?' },
      { role: 'assistant', content: answer },
    ]),
  });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect(messages(page).last().getByRole('strong')).toHaveText('do');
  await expect(messages(page).last().getByRole('cell')).toHaveText(['1', '2']);
  await messages(page).last().getByRole('button', { name: 'Copy the code' }).click();
  await expect(messages(page).last().getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await clipboard()).toBe('npm run "x"');
  await messages(page).last().getByRole('button', { name: 'Copy the text' }).click();
  expect(await clipboard()).toBe(answer);
});
