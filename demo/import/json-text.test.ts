import { describe, expect, test } from 'vitest';
import { parseJsonText } from './json-text.js';

describe('JSON', () => {
  test.each([
    ['one value', ' {"a": [1, "x"]} ', { a: [1, 'x'] }],
    ['values on lines', '{"a": 1}\n\n{"a": 2}\r\n', [{ a: 1 }, { a: 2 }]],
  ])('%s is read', (_, text, value) => {
    expect(parseJsonText(text)).toEqual({ ok: true, value });
  });

  test.each([
    ['{"a": 1,}', 1, 9],
    ['[1, 2', 1, 6],
    ['[1 2]', 1, 4],
    ["{'a': 1}", 1, 2],
    ['{"a" 1}', 1, 6],
    ['[}', 1, 2],
    ['[01]', 1, 2],
    ['[nul]', 1, 2],
    ['["大窑", x]', 1, 8],
    ['{\n  "a": "line\nbreak"\n}', 2, 13],
    ['["\\x"]', 1, 2],
    ['{"a": 1}\n{"a": 2\n', 2, 8],
    ['[1] [2]', 1, 5],
  ])('%j stops being JSON at line %i, column %i', (text, line, column) => {
    expect(parseJsonText(text)).toEqual({ ok: false, line, column });
  });

  test('the place named is never before the mistake, or before the text that the mistake stands in', () => {
    // Every text is a sound one with one character put in or taken out, by a seeded choice.
    const sound = JSON.stringify([
      { role: 'user', content: 'He said hi', n: [1.5e3, -0, true, null, {}] },
      [],
    ]);
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    let broken = 0;
    for (let round = 0; round < 2_000; round += 1) {
      const at = random(sound.length);
      const put = random(3) === 0 ? '' : '{}[]",:x1 \\'.charAt(random(11));
      const text = sound.slice(0, at) + put + sound.slice(at + random(2));
      const read = parseJsonText(text);
      const isSound = isJson(text);
      expect(read.ok, text).toBe(isSound);
      if (read.ok) continue;
      broken += 1;
      expect(read.line, text).toBe(1);
      // A string with a mistake in it, or left open, is named where it begins.
      const opening = Math.max(0, sound.lastIndexOf('"', at - 1));
      expect(read.column - 1, text).toBeGreaterThanOrEqual(Math.min(at, opening));
      expect(read.column - 1, text).toBeLessThanOrEqual(text.length);
    }
    expect(broken).toBeGreaterThan(500);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
