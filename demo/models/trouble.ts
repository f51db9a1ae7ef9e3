// What went wrong with a model call, as far as its error tells: for words on the page, never for a log.

export type Trouble =
  /** Nothing answered, or the browser kept the answer from this page (CORS): it does not say which. */
  | { readonly kind: 'unreachable' }
  /** The address was silent for too long. */
  | { readonly kind: 'silent' }
  /** The answer broke off in its midst. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'status'; readonly status: number; readonly message: string };

/** The trouble behind an error of a run; null when it is none of the address. */
export function troubleOf(error: unknown): Trouble | null {
  for (const cause of causesOf(error)) {
    const { name, message } = cause;
    // An answer that was refused carries its status, whatever its class is called.
    if ('status' in cause && typeof cause.status === 'number') {
      return { kind: 'status', status: cause.status, message };
    }
    if (name === 'TimeoutError' || /timed out/iu.test(message)) return { kind: 'silent' };
    if (/^connection error/iu.test(message)) return { kind: 'unreachable' };
    if (/failed to fetch|fetch failed|load failed|networkerror/iu.test(message))
      return { kind: 'unreachable' };
    if (/network error|terminated|premature|aborted by the server|body stream/iu.test(message))
      return { kind: 'cut' };
  }
  return null;
}

function* causesOf(error: unknown): Generator<Error> {
  const seen = new Set<unknown>();
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause);
    yield cause;
  }
}
