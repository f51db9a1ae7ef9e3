// Plain data survives as bytes, and bytes that are none are refused.
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../test/support/seeded.js';
import { decodeCbor, encodeCbor } from './cbor.js';

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (one) => one.toString(16).padStart(2, '0')).join('');
const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (one) => Number.parseInt(one, 16));

describe('plain data', () => {
  // From the examples of RFC 8949, appendix A.
  test.each([
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [1000, '1903e8'],
    [1_000_000_000_000, '1b000000e8d4a51000'],
    [-100, '3863'],
    [1.1, 'fb3ff199999999999a'],
    [null, 'f6'],
    [undefined, 'f7'],
    [true, 'f5'],
    ['', '60'],
    ['水', '63e6b0b4'],
    [bytesOf('01020304'), '4401020304'],
    [[1, [2, 3]], '8201820203'],
    [{ a: 1, b: [2, 3] }, 'a26161016162820203'],
  ])('%j is written as the standard says', (value, expected) => {
    expect(hex(encodeCbor(value))).toBe(expected);
    expect(decodeCbor(bytesOf(expected))).toEqual(value);
  });

  test('comes back the same, whatever its size', () => {
    const value = {
      numbers: [-0, Number.NaN, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 60, 0.5],
      long: 'ä'.repeat(70_000),
      list: Array.from({ length: 300 }, (_, at) => ({ at })),
      nothing: {},
      mark: '\ufeffstays',
      ['__proto__']: 'a name',
    };
    expect(decodeCbor(encodeCbor(value))).toEqual(value);
    expect(Object.keys(Object(decodeCbor(encodeCbor(value))))).toContain('__proto__');
  });

  test('is all that is taken', () => {
    expect(() => encodeCbor({ a: () => 1 })).toThrow('A function is no plain data.');
  });
});

describe('other bytes are refused', () => {
  test.each([
    ['nothing', '', 'ends too early'],
    ['a text cut short', '6461', 'ends too early'],
    ['a list that claims to be huge', '9affffffff', 'ends too early'],
    ['something after the end', '0000', 'after the end'],
    ['a name that is a number', 'a10000', 'no text'],
    ['a tag', 'c000', 'unknown type 6'],
    ['a length without an end', '5f', 'cannot be read'],
    ['half a float', 'fb00', 'ends too early'],
    ['lists in lists without end', '81'.repeat(200), 'nested deeper than 64'],
  ])('%s', (_name, given, told) => {
    expect(() => decodeCbor(bytesOf(given))).toThrow(told);
  });

  test('whatever they are', () => {
    const random = seededRandom(6);
    const whole = encodeCbor({ list: [1, 'two', bytesOf('03'), { four: 4.5 }], text: 'x'.repeat(300) });
    for (let round = 0; round < 2_000; round += 1) {
      const bytes = whole.slice();
      bytes[random.below(bytes.length)] = random.below(256);
      // No other error, and no end of memory or of the stack.
      try {
        decodeCbor(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect(error).not.toBeInstanceOf(RangeError);
      }
    }
  });
});
