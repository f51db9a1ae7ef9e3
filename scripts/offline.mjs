// Tells the built page's service worker which files make up this version, each by its digest.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const WORKER = 'service-worker.js';
const MARK = '/* threadkeep: files */';

/**
 * Writes the list into `service-worker.js` of a folder, in the place of an older list if there is one.
 * `index.html` is listed as the folder itself: servers send its name elsewhere, and a redirection is no page.
 */
export function sealVersion(folder) {
  const files = Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path).split(sep).join('/'), path])
      .filter(([name]) => name !== WORKER)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, path]) => [
        name === 'index.html' ? './' : `./${name}`,
        `sha256-${createHash('sha256').update(readFileSync(path)).digest('base64')}`,
      ]),
  );
  const worker = join(folder, WORKER);
  const code = readFileSync(worker, 'utf8').split(MARK).at(-1);
  const version = createHash('sha256').update(JSON.stringify(files)).update(code).digest('hex').slice(0, 16);
  writeFileSync(
    worker,
    `const FILES = ${JSON.stringify(files)}, VERSION = ${JSON.stringify(version)};${MARK}${code}`,
  );
}

/** The Vite plugin that does so after every build. */
export function offline() {
  let folder = '';
  return {
    name: 'threadkeep-offline',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle: () => sealVersion(folder),
  };
}
