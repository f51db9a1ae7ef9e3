import { describe, expect, test } from 'vitest';
import { PythonFloat, pythonJson } from './json.js';

describe('JSON as Python writes it', () => {
  test('puts a blank after comma and colon and keeps the order of keys', () => {
    expect(pythonJson({ b: [1, null, true, false], a: { ж: 'Привет' }, e: {}, l: [] })).toBe(
      '{"b": [1, null, true, false], "a": {"ж": "Привет"}, "e": {}, "l": []}',
    );
  });

  test('sorts keys by code point on every level when asked', () => {
    const value = { '\u{10000}': 1, '\uffff': { b: 1, a: 2 }, B: 3, a: 4 };
    expect(pythonJson(value, { sortKeys: true })).toBe(
      '{"B": 3, "a": 4, "\uffff": {"a": 2, "b": 1}, "\u{10000}": 1}',
    );
  });

  test('keeps integer-like keys in place in a Map', () => {
    expect(
      pythonJson(
        new Map<unknown, unknown>([
          ['b', 1],
          ['10', 2],
          [2, 3],
        ]),
      ),
    ).toBe('{"b": 1, "10": 2, "2": 3}');
  });

  test('escapes quotes, backslashes and control characters only', () => {
    expect(pythonJson('"\\\b\t\n\f\r\0\x1f\x7f\u2028/é\ud83d')).toBe(
      '"\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001f\x7f\u2028/é\ud83d"',
    );
  });

  test('escapes everything beyond printable ASCII when asked', () => {
    expect(pythonJson('é😀\x7f~', { ascii: true })).toBe('"\\u00e9\\ud83d\\ude00\\u007f~"');
  });

  test.each([
    [0, '0'],
    [-5, '-5'],
    [9007199254740991, '9007199254740991'],
    [123456789012345678901234567890n, '123456789012345678901234567890'],
    [0.1, '0.1'],
    [-0, '-0.0'],
    [1e22, '1e+22'],
    [123456789.125, '123456789.125'],
    [1e-7, '1e-07'],
    [0.0001, '0.0001'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    [new PythonFloat(1), '1.0'],
    [new PythonFloat(-0), '-0.0'],
    [new PythonFloat(1e15), '1000000000000000.0'],
    [new PythonFloat(1e16), '1e+16'],
    [new PythonFloat(-123.5), '-123.5'],
  ])('prints %s as %s', (value, json) => {
    expect(pythonJson(value)).toBe(json);
  });

  test('treats what JSON does not know as JSON.stringify does', () => {
    const value = {
      a: undefined,
      f: () => 1,
      s: Symbol('s'),
      d: new Date(0),
      l: [undefined, () => 1],
      o: Object(7),
    };
    expect(pythonJson(value)).toBe('{"d": "1970-01-01T00:00:00.000Z", "l": [null, null], "o": 7}');
  });

  test('refuses a value that contains itself, but not one that stands in two places', () => {
    const shared = { a: 1 };
    expect(pythonJson([shared, shared])).toBe('[{"a": 1}, {"a": 1}]');
    const circular: unknown[] = [];
    circular.push({ circular });
    expect(() => pythonJson(circular)).toThrow('contains itself');
  });

  test('refuses more than a thousand levels instead of breaking the stack', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(pythonJson(nested(1_000))).toHaveLength(2_001);
    expect(() => pythonJson(nested(1_001))).toThrow('1000 levels');
  });
});
