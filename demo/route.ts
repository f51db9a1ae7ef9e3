// The address of the page: which conversation is open, and the place in it that a link points at.
import type { SourcePlace } from './store.js';

export interface Route {
  readonly thread: string | null;
  readonly place: SourcePlace | null;
}

/** The page of a conversation that has no message yet. */
export const NEW_HASH = '#/new';

/** `#/t/<thread>` or `#/t/<thread>/m/<message>/<start>-<end>?q=<words>`; anything else is the empty page. */
export function parseRoute(hash: string): Route {
  const match = /^#\/t\/([^/?]+)(?:\/m\/([^/?]+)\/(\d+)-(\d+)(?:\?q=(.*))?)?$/u.exec(hash);
  if (match === null) return { thread: null, place: null };
  const [, thread, message, start, end, query] = match;
  return {
    thread: decoded(thread),
    place:
      message === undefined
        ? null
        : {
            message: decoded(message) ?? '',
            start: Number(start),
            end: Number(end),
            query: decoded(query) ?? '',
          },
  };
}

/** The hash of a conversation, or of a place in it. */
export function hashOf(thread: string, place: SourcePlace | null = null): string {
  const base = `#/t/${encodeURIComponent(thread)}`;
  if (place === null) return base;
  const query = place.query === '' ? '' : `?q=${encodeURIComponent(place.query)}`;
  return `${base}/m/${encodeURIComponent(place.message)}/${place.start}-${place.end}${query}`;
}

function decoded(part: string | undefined): string | null {
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
