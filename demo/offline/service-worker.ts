// Keeps the built page for use without a network: one version whole, or none. It imports nothing, for it runs alone.

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
/** What a service worker's global has; the page's own type declarations do not know it. */
interface ServiceWorkerGlobal {
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly scope: string };
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
}

/** The files of this version and their digests, as integrity attributes have them; the build writes them above. */
declare const FILES: Readonly<Record<string, string>>;
/** A digest of them all. */
declare const VERSION: string;

const PREFIX = 'threadkeep-demo:';
const scope = globalThis as unknown as ServiceWorkerGlobal;
const base = scope.registration.scope;
const cacheName = `${PREFIX}${base}:${VERSION}`;
const kept = new Set(Object.keys(FILES).map((path) => new URL(path, base).href));

scope.addEventListener('install', (event) => event.waitUntil(keepAll()));
// This runs once no tab has a page of the version before: a page never meets files of another version.
scope.addEventListener('activate', (event) =>
  event.waitUntil(forgetOthers().then(() => scope.clients.claim())),
);
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  // The folder and its index are one page.
  const address = `${origin}${pathname}`.replace(/\/index\.html$/u, '/');
  if (request.method === 'GET' && kept.has(address)) event.respondWith(answer(address, request));
});

/** All or nothing: a file that is not of this version, as while a new one is being put up, fails the installation. */
async function keepAll(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(
    Object.entries(FILES).map(
      ([path, integrity]) => new Request(new URL(path, base), { integrity, cache: 'no-cache' }),
    ),
  );
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(`${PREFIX}${base}:`) && name !== cacheName);
  await Promise.all(others.map((name) => caches.delete(name)));
}

async function answer(address: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  // The browser may have evicted what was kept: then the network has it.
  return (await cache.match(address, { ignoreVary: true })) ?? fetch(request);
}
