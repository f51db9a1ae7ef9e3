// Marks of deleted threads, beside their directories: an interrupted deletion is finished, and none is undone.
import { entryNames, readText, removeFile, writeText } from './opfs-directory.js';
import { userPaths } from './opfs-names.js';

const SUFFIX = '.forgotten';
/** No run lasts so long that its thread's mark is still needed. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** That a thread was deleted. */
export interface ForgottenMark {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Its files may still be there. */
  readonly isPending: boolean;
}

/** Null when the thread was never deleted. Only to be used under the thread's lock, like `writeMark`. */
export async function readMark(path: string): Promise<ForgottenMark | null> {
  const [, state, at] = /^(pending|removed) (\d+)$/.exec((await readText(path + SUFFIX)) ?? '') ?? [];
  return at === undefined ? null : { at: Number(at), isPending: state === 'pending' };
}

export async function writeMark(path: string, { at, isPending }: ForgottenMark): Promise<void> {
  await writeText(path + SUFFIX, `${isPending ? 'pending' : 'removed'} ${at}`);
}

/** Threads whose deletion was interrupted. Removes marks that have had their time. */
export async function pendingRemovals(): Promise<string[]> {
  const pending: string[] = [];
  for (const user of await userPaths()) {
    for (const name of await entryNames(user, 'file')) {
      if (!name.endsWith(SUFFIX)) continue;
      const path = `${user}/${name.slice(0, -SUFFIX.length)}`;
      const mark = await readMark(path);
      if (mark?.isPending === true) pending.push(path);
      else if (mark !== null && Date.now() - mark.at > KEPT_MS) await removeFile(path + SUFFIX);
    }
  }
  return pending;
}
