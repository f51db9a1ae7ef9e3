// Reads what the history tools answered. Tool text is data: what has not the expected shape is an error value.

/** One hit of `history_search`, as far as the model uses it. */
export interface Hit {
  readonly id: string;
  readonly role: string;
  readonly messageId: string | null;
  readonly name: string | null;
  readonly excerpt: string;
  readonly start: number;
  readonly origin: string | null;
}

/** One page of `history_read`. */
export interface Page {
  readonly id: string;
  readonly role: string;
  readonly name: string | null;
  readonly text: string;
  readonly origin: string | null;
}

/** What a tool answered: what was asked for, or the word for why not (`unreadable` when it was no such answer). */
export type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly status: string }
  | { readonly ok: false; readonly error: string; readonly status: string };

/** Hits without an id or an excerpt are passed over; no results at all is an empty list. */
export function searchAnswer(text: string): Answer<readonly Hit[]> {
  const value = parsed(text);
  const results = value?.['results'];
  if (value === null || !Array.isArray(results)) return failed(value);
  return { ok: true, value: results.map(hitOf).filter((hit) => hit !== null), status: statusOf(value) };
}

/** A page without an id or text is unreadable. */
export function readAnswer(text: string): Answer<Page> {
  const value = parsed(text);
  const id = value?.['id'];
  const page = value?.['text'];
  if (value === null || typeof id !== 'string' || typeof page !== 'string') return failed(value);
  return {
    ok: true,
    value: {
      id,
      role: textOr(value['role'], ''),
      name: textOr(value['name'], null),
      text: page,
      origin: textOr(value['origin'], null),
    },
    status: statusOf(value),
  };
}

/** The key under which a note was saved. */
export function noteAnswer(text: string): Answer<string> {
  const value = parsed(text);
  const key = value?.['key'];
  if (value === null || typeof key !== 'string') return failed(value);
  return { ok: true, value: key, status: statusOf(value) };
}

function hitOf(value: unknown): Hit | null {
  if (!isObject(value)) return null;
  const id = value['id'];
  const excerpt = value['excerpt'];
  if (typeof id !== 'string' || typeof excerpt !== 'string') return null;
  const start = value['excerpt_start'];
  return {
    id,
    excerpt,
    role: textOr(value['role'], ''),
    messageId: textOr(value['message_id'], null),
    name: textOr(value['name'], null),
    start: typeof start === 'number' && Number.isInteger(start) && start >= 0 ? start : 0,
    origin: textOr(value['origin'], null),
  };
}

function failed(value: Readonly<Record<string, unknown>> | null): {
  ok: false;
  error: string;
  status: string;
} {
  if (value === null) return { ok: false, error: 'unreadable', status: '' };
  return { ok: false, error: textOr(value['error'], 'unreadable'), status: statusOf(value) };
}

function statusOf(value: Readonly<Record<string, unknown>>): string {
  return textOr(value['status'], '');
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
