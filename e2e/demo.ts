// The demo as its tests use it: what a person does on the page, and what that person sees.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';

/** Where the built page is served; `E2E_PORT` chooses another port when two checkouts are tested at once. */
export const PORT = Number(process.env['E2E_PORT'] ?? 4_391);

/** Recorded runs of an airline service agent; they stand beside the project on the machines that have them. */
export const AIRLINE_RUNS = fileURLToPath(
  new URL('../../shared/data/airline-agent/trajectories.json', import.meta.url),
);
export const hasAirlineRuns = existsSync(AIRLINE_RUNS);

export interface Question {
  readonly question: string;
  /** What a right answer quotes. */
  readonly answer: string;
}

/** A detail from the opening of the sample. */
export const SAMPLE: Question = { question: 'What was the berth contract number?', answer: 'QY11-0386' };
/** A detail from the opening of one of the recorded runs, and the words by which the run is listed. */
export const AIRLINE: Question & { readonly run: string } = {
  run: "I'd like to change my upcoming flight, please.",
  question: 'What is my reservation ID?',
  answer: 'XEWRD9',
};

/** Opens the built-in sample; resolves when its conversation stands on the page. */
export async function openSample(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Open the sample conversation' }).click();
  await expect(transcript(page).getByRole('article').first()).toBeVisible();
}

/** Chooses a file as the picker would hand it over. */
export async function pickFile(page: Page, file: string | { name: string; text: string }): Promise<void> {
  // Until the page is first drawn it stands there twice, in the middle and at the side.
  const open = page.getByRole('button', { name: /Open a record/u });
  await expect(open).toHaveCount(1);
  const chooser = page.waitForEvent('filechooser');
  await open.click();
  await (await chooser).setFiles(
    typeof file === 'string'
      ? file
      : { name: file.name, mimeType: 'application/json', buffer: Buffer.from(file.text) },
  );
}

export const transcript = (page: Page): Locator => page.getByRole('region', { name: 'Conversation' });
export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });
export const notebook = (page: Page): Locator => page.getByRole('complementary', { name: 'Notebook' });
export const messages = (page: Page): Locator => transcript(page).getByRole('article');
/** The newest look-up, drawn as what it does. */
export const lastSearch = (page: Page): Locator =>
  transcript(page).getByRole('region', { name: 'Searched the history' }).last();
export const lastRead = (page: Page): Locator =>
  transcript(page).getByRole('region', { name: 'Read the source' }).last();
export const lastNote = (page: Page): Locator =>
  transcript(page).getByRole('region', { name: 'Saved a note' }).last();
export const windowMark = (page: Page): Locator =>
  transcript(page).getByText(/left the model’s window; still searchable/u);

/** Sends a message; resolves when the agent has answered it. */
export async function ask(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await sendTyped(page);
  await expect(messages(page).getByText(text, { exact: true }).last()).toBeVisible();
  await answered(page);
}

/** Presses Enter once it sends: a conversation that is still being read takes nothing. */
export async function sendTyped(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  await composer(page).press('Enter');
}

/** Resolves when no run is on: the composer offers to send again. */
export async function answered(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden();
}

/** Everything that the console or the security policy complained about on a page. */
export function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy/u.test(message.text()))
      heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(error.message));
  return heard;
}
