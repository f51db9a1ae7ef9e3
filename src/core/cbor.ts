// Plain data as bytes and back: the part of CBOR (RFC 8949) that such data needs, read without trust.

/** Nesting that is read; deeper data is refused rather than followed. */
const DEPTH = 64;

/** Major types of RFC 8949. */
const [COUNT, NEGATIVE, BYTES, TEXT, LIST, MAP, SIMPLE] = [0, 1, 2, 3, 4, 5, 7] as const;
const [FALSE, TRUE, NULL, UNDEFINED, FLOAT64] = [20, 21, 22, 23, 27] as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Bytes of null, undefined, booleans, numbers, texts, bytes, lists, and objects of these. Throws a `TypeError` for
 * anything else. Lone surrogates become U+FFFD.
 */
export function encodeCbor(value: unknown): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  writer.value(value);
  return writer.bytes();
}

/** What `encodeCbor` was given. Throws an `Error` for bytes that it did not write. */
export function decodeCbor(bytes: Uint8Array): unknown {
  const reader = new Reader(bytes);
  const value = reader.value(DEPTH);
  if (!reader.isAtEnd) throw new Error('There is something after the end of the data.');
  return value;
}

class Writer {
  #buffer = new Uint8Array(4_096);
  #length = 0;

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.slice(0, this.#length);
  }

  value(value: unknown): void {
    if (value === null) this.#head(SIMPLE, NULL);
    else if (value === undefined) this.#head(SIMPLE, UNDEFINED);
    else if (typeof value === 'boolean') this.#head(SIMPLE, value ? TRUE : FALSE);
    else if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'string') this.#run(TEXT, encoder.encode(value));
    else if (value instanceof Uint8Array) this.#run(BYTES, value);
    else if (Array.isArray(value)) {
      this.#head(LIST, value.length);
      for (const item of value) this.value(item);
    } else if (typeof value === 'object') {
      const entries = Object.entries(value);
      this.#head(MAP, entries.length);
      for (const [key, part] of entries) {
        this.value(key);
        this.value(part);
      }
    } else throw new TypeError(`A ${typeof value} is no plain data.`);
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      if (value >= 0) this.#head(COUNT, value);
      else this.#head(NEGATIVE, -1 - value);
      return;
    }
    const at = this.#room(9);
    this.#buffer[at] = (SIMPLE << 5) | FLOAT64;
    new DataView(this.#buffer.buffer).setFloat64(at + 1, value);
  }

  #run(major: number, bytes: Uint8Array): void {
    this.#head(major, bytes.length);
    const at = this.#room(bytes.length);
    this.#buffer.set(bytes, at);
  }

  #head(major: number, count: number): void {
    const size = count < 24 ? 0 : count < 0x100 ? 1 : count < 0x1_0000 ? 2 : count < 0x1_0000_0000 ? 4 : 8;
    const at = this.#room(1 + size);
    this.#buffer[at] = (major << 5) | (size === 0 ? count : 24 + Math.log2(size));
    const view = new DataView(this.#buffer.buffer);
    if (size === 1) view.setUint8(at + 1, count);
    if (size === 2) view.setUint16(at + 1, count);
    if (size === 4) view.setUint32(at + 1, count);
    if (size === 8) view.setBigUint64(at + 1, BigInt(count));
  }

  /** Where the next bytes go. */
  #room(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#buffer.length * 2));
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    return at;
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  value(depth: number): unknown {
    if (depth === 0) throw new Error(`The data is nested deeper than ${DEPTH} levels.`);
    const first = this.#view.getUint8(this.#take(1));
    const [major, low] = [first >> 5, first & 31];
    if (major === SIMPLE) return this.#simple(low);
    const count = this.#count(low);
    if (major === COUNT) return count;
    if (major === NEGATIVE) return -1 - count;
    if (major === BYTES) return this.#run(count).slice();
    if (major === TEXT) return decoder.decode(this.#run(count));
    if (major === LIST) return Array.from({ length: this.#bounded(count) }, () => this.value(depth - 1));
    if (major === MAP) return this.#map(this.#bounded(count), depth - 1);
    throw new Error(`The data has a value of the unknown type ${major}.`);
  }

  #simple(low: number): unknown {
    if (low === FLOAT64) return this.#view.getFloat64(this.#take(8));
    if (low === FALSE || low === TRUE) return low === TRUE;
    if (low === NULL) return null;
    if (low === UNDEFINED) return undefined;
    throw new Error(`The data has an unknown simple value, ${low}.`);
  }

  #map(count: number, depth: number): object {
    const map = {};
    for (let entry = 0; entry < count; entry += 1) {
      const key = this.value(depth);
      if (typeof key !== 'string') throw new Error('A name in the data is no text.');
      const value = this.value(depth);
      // Not assigned: `__proto__` is a name like any other.
      Object.defineProperty(map, key, { value, configurable: true, enumerable: true, writable: true });
    }
    return map;
  }

  #count(low: number): number {
    if (low < 24) return low;
    if (low === 24) return this.#view.getUint8(this.#take(1));
    if (low === 25) return this.#view.getUint16(this.#take(2));
    if (low === 26) return this.#view.getUint32(this.#take(4));
    if (low === 27) return Number(this.#view.getBigUint64(this.#take(8)));
    throw new Error('A length in the data cannot be read.');
  }

  #run(count: number): Uint8Array {
    const at = this.#take(count);
    return this.#bytes.subarray(at, at + count);
  }

  /** Each item takes a byte at least: a length that lies takes no memory. */
  #bounded(count: number): number {
    if (count > this.#bytes.length - this.#at) throw new Error('The data ends too early.');
    return count;
  }

  #take(count: number): number {
    const at = this.#at;
    this.#at += this.#bounded(count);
    return at;
  }
}
