import { expect, test } from 'vitest';
import { fileNameOf } from './files.js';

test.each([
  ['A pottery moves across the harbour', 'A pottery moves across the harbour'],
  ['../etc/passwd: "why?"', 'etc passwd why'],
  ['会议记录 1/2', '会议记录 1 2'],
  ['.hidden', 'hidden'],
  ['a\u202Egpj.exe', 'a gpj.exe'],
  ['🧱'.repeat(80), '🧱'.repeat(60)],
  ['  ...  ', 'threadkeep'],
  ['', 'threadkeep'],
])('the title %j becomes the file name %j', (title, name) => {
  expect(fileNameOf(title)).toBe(name);
});
