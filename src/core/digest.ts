// Digests and ids: SHA-256 over Python-format JSON, the same in every worker, page and engine.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { pythonJson } from './json.js';
import type { BatchId, Role, SourceId, SourceRecord } from './message.js';
import { wellFormed } from './text.js';

/** Lower-case hex SHA-256 of the text's UTF-8; lone surrogates count as U+FFFD. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(wellFormed(text))));
}

/** Lower-case hex SHA-256 of bytes, given in one or more pieces. */
export function sha256HexOfBytes(...pieces: readonly Uint8Array[]): string {
  const hash = sha256.create();
  for (const piece of pieces) hash.update(piece);
  return bytesToHex(hash.digest());
}

/** Digest of any JSON value, keys sorted on every level. Throws where `pythonJson` does. */
export function digestOf(value: unknown): string {
  return sha256Hex(pythonJson(value, { sortKeys: true }));
}

/** The name that binds checkpoint references to one user's thread. */
export function scopeDigest(user: string, thread: string): string {
  return digestOf([user, thread]);
}

/** A batch's id: the same complete records in the same scope are the same batch. */
export function batchIdOf(scope: string, records: readonly SourceRecord[]): BatchId {
  return digestOf([scope, records]) as BatchId;
}

/** A source's id, from its full text: another cap leaves it alone, another text, role, name or id changes it. */
export function sourceIdOf(source: {
  readonly message_id: string | null;
  readonly name: string | null;
  readonly role: Role;
  readonly text: string;
}): SourceId {
  const { message_id, name, role, text } = source;
  return `r${digestOf({ message_id, name, role, text }).slice(0, 32)}` as SourceId;
}
