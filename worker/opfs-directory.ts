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

/** Enough of a file to tell what it is: the page of the pool, and the beginning of what SQLite wrote after it. */
const HEAD_BYTES = 4_096 + 64;

/** Names of the files, or the directories, in a directory; none when there is no such directory. */
export async function entryNames(path: string, kind: FileSystemHandleKind): Promise<string[]> {
  const directory = await findDirectory(path.split('/'));
  const names: string[] = [];
  for await (const entry of directory?.values() ?? []) if (entry.kind === kind) names.push(entry.name);
  return names;
}

/** Size of all files in a directory and below it, in bytes. */
export async function bytesBelow(path: string): Promise<number> {
  const directory = await findDirectory(path.split('/'));
  let bytes = 0;
  for await (const entry of directory?.values() ?? []) {
    bytes += isFile(entry) ? (await entry.getFile()).size : await bytesBelow(`${path}/${entry.name}`);
  }
  return bytes;
}

/** Null when there is no such file. */
export async function readText(path: string): Promise<string | null> {
  try {
    const [directory, name] = await parentOf(path);
    if (directory === null) return null;
    return await (await (await directory.getFileHandle(name)).getFile()).text();
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Writes a small file, made when there is none; what it held before goes. On disk when it resolves. */
export async function writeText(path: string, text: string): Promise<void> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const directory = await makeDirectory(path.split('/').slice(0, -1));
  const file = await directory.getFileHandle(name, { create: true });
  await retryWhileHeld(async () => {
    const handle = await (file as FileSystemFileHandle & AccessibleFile).createSyncAccessHandle();
    try {
      handle.truncate(0);
      handle.write(new TextEncoder().encode(text), { at: 0 });
      handle.flush();
    } finally {
      handle.close();
    }
  });
}

/** Only workers have it, and the page's library, under which tests compile this file, does not know it. */
interface AccessibleFile {
  createSyncAccessHandle(): Promise<{
    truncate(size: number): void;
    write(bytes: Uint8Array, options: { readonly at: number }): number;
    flush(): void;
    close(): void;
  }>;
}

/** Succeeds when there is no such file. */
export async function removeFile(path: string): Promise<void> {
  const [directory, name] = await parentOf(path);
  try {
    await directory?.removeEntry(name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function parentOf(path: string): Promise<readonly [FileSystemDirectoryHandle | null, string]> {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  return [await findDirectory(parts), name];
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
