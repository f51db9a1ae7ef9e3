// A page as a person meets it: what stands on it by role and name, and hands to use it.
import { expect } from '@playwright/test';
import type { Tab } from './engine.js';

/** One thing inside the one before it: by its role, its whole name, and a pattern that its text matches. */
export interface Step {
  readonly role: keyof typeof SELECTORS;
  readonly name?: string;
  readonly text?: string;
}
export type Place = readonly Step[];

/** What is visible of a place, in the page's order. */
interface Found {
  readonly text: string;
  readonly value: string;
  readonly isEnabled: boolean;
  readonly isFocused: boolean;
  /** Whether its middle is in the window, and nothing covers it. */
  readonly isInView: boolean;
}

/** As far as the page uses them; ARIA's whole mapping would be longer. */
const SELECTORS = {
  article: 'article',
  button: 'button',
  complementary: 'aside',
  link: 'a[href]',
  listitem: 'li',
  mark: 'mark',
  region: 'section[aria-label]',
  text: 'p, span, summary, h1, h2, h3',
  textbox: 'textarea, input:not([type])',
} as const;

/** The key's number in WebDriver. */
export const ENTER = '\uE007';

/** Reads what stands there now; with `focuses`, the first one gets the focus before. */
export async function find(tab: Tab, place: Place, focuses = false): Promise<readonly Found[]> {
  const steps = place.map(({ role, ...step }) => ({ selector: SELECTORS[role], ...step }));
  return (await tab.evaluate(`(${findInPage.toString()})(${JSON.stringify(steps)}, ${focuses})`)) as Found[];
}

/** Resolves when something visible stands there. */
export async function isShown(tab: Tab, place: Place): Promise<void> {
  await expect.poll(async () => (await find(tab, place)).length, { message: told(place) }).toBeGreaterThan(0);
}

/** Resolves when nothing visible stands there. */
export async function isGone(tab: Tab, place: Place): Promise<void> {
  await expect.poll(async () => (await find(tab, place)).length, { message: told(place) }).toBe(0);
}

/** Resolves when the first one there can be seen. */
export async function isInView(tab: Tab, place: Place): Promise<void> {
  await expect
    .poll(async () => (await find(tab, place))[0]?.isInView, { message: `${told(place)} in view` })
    .toBe(true);
}

/** Gives the first one there the focus, once it is enabled. Keys meet it wherever it moves, unlike a pointer. */
export async function focus(tab: Tab, place: Place): Promise<void> {
  await expect
    .poll(async () => (await find(tab, place, true))[0]?.isFocused, { message: `${told(place)} focused` })
    .toBe(true);
}

/** Presses Enter on the first one there. */
export async function press(tab: Tab, place: Place): Promise<void> {
  await focus(tab, place);
  await type(tab, ENTER);
}

/** Types where the focus is. */
export async function type(tab: Tab, text: string): Promise<void> {
  await tab.pressKeys([...text]);
}

function told(place: Place): string {
  return place.map(({ role, name, text }) => [role, name, text].filter(Boolean).join(' ')).join(' > ');
}

/** Runs in the page, and knows nothing of what stands around it here. */
function findInPage(steps: readonly { selector: string; name?: string; text?: string }[], focuses: boolean) {
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ??
    (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement
      ? element.labels?.[0]?.textContent
      : element.textContent
    )?.trim();
  let elements: Element[] = [document.documentElement];
  for (const { selector, name, text } of steps) {
    const pattern = text === undefined ? null : new RegExp(text, 'u');
    const inside = new Set(elements.flatMap((element) => [...element.querySelectorAll(selector)]));
    elements = [...inside].filter(
      (element) =>
        element.getClientRects().length > 0 &&
        (name === undefined || nameOf(element) === name) &&
        (pattern === null || pattern.test(element.textContent ?? '')),
    );
  }
  const [first] = elements;
  if (focuses && first instanceof HTMLElement) first.focus();
  return elements.map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return {
      text: element.textContent ?? '',
      value: element instanceof HTMLTextAreaElement ? element.value : '',
      isEnabled: !(element instanceof HTMLButtonElement && element.disabled),
      isFocused: element === document.activeElement,
      isInView: hit !== null && (element.contains(hit) || hit.contains(element)),
    };
  });
}
