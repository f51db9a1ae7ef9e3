// Has the built page kept in the browser, so that it opens without a network from the second visit on.
/// <reference types="vite/client" />

/** Why there is nothing to be told of most of it: a browser that keeps no pages shows this one all the same. */
export async function keepForOffline(hooks: { readonly newVersion: () => void }): Promise<void> {
  // In development the files change as they are edited.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  let registration: ServiceWorkerRegistration | undefined;
  try {
    registration = await navigator.serviceWorker.register(
      new URL('./service-worker.js', document.baseURI),
      // The worker itself is asked for anew each time, and with it the list of what belongs to it.
      { updateViaCache: 'none' },
    );
  } catch {
    return;
  }
  // What blocks service workers in a test answers nothing.
  if (registration !== undefined) watch(registration, hooks.newVersion);
}

function watch(registration: ServiceWorkerRegistration, newVersion: () => void): void {
  const look = () => {
    const { installing, waiting } = registration;
    if (waiting !== null && registration.active !== null) newVersion();
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && registration.active !== null) newVersion();
    });
  };
  look();
  registration.addEventListener('updatefound', look);
}
