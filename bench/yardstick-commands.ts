// What the yardstick benchmark needs of Node: SQLite as a native program, and workers bundled as users have them.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'vite';
import type { PlainDatabase } from './reference-tables.js';
import { type ReferenceYardstick, referenceYardstick, type YardstickFigures } from './yardstick-figures.js';

/** 13 wants a newer Node than the project's. */
const PACKAGE = 'better-sqlite3@12.11.1';
const root = join(import.meta.dirname, '..');
const folder = join(root, 'build', 'yardstick');

interface NativeDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...values: readonly (string | number)[]): unknown;
    all(...values: readonly (string | number)[]): readonly unknown[];
  };
  close(): unknown;
}

let native: { readonly db: NativeDatabase; readonly yardstick: ReferenceYardstick } | null = null;

/** Makes the reference's tables in native SQLite, in a file on disk; answers why there are none. */
export async function openNative(): Promise<string | null> {
  try {
    const Database = await nativeSqlite();
    const path = join(folder, 'native.sqlite');
    rmSync(path, { force: true });
    const db = new Database(path);
    db.exec('PRAGMA page_size = 4096; PRAGMA max_page_count = 32768');
    native = { db, yardstick: referenceYardstick(plain(db)) };
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Captures the next batch: by turns with the archive, so that both meet the same load of the machine. */
export function captureNative(): void {
  native?.yardstick.capture();
}

export async function finishNative(): Promise<YardstickFigures> {
  if (native === null) throw new Error('Native SQLite was not opened.');
  try {
    return await native.yardstick.finish();
  } finally {
    native.db.close();
    native = null;
    rmSync(join(folder, 'native.sqlite'), { force: true });
  }
}

async function nativeSqlite(): Promise<new (path: string) => NativeDatabase> {
  if (!existsSync(join(folder, 'node_modules', 'better-sqlite3', 'build'))) {
    mkdirSync(folder, { recursive: true });
    // Without a package of its own npm would look for one further up.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    console.log(`Installing ${PACKAGE} into build/yardstick: it is built, which takes a minute or two.`);
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', PACKAGE], { cwd: folder });
  }
  return createRequire(join(folder, 'package.json'))('better-sqlite3');
}

function plain(db: NativeDatabase): PlainDatabase {
  return {
    exec: (sql) => void db.exec(sql),
    insert(sql, rows) {
      const statement = db.prepare(sql);
      for (const row of rows) statement.run(...row);
    },
    all: (sql, values) => db.prepare(sql).all(...values),
  };
}

const workers = join(root, 'build', 'bench');
const WORKERS_ADDRESS = '/bundled-workers';

/** Bundles the package's worker and the bare one, and answers with their addresses. */
export async function bundledWorkers(): Promise<{ readonly packaged: string; readonly bare: string }> {
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'error',
    resolve: { conditions: ['@threadkeep/source', 'browser', 'import', 'default'] },
    worker: { format: 'es', rolldownOptions: { output: { entryFileNames: '[name].js' } } },
    build: {
      outDir: workers,
      emptyOutDir: true,
      rolldownOptions: {
        input: join(root, 'bench/bundled-workers.ts'),
        preserveEntrySignatures: 'allow-extension',
      },
    },
  });
  return { packaged: `${WORKERS_ADDRESS}/main.js`, bare: `${WORKERS_ADDRESS}/bare-pool-worker.js` };
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves the bundled workers as they are: Vitest would rewrite their imports. */
export const serveBundledWorkers: Plugin = {
  name: 'bundled-workers',
  configureServer(server) {
    server.middlewares.use(WORKERS_ADDRESS, (request, response, next) => {
      const file = join(workers, new URL(request.url ?? '', 'http://localhost').pathname);
      const type = TYPES[extname(file)];
      if (type === undefined || !existsSync(file)) {
        next();
        return;
      }
      response.setHeader('Content-Type', type);
      response.end(readFileSync(file));
    });
  },
};
