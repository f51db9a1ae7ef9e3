// A Web Lock that the worker holds for its life: the browser grants it to whoever waits when the worker dies.

/** Takes the lock and resolves to its name; null where there are no Web Locks (insecure origins). */
export function holdLifeLock(): Promise<string | null> {
  const { locks } = navigator;
  if (locks === undefined) return Promise.resolve(null);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const name = `threadkeep-life:${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  return new Promise((resolve) => {
    locks
      .request(name, () => {
        resolve(name);
        return new Promise<never>(() => {});
      })
      .catch(() => resolve(null));
  });
}
