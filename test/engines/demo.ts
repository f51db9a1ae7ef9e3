// The demo as the promises use it, in any engine.
import { expect } from '@playwright/test';
import { PORT, type Question, SAMPLE } from '../../e2e/demo.js';
import type { Tab } from './engine.js';
import { ENTER, find, focus, isGone, isShown, type Place, press, type } from './page.js';

const conversation: Place = [{ role: 'region', name: 'Conversation' }];
export const messages: Place = [...conversation, { role: 'article' }];
export const search: Place = [...conversation, { role: 'region', name: 'Searched the history' }];
export const read: Place = [...conversation, { role: 'region', name: 'Read the source' }];
export const windowMark: Place = [
  ...conversation,
  { role: 'text', text: 'left the model’s window; still searchable' },
];
/** The words that were found, marked in the message that they stand in. */
export const foundWords: Place = [...messages, { role: 'mark' }];
export const notebook: Place = [{ role: 'complementary', name: 'Notebook' }];
export const composer: Place = [{ role: 'textbox', name: 'Message' }];
export const button = (name: string): Place => [{ role: 'button', name }];
/** Some words anywhere on the page. */
export const words = (text: string): Place => [{ role: 'text', text }];

export async function openSample(tab: Tab): Promise<void> {
  await tab.goTo(`http://localhost:${PORT}/`);
  await press(tab, button('Open the sample conversation'));
  await isShown(tab, messages);
}

/** Resolves when the agent has answered. */
export async function ask(tab: Tab, text: string): Promise<void> {
  await isShown(tab, button('Send'));
  const before = (await find(tab, search)).length;
  await focus(tab, composer);
  await type(tab, text);
  await expect.poll(async () => (await find(tab, composer))[0]?.value).toBe(text);
  await expect.poll(async () => (await find(tab, button('Send')))[0]?.isEnabled).toBe(true);
  await type(tab, ENTER);
  await expect.poll(async () => (await find(tab, search)).length).toBeGreaterThan(before);
  await answered(tab);
}

/** Resolves when no run is on. */
export async function answered(tab: Tab): Promise<void> {
  await isShown(tab, button('Send'));
  await isGone(tab, button('Stop'));
}

/** Asks, and sees the agent search, read the source, and answer right. */
export async function asksAndFinds(tab: Tab, { question, answer }: Question = SAMPLE): Promise<void> {
  await ask(tab, question);
  expect((await find(tab, read)).at(-1)?.text).toContain(answer);
  expect((await find(tab, messages)).at(-1)?.text).toContain(answer);
}

/** Keeps all that the page says in its live region, however short it stands there; `said` reads it. */
export async function listen(tab: Tab): Promise<void> {
  await tab.evaluate(`void (${listenInPage.toString()})()`);
}
export async function said(tab: Tab): Promise<string> {
  return String(await tab.evaluate('globalThis.said.join("\\n")'));
}

function listenInPage() {
  const said: string[] = [];
  Object.assign(globalThis, { said });
  const toasts = document.querySelector('section[aria-label="Notifications"]');
  if (toasts === null) throw new Error('The page has no notifications.');
  new MutationObserver(() => said.push(toasts.textContent ?? '')).observe(toasts, {
    subtree: true,
    childList: true,
    characterData: true,
  });
}
