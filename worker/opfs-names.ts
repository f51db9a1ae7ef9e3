// Where a thread's files lie on OPFS, and whose they are: paths are hashes, names stand beside the files.
import { sha256Hex } from '../src/core/digest.js';
import { wellFormed } from '../src/core/text.js';
import type { ArchivedThread, Scope } from '../src/protocol.js';
import { bytesBelow, entryNames, readText, writeText } from './opfs-directory.js';

const ROOT = 'threadkeep';
const NAME_FILE = 'name.json';

/** The thread's directory. SQLite's pool loses some names and takes others for one another, so it is made of hashes. */
export function pathOf({ user, thread }: Scope): string {
  return `${userPath(user)}/${hashOf(thread)}`;
}

function userPath(user: string): string {
  return `${ROOT}/${hashOf(user)}`;
}

/** A digest takes lone surrogates for U+FFFD; as names they are strings of their own. */
function hashOf(name: string): string {
  if (wellFormed(name) === name) return sha256Hex(name).slice(0, 32);
  return `${sha256Hex(JSON.stringify(name)).slice(0, 32)}-u`;
}

/** Writes whose directory it is, unless it stands there. The directory must exist. */
export async function writeName(scope: Scope): Promise<void> {
  const file = `${pathOf(scope)}/${NAME_FILE}`;
  const name = JSON.stringify([scope.user, scope.thread]);
  if ((await readText(file)) !== name) await writeText(file, name);
}

/** The user's threads that have files. One whose tab died before it wrote the name is told after its next use. */
export async function listThreads(user: string): Promise<ArchivedThread[]> {
  const threads: ArchivedThread[] = [];
  for (const name of await entryNames(userPath(user), 'directory')) {
    const path = `${userPath(user)}/${name}`;
    const scope = scopeOf(await readText(`${path}/${NAME_FILE}`));
    if (scope !== null && pathOf(scope) === path) threads.push({ scope, bytes: await bytesBelow(path) });
  }
  return threads;
}

function scopeOf(text: string | null): Scope | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return null;
    const [user, thread]: readonly unknown[] = value;
    return typeof user === 'string' && typeof thread === 'string' ? { user, thread } : null;
  } catch {
    // Cut short by the death of a tab.
    return null;
  }
}

/** The directories of all users. */
export async function userPaths(): Promise<string[]> {
  return (await entryNames(ROOT, 'directory')).map((name) => `${ROOT}/${name}`);
}
