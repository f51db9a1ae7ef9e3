// A probe must not give away what it looks for.
import { expect, test } from 'vitest';
import { message } from '../support/memory-archives.js';
import { probesOf } from './probes.js';

test('a probe asks with the words around an identifier and with none of its own', () => {
  const said = message('human', 'The claim of the northern crane is ZX-731, says the ZX desk.', 'm1');
  expect(probesOf([said], 9)).toEqual([
    { identifier: 'ZX-731', query: 'The claim of the northern crane is , says the desk.' },
  ]);
});

test('an identifier that stands alone is not probed', () => {
  expect(probesOf([message('human', 'ZX-731.', 'm1')], 9)).toEqual([]);
});
