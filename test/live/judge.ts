// What the live check demands, and whether a model did it.
import type { Codes } from './setting.js';

export interface Verdict {
  readonly demand: string;
  readonly held: boolean;
  /** What was seen, in words. */
  readonly seen: string;
}

/** A tool call that the model made. */
export interface Called {
  /** Calls of one turn were made without knowing each other's results. */
  readonly turn: number;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the tool answered. */
  readonly result: string;
}

/** Whether the thread was brought to where only the archive knows the codes. */
export function beginningVerdicts(seen: {
  readonly codes: Codes;
  readonly compacted: {
    readonly outcome: string;
    readonly failure: { readonly reason: string; readonly message: string } | null;
    readonly pruned: readonly string[];
  };
  readonly isPersistent: boolean;
  readonly summary: string;
  readonly left: readonly string[];
}): Verdict[] {
  const { codes, compacted, isPersistent, summary, left } = seen;
  const told = codesIn(summary, codes);
  const remaining = codesIn(left.join('\n'), codes);
  const { failure } = compacted;
  return [
    {
      demand: 'The conversation is compacted and archived on OPFS',
      held: compacted.outcome === 'compacted' && compacted.pruned.length > 0 && isPersistent,
      seen:
        failure === null
          ? `${compacted.outcome}, ${compacted.pruned.length} messages left the checkpoint, ` +
            `the archive ${isPersistent ? 'persists' : 'is in memory'}`
          : `${failure.reason}: ${failure.message}`,
    },
    {
      demand: 'The summary leaves the codes out',
      held: summary !== '' && told.length === 0,
      seen: summary === '' ? 'there is no summary' : `${told.length} of the codes stand in it`,
    },
    {
      demand: 'The checkpoint no longer holds the codes',
      held: remaining.length === 0,
      seen: `${remaining.length} of the codes stand in its messages`,
    },
  ];
}

/** Whether the rebuilt agent found what it had to, and said it right. */
export function endVerdicts(seen: {
  readonly codes: Codes;
  /** What broke the run off; null when it came to its end. */
  readonly failure: string | null;
  readonly firstRequest: string;
  readonly calls: readonly Called[];
  readonly notes: Readonly<Record<string, { readonly source_ids: readonly string[] }>>;
  readonly answer: string;
}): Verdict[] {
  const { codes, failure, firstRequest, calls, notes, answer } = seen;
  const known = codesIn(firstRequest, codes);
  const called = (name: string) =>
    calls
      .filter((call) => call.name === name)
      .map(({ args, result, turn }) => ({ args, turn, result, answered: parsed(result) }));
  const searches = called('history_search');
  const hits = searches.filter(({ result }) => codesIn(result, codes).length > 0);
  const pages = called('history_read').filter(({ answered }) => typeof answered['text'] === 'string');
  const telling = pages.filter(({ result }) => codesIn(result, codes).length > 0);
  const cited = called('task_note').map(({ args, turn, answered }) => {
    const ids = listOf(args['source_ids']);
    const unread = ids.filter(
      (id) => !pages.some((page) => page.turn < turn && page.args['source_id'] === id),
    );
    const stored = notes[String(args['key'])]?.source_ids ?? [];
    const isSaved =
      answered['status'] === 'saved' && ids.length > 0 && ids.every((id) => stored.includes(String(id)));
    const isTelling = telling.some(({ args: read }) => ids.includes(read['source_id']));
    return { ids, unread, isSaved, isTelling };
  });
  const good = cited.filter(({ unread, isSaved, isTelling }) => isSaved && isTelling && unread.length === 0);
  const manifest = manifestIn(answer);
  return [
    {
      demand: 'The run comes to its end',
      held: failure === null && answer !== '',
      seen: failure ?? (answer === '' ? 'there is no answer' : `after ${calls.length} tool calls`),
    },
    {
      demand: 'The rebuilt agent begins without the codes',
      held: firstRequest !== '' && known.length === 0,
      seen: firstRequest === '' ? 'no request was made' : `${known.length} codes in its first request`,
    },
    {
      demand: 'A search finds a code',
      held: hits.length > 0,
      seen: `${searches.length} searches, ${hits.length} with a code`,
    },
    {
      demand: 'A read shows a code',
      held: telling.length > 0,
      seen: `${pages.length} pages read, ${telling.length} with a code`,
    },
    {
      demand: 'A note cites sources that were read before',
      held: good.length > 0 && cited.every(({ unread }) => unread.length === 0),
      seen: `${cited.length} notes written; ${cited.map(toldOfNote).join('; ') || 'none cites anything'}`,
    },
    {
      demand: 'The manifest is JSON and right to the letter',
      held: manifest !== null && isSame(manifest, codes),
      seen: manifest === null ? 'the answer holds no JSON object' : differences(manifest, codes),
    },
  ];
}

const toldOfNote = (note: {
  readonly ids: readonly unknown[];
  readonly unread: readonly unknown[];
  readonly isSaved: boolean;
}): string =>
  `${note.isSaved ? 'saved' : 'not saved with them'}, cites ${note.ids.length}, ${note.unread.length} never read`;

const codesIn = (text: string, codes: Codes): string[] =>
  Object.values(codes).filter((code) => text.includes(code));

/** The object of an answer, be it in a fence or between words; null when there is none. */
function manifestIn(answer: string): Readonly<Record<string, unknown>> | null {
  const object = /\{[^{}]*\}/u.exec(answer)?.[0];
  if (object === undefined) return null;
  const value = parsed(object);
  return Object.keys(value).length === 0 ? null : value;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isSame = (manifest: Readonly<Record<string, unknown>>, codes: Codes): boolean =>
  Object.keys(manifest).length === Object.keys(codes).length &&
  Object.entries(codes).every(([product, code]) => manifest[product] === code);

function differences(manifest: Readonly<Record<string, unknown>>, codes: Codes): string {
  const wrong = Object.entries(codes).filter(([product, code]) => manifest[product] !== code);
  const told = wrong.map(([product, code]) => `${product} is ${code}, not ${String(manifest[product])}`);
  const foreign = Object.keys(manifest).filter((product) => !Object.hasOwn(codes, product));
  const more = foreign.map((product) => `${product} was not asked for`);
  return (
    [...told, ...more].join('; ') || `${Object.keys(codes).length} of ${Object.keys(codes).length} right`
  );
}
