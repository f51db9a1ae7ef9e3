// Reads what the history tools answered. Tool text is data: what does not have the expected shape is `null`.

export interface ShownHit {
  readonly id: string;
  readonly messageId: string | null;
  readonly role: string;
  readonly origin: 'active' | 'archive' | null;
  readonly excerpt: string;
  readonly start: number;
  readonly end: number;
  readonly match: boolean;
  /** When it was archived, in milliseconds since 1970; null for a live message. */
  readonly archivedAt: number | null;
  /** Which message of the conversation it is, from one, and of how many; null for an archived one. */
  readonly position: number | null;
  readonly conversationLength: number | null;
}

export type SearchAnswer =
  | { readonly kind: 'hits'; readonly hits: readonly ShownHit[]; readonly status: string }
  | { readonly kind: 'error'; readonly error: string; readonly hint: string | null };

export type ReadAnswer =
  | {
      readonly kind: 'page';
      readonly id: string;
      readonly messageId: string | null;
      readonly role: string;
      readonly origin: 'active' | 'archive' | null;
      readonly text: string;
      readonly nextOffset: number | null;
      readonly status: string;
    }
  | { readonly kind: 'error'; readonly error: string; readonly hint: string | null };

export type NoteAnswer =
  | { readonly kind: 'receipt'; readonly key: string; readonly status: string; readonly cited: boolean }
  | { readonly kind: 'error'; readonly error: string; readonly hint: string | null };

/** The answer of `history_search`; null when the text is none. */
export function parseSearch(text: string): SearchAnswer | null {
  const value = parseObject(text);
  if (value === null) return null;
  const results = value['results'];
  if (!Array.isArray(results)) return errorOf(value);
  const hits: ShownHit[] = [];
  for (const result of results) {
    const hit = hitOf(result);
    if (hit !== null) hits.push(hit);
  }
  return { kind: 'hits', hits, status: textOf(value['status']) ?? '' };
}

/** The answer of `history_read`; null when the text is none. */
export function parseRead(text: string): ReadAnswer | null {
  const value = parseObject(text);
  if (value === null) return null;
  const id = textOf(value['id']);
  const page = textOf(value['text']);
  if (id === null || page === null) return errorOf(value);
  return {
    kind: 'page',
    id,
    messageId: textOf(value['message_id']),
    role: textOf(value['role']) ?? '',
    origin: originOf(value['origin']),
    text: page,
    nextOffset: numberOf(value['next_offset']),
    status: textOf(value['status']) ?? '',
  };
}

/** The answer of `task_note`; null when the text is none. */
export function parseNote(text: string): NoteAnswer | null {
  const value = parseObject(text);
  if (value === null) return null;
  const key = textOf(value['key']);
  const status = textOf(value['status']);
  if (key === null || status === null) return errorOf(value);
  return { kind: 'receipt', key, status, cited: value['cited'] === true };
}

/** A string argument of a tool call, or null. */
export function argument(args: unknown, name: string): string | null {
  return isObject(args) ? textOf(args[name]) : null;
}

/** A number argument of a tool call, or null. */
export function numberArgument(args: unknown, name: string): number | null {
  return isObject(args) ? numberOf(args[name]) : null;
}

/** The strings of a list argument of a tool call. */
export function listArgument(args: unknown, name: string): readonly string[] {
  const value = isObject(args) ? args[name] : null;
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

function hitOf(value: unknown): ShownHit | null {
  if (!isObject(value)) return null;
  const id = textOf(value['id']);
  const excerpt = textOf(value['excerpt']);
  const start = numberOf(value['excerpt_start']);
  const end = numberOf(value['excerpt_end']);
  if (id === null || excerpt === null || start === null || end === null) return null;
  return {
    id,
    messageId: textOf(value['message_id']),
    role: textOf(value['role']) ?? '',
    origin: originOf(value['origin']),
    excerpt,
    start,
    end,
    match: value['excerpt_match'] === true,
    archivedAt: timeOf(value['archived_at']),
    position: numberOf(value['position']),
    conversationLength: numberOf(value['conversation_length']),
  };
}

function errorOf(
  value: Readonly<Record<string, unknown>>,
): { kind: 'error'; error: string; hint: string | null } | null {
  const error = textOf(value['error']);
  if (error === null) return null;
  return { kind: 'error', error, hint: textOf(value['hint']) ?? textOf(value['limits']) };
}

function originOf(value: unknown): 'active' | 'archive' | null {
  return value === 'active' || value === 'archive' ? value : null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
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

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A point in time as ISO 8601 has it, in milliseconds since 1970. */
function timeOf(value: unknown): number | null {
  return typeof value === 'string' ? numberOf(Date.parse(value)) : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
