// A conversation is named after its first message until the user names it.
import { expect, test } from 'vitest';
import { titleOf } from './threads.js';

test.each([
  ['  Where is my crate?\nIt left on Monday.', 'Where is my crate?'],
  [
    'Please tell me where the crate with the kiln went after it left the quay',
    'Please tell me where the crate with the kiln went after it…',
  ],
  [`${'a'.repeat(59)}🙂 and more`, `${'a'.repeat(59)}…`],
  ['会'.repeat(70), `${'会'.repeat(60)}…`],
])('%j is called %j', (text, title) => {
  expect(titleOf(text)).toBe(title);
});
