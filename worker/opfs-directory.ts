// Directories of the origin private file system, by path.

/** After a tab dies its handles come back in 30 ms to a second (measured). */
const HANDLE_DEADLINE_MS = 2_000;
const RETRY_MS = 25;

/** Whether the directory is there. */
export async function hasDirectory(path: string): Promise<boolean> {
  return (await findDirectory(path.split('/'))) !== null;
}

/** Removes a directory with all that is in it, and looks whether it is gone. Succeeds when there is none. */
export async function removeDirectory(path: string): Promise<void> {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  await retryWhileHeld(async () => {
    const parent = await findDirectory(parts);
    try {
      await parent?.removeEntry(name, { recursive: true });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  });
  if (await hasDirectory(path)) throw new Error(`The directory ${path} was removed and is still there.`);
}

/**
 * Moves those files of a directory for which `isChosen` says so, by size and first bytes, and tells how many. What
 * was in the other directory before goes. Nobody may have the files open.
 */
export async function moveFiles(
  from: string,
  to: string,
  isChosen: (size: number, head: Uint8Array) => boolean,
): Promise<number> {
  const source = await findDirectory(from.split('/'));
  if (source === null) return 0;
  const chosen: FileSystemFileHandle[] = [];
  for await (const entry of source.values()) {
    if (!isFile(entry)) continue;
    const file = await entry.getFile();
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    if (isChosen(file.size, head)) chosen.push(entry);
  }
  if (chosen.length === 0) return 0;
  await removeDirectory(to);
  const target = await makeDirectory(to.split('/'));
  for (const file of chosen) await (file as MovableFile).move(target);
  return chosen.length;
}

/** In every browser that has access handles, and not yet in the compiler's library. */
interface MovableFile extends FileSystemFileHandle {
  move(directory: FileSystemDirectoryHandle): Promise<void>;
}

/** Enough of a file to tell what it is. */
const HEAD_BYTES = 64;

/** Tries again while another context still holds a file open, for two seconds. */
export async function retryWhileHeld<T>(run: () => Promise<T>): Promise<T> {
  const end = performance.now() + HANDLE_DEADLINE_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isHeld(error) || performance.now() >= end) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** True for the error of an entry that does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotFoundError';
}

function isHeld(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoModificationAllowedError';
}

async function findDirectory(parts: readonly string[]): Promise<FileSystemDirectoryHandle | null> {
  let directory = await navigator.storage.getDirectory();
  try {
    for (const part of parts) directory = await directory.getDirectoryHandle(part);
    return directory;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

async function makeDirectory(parts: readonly string[]): Promise<FileSystemDirectoryHandle> {
  let directory = await navigator.storage.getDirectory();
  for (const part of parts) directory = await directory.getDirectoryHandle(part, { create: true });
  return directory;
}

function isFile(entry: FileSystemHandle): entry is FileSystemFileHandle {
  return entry.kind === 'file';
}

/** Why threads' files cannot live on OPFS here, for people; null when they can. */
export async function whyNoOpfs(): Promise<string | null> {
  // Both are missing on insecure origins, whatever the types say.
  const { storage, locks } = navigator as { readonly storage?: StorageManager; readonly locks?: LockManager };
  const hasHandles =
    typeof FileSystemFileHandle !== 'undefined' && 'createSyncAccessHandle' in FileSystemFileHandle.prototype;
  if (storage?.getDirectory === undefined || !hasHandles || locks === undefined) {
    return isSecureContext
      ? 'This browser has no origin private file system that a worker can use.'
      : 'The page is not secure (https or localhost), and browsers give insecure pages no file system.';
  }
  try {
    await storage.getDirectory();
    return null;
  } catch (error) {
    // Private windows of some browsers have the method and refuse the call.
    if (error instanceof Error && ['SecurityError', 'NotSupportedError'].includes(error.name)) {
      return `The browser refuses its file system here: ${error.message}`;
    }
    throw error;
  }
}
