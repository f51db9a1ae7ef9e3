// The user's promise: any model of an OpenAI-compatible kind answers here, its key stays here, and its troubles are told.
import { expect, type Page, test } from '@playwright/test';
import { type ChatServer, startChatServer } from '../test/support/chat-server.js';
import { answered, ask, composer, messages, openSample } from './demo.js';

let server: ChatServer;
test.beforeEach(async () => {
  server = await startChatServer();
});
test.afterEach(() => server.close());

async function chooseEndpoint(page: Page, address: string, key = ''): Promise<void> {
  await page.getByRole('button', { name: 'Choose a model…' }).click();
  await page.getByRole('radio', { name: /OpenAI-compatible/u }).check();
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByLabel('Model', { exact: true }).fill('stub-1');
  await page.getByLabel('Key, if the address asks for one').fill(key);
  await page.getByRole('button', { name: 'Use this model' }).click();
}

/** The same, until the page says that it answers. */
async function useEndpoint(page: Page, address: string, key = ''): Promise<void> {
  await chooseEndpoint(page, address, key);
  await expect(page.getByText('Answers come from stub-1')).toBeVisible();
}

test('a model at an address streams, calls the history tools, and is still chosen after a reload', async ({
  page,
}) => {
  const written: string[] = [];
  page.on('console', (message) => written.push(message.text()));
  await openSample(page);
  await useEndpoint(page, server.baseUrl, 'secret-key');
  await ask(page, 'Good morning');
  await expect(messages(page).last()).toContainText('You wrote: Good morning');
  await ask(page, 'SEARCH berth contract');
  await expect(messages(page).last()).toContainText('QY11-0386');

  await page.reload();
  await answered(page);
  await ask(page, 'And again');
  await expect(messages(page).last()).toContainText('You wrote: And again');
  expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer secret-key']),
  );
  expect(`${page.url()} ${written.join(' ')}`).not.toContain('secret-key');
});

test('the key is forgotten at once, and the built-in program answers again', async ({ page }) => {
  await openSample(page);
  await useEndpoint(page, server.baseUrl, 'secret-key');
  await page.getByRole('button', { name: 'Choose a model…' }).click();
  await page.getByRole('button', { name: 'Forget the address and the key now' }).click();
  await expect(page.getByText('not from a language model')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Choose a model…' }).click();
  await page.getByRole('radio', { name: /OpenAI-compatible/u }).check();
  await expect(page.getByLabel('Key, if the address asks for one')).toHaveValue('');
});

test('an address that fails, refuses the key or cuts the answer off is told in words, and the next message works', async ({
  page,
}) => {
  await openSample(page);
  await useEndpoint(page, server.baseUrl);
  const failure = page.getByRole('region', { name: 'Conversation' }).getByRole('alert');
  for (const [text, says] of [
    ['FAIL', /failed \(500\)/u],
    ['LOCKED', /refused the key \(401\)/u],
    ['CUT', /broke off in the midst/u],
  ] as const) {
    await ask(page, text);
    await expect(failure).toHaveText(says);
  }
  await ask(page, 'Good evening');
  await expect(messages(page).last()).toContainText('You wrote: Good evening');
});

test('an address that hangs can be stopped', async ({ page }) => {
  await openSample(page);
  await useEndpoint(page, server.baseUrl);
  await composer(page).fill('HANG');
  await composer(page).press('Enter');
  await expect.poll(() => server.requests.length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Stop' }).click();
  await answered(page);
  await ask(page, 'Good night');
  await expect(messages(page).last()).toContainText('You wrote: Good night');
});

test('an address that allows no pages gets the explanation, with the hint for Ollama', async ({ page }) => {
  const closed = await startChatServer({ allowsPages: false });
  await openSample(page);
  await useEndpoint(page, closed.baseUrl);
  await ask(page, 'Hello');
  await expect(page.getByRole('alert').filter({ hasText: 'OLLAMA_ORIGINS=http' })).toBeVisible();
  await closed.close();
});

test('what is no address is named in the dialog', async ({ page }) => {
  await openSample(page);
  await chooseEndpoint(page, 'localhost:11434/v1');
  const address = page.getByLabel('Address', { exact: true });
  await expect(address).toBeVisible();
  expect(await address.evaluate((input: HTMLInputElement) => input.validationMessage)).toContain('http://');
});
