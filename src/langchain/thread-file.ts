// The file that one thread is exported as: sealed with a digest, and believed only when it holds.
import { decode, encode } from 'cborg';
import { sha256HexOfBytes } from '../core/digest.js';
import type { ThreadPlace } from './checkpoint-keys.js';
import { isThreadRow, type TransferRow } from './checkpoint-transfer.js';

/**
 * The file: this line, the version as four bytes (the highest first), the content as CBOR, and the SHA-256 of all
 * before it. Line, version and digest stay where they are in every version.
 */
const MAGIC = new TextEncoder().encode('threadkeep thread\n');
/** Raised with every change of the content or of what the database holds. */
const VERSION = 1;
const VERSION_BYTES = 4;
const DIGEST_BYTES = 32;
/** Names in the order in which the objects have them: what was JSON before comes back as the same JSON. */
const AS_THEY_STAND = () => 0;

export interface ThreadFileContent extends ThreadPlace {
  /** In milliseconds since 1970. */
  readonly exportedAt: number;
  readonly rows: readonly TransferRow[];
  /** The archive in the interchange format; null when the thread had none, or it was left out. */
  readonly archive: Uint8Array | null;
  /** What the application gave along; null when it gave nothing. */
  readonly extra: string | null;
}

/**
 * Why a file is not imported:
 * - `foreign`: it is no exported thread.
 * - `damaged`: it was cut short or changed since it was exported.
 * - `newer`: a newer version of this package wrote it.
 */
export type ThreadFileProblem = 'foreign' | 'damaged' | 'newer';

export type OpenedThreadFile =
  | { readonly ok: true; readonly content: ThreadFileContent }
  | { readonly ok: false; readonly problem: ThreadFileProblem; readonly detail: string };

/** The bytes of a file with this content. */
export function sealThreadFile(content: ThreadFileContent): Uint8Array<ArrayBuffer> {
  const body = encode(content, { mapSorter: AS_THEY_STAND });
  const file = new Uint8Array(MAGIC.length + VERSION_BYTES + body.length + DIGEST_BYTES);
  file.set(MAGIC);
  new DataView(file.buffer).setUint32(MAGIC.length, VERSION);
  file.set(body, MAGIC.length + VERSION_BYTES);
  const end = file.length - DIGEST_BYTES;
  for (let at = 0, hex = digestOf(file.subarray(0, end)); at < DIGEST_BYTES; at += 1) {
    file[end + at] = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
  }
  return file;
}

/** Reads a file of unknown origin. Never throws. */
export function openThreadFile(file: Uint8Array): OpenedThreadFile {
  if (!MAGIC.every((byte, at) => file[at] === byte)) {
    return refused('foreign', 'It is no thread that threadkeep exported.');
  }
  const end = file.length - DIGEST_BYTES;
  const start = MAGIC.length + VERSION_BYTES;
  if (end < start || digestOf(file.subarray(0, end)) !== hexOf(file.subarray(end))) {
    return refused('damaged', 'It is not as it was exported: it was cut short or changed. Export it again.');
  }
  const version = new DataView(file.buffer, file.byteOffset).getUint32(MAGIC.length);
  if (version !== VERSION) {
    return refused(
      'newer',
      `It has version ${version} of the format, and this package reads version ${VERSION}. Update threadkeep.`,
    );
  }
  try {
    const content = decode(file.subarray(start, end));
    if (isContent(content)) return { ok: true, content };
  } catch (error) {
    return refused('damaged', `Its content cannot be read. ${error instanceof Error ? error.message : ''}`);
  }
  return refused('damaged', 'Its content is not what a thread has.');
}

function isContent(value: unknown): value is ThreadFileContent {
  if (typeof value !== 'object' || value === null) return false;
  const { user, thread, exportedAt, rows, archive, extra } = value as Partial<
    Record<keyof ThreadFileContent, unknown>
  >;
  return (
    typeof user === 'string' &&
    typeof thread === 'string' &&
    thread !== '' &&
    typeof exportedAt === 'number' &&
    (archive === null || archive instanceof Uint8Array) &&
    (extra === null || typeof extra === 'string') &&
    Array.isArray(rows) &&
    rows.every(isThreadRow) &&
    rows.some(([[kind]]) => kind === 'thread')
  );
}

function refused(problem: ThreadFileProblem, detail: string): OpenedThreadFile {
  return { ok: false, problem, detail: `The file was not imported. ${detail}` };
}

const digestOf = (bytes: Uint8Array): string => sha256HexOfBytes(bytes);

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
