// Recorded conversations that are no part of the product: a test that needs one is skipped where it is missing.
import { existsSync, readFileSync } from 'node:fs';
import type { TestContext } from 'vitest';

const FOLDER = new URL('../../../shared/data/', import.meta.url);

/** The text of a recording, or a skip with the reason printed. */
export function sharedFile(path: string, context: TestContext): string {
  const url = new URL(path, FOLDER);
  if (!existsSync(url)) {
    console.warn(`skipped: ${context.task.name} (${path} is not beside the project)`);
    context.skip(`${path} is not beside the project`);
  }
  return readFileSync(url, 'utf8');
}
