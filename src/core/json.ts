// JSON text exactly as Python's `json.dumps` writes it: ids and digests are made from it.
import { compareByCodePoint } from './text.js';

/**
 * A number that Python would hold as a float: `new PythonFloat(1)` prints `1.0`, and a JavaScript `1` prints `1`.
 * Nothing in the product makes one; data that comes from Python may need it to keep its digests.
 */
export class PythonFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export interface PythonJsonOptions {
  /** Keys in code-point order on every level; otherwise in insertion order. */
  readonly sortKeys?: boolean;
  /** Everything beyond ASCII as `\uXXXX`, as Python does by default. */
  readonly ascii?: boolean;
}

/** Deeper nesting is refused: Python refuses it too, and the stack would not hold it. */
const MAX_DEPTH = 1_000;

const ESCAPED = /["\\]|[^ -\uffff]/g;
const ESCAPED_ASCII = /["\\]|[^ -~]/g;
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
]);

/**
 * Writes a value as Python's `json.dumps` does: `", "` and `": "`, non-ASCII literal unless asked otherwise,
 * NaN and infinities bare, integers whole at any size when given as `bigint`.
 *
 * A JavaScript number prints as an integer when it is a safe integer, otherwise as a float's shortest form. JS
 * objects put integer-like keys first: a `Map` is an object whose keys keep their order. `undefined`, functions
 * and symbols vanish from objects and are `null` elsewhere, and `toJSON` is honoured, as in `JSON.stringify`.
 *
 * Throws a `TypeError` for a value that contains itself and a `RangeError` beyond 1,000 levels.
 */
export function pythonJson(value: unknown, options: PythonJsonOptions = {}): string {
  return write(value, options, []);
}

function write(given: unknown, options: PythonJsonOptions, parents: readonly unknown[]): string {
  const value = resolved(given);
  switch (typeof value) {
    case 'string':
      return quote(value, options);
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : floatRepr(value);
    case 'bigint':
      return value.toString();
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : writeObject(value, options, parents);
    default:
      return 'null';
  }
}

function resolved(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  if (value instanceof String || value instanceof Number || value instanceof Boolean) return value.valueOf();
  return value;
}

function writeObject(value: object, options: PythonJsonOptions, parents: readonly unknown[]): string {
  if (value instanceof PythonFloat) return floatRepr(value.value);
  if (parents.includes(value)) throw new TypeError('A value that contains itself has no JSON.');
  if (parents.length >= MAX_DEPTH) {
    throw new RangeError(`JSON may be nested ${MAX_DEPTH} levels deep; this value is deeper.`);
  }
  const inside = [...parents, value];
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item) => write(item, options, inside)).join(', ')}]`;
  }
  const entries: [string, unknown][] = value instanceof Map ? mapEntries(value) : Object.entries(value);
  const kept = entries.filter(([, item]) => item !== undefined && !isUnwritable(item));
  if (options.sortKeys === true) kept.sort(([a], [b]) => compareByCodePoint(a, b));
  return `{${kept.map(([key, item]) => `${quote(key, options)}: ${write(item, options, inside)}`).join(', ')}}`;
}

function mapEntries(map: ReadonlyMap<unknown, unknown>): [string, unknown][] {
  return Array.from(map, ([key, item]) => [typeof key === 'string' ? key : String(key), item]);
}

const isUnwritable = (item: unknown): boolean => typeof item === 'function' || typeof item === 'symbol';

function quote(text: string, options: PythonJsonOptions): string {
  return `"${text.replace(options.ascii === true ? ESCAPED_ASCII : ESCAPED, escapeUnit)}"`;
}

function escapeUnit(unit: string): string {
  return SHORT_ESCAPES.get(unit) ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Python's `repr(float)`: the shortest digits that read back, an exponent below 1e-4 and from 1e16 on. */
function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', exponentDigits = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentDigits);
  if (exponent < -4 || exponent >= 16) {
    const sign = exponent < 0 ? '-' : '+';
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  const negative = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${negative}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${negative}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
