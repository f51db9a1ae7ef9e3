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
