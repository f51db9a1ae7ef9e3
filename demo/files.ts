// Files that the page hands to its user.
import { words } from './words/index.js';

/** Longest name made of a title, in characters, without its ending. */
const NAME_CHARS = 60;

/** A title as the name of a file: no signs that a file system forbids, and not too long. */
export function fileNameOf(title: string): string {
  const name = title
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const cut = Array.from(name)
    .slice(0, NAME_CHARS)
    .join('')
    .replace(/^[. ]+|[. ]+$/gu, '');
  return cut === '' ? words.brand : cut;
}

/** Hands a file to the user as a download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it by then; without this it would keep the file in memory.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
