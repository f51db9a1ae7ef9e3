// Reads the vector files without losing what JSON.parse loses: key order, big integers, floats like 1.0.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PythonFloat } from '../../src/core/json.js';

/** `VECTORS=<folder>` reads other copies of the files. */
export const VECTORS = process.env['VECTORS'] ?? join(import.meta.dirname, '../vectors');

export interface VectorFile {
  readonly cases: readonly VectorCase[];
}

export interface VectorCase {
  readonly name: string;
  readonly tags: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: unknown;
}

export function readVectors(name: string): VectorFile {
  return parseVectors(readFileSync(join(VECTORS, `${name}.json`), 'utf8')) as VectorFile;
}

/**
 * JSON in which `{"$float": "1.0"}` is a `PythonFloat`, integers beyond the safe ones are `bigint`, and objects
 * with integer-like keys, whose order a JS object loses, are a `Map`.
 */
export function parseVectors(text: string): unknown {
  let at = 0;
  const skip = (): void => {
    while (/\s/.test(text.charAt(at))) at += 1;
  };
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null)
      throw new SyntaxError(`Unexpected ${JSON.stringify(text.slice(at, at + 20))} at ${at}.`);
    at = pattern.lastIndex;
    return match[0];
  };
  const list = <T>(close: string, item: () => T): T[] => {
    const items: T[] = [];
    at += 1;
    for (skip(); text.charAt(at) !== close; skip()) {
      items.push(item());
      skip();
      if (text.charAt(at) === ',') at += 1;
    }
    at += 1;
    return items;
  };
  const string = (): string => JSON.parse(take(/"(?:[^"\\]|\\.)*"/y)) as string;
  const entry = (): [string, unknown] => {
    const key = string();
    skip();
    take(/:/y);
    return [key, value()];
  };
  const value = (): unknown => {
    skip();
    switch (text.charAt(at)) {
      case '{':
        return objectOf(list('}', entry));
      case '[':
        return list(']', value);
      case '"':
        return string();
      default:
        return scalar(take(/true|false|null|-?[\d.eE+-]+/y));
    }
  };
  return value();
}

function objectOf(entries: readonly (readonly [string, unknown])[]): unknown {
  const [first] = entries;
  if (first?.[0] === '$float' && typeof first[1] === 'string') return new PythonFloat(pythonNumber(first[1]));
  return entries.some(([key]) => /^\d+$/.test(key)) ? new Map(entries) : Object.fromEntries(entries);
}

function scalar(text: string): unknown {
  const value: unknown = /^-?\d{16,}$/.test(text) ? BigInt(text) : JSON.parse(text);
  return value;
}

function pythonNumber(text: string): number {
  const named: Readonly<Record<string, number>> = { nan: Number.NaN, inf: Infinity, '-inf': -Infinity };
  return named[text] ?? Number(text);
}
