// Which message each source id stands for, learnt from the look-ups that the conversation holds.
import { codePoints } from './marked.js';
import { argument, parseRead, parseSearch } from './results.js';
import type { ShownMessage, SourcePlace } from './store.js';

/** Places by source id. A later look-up of the same source wins; sources without a message in `messages` are left out. */
export function placesBySource(messages: readonly ShownMessage[]): ReadonlyMap<string, SourcePlace> {
  const present = new Set(messages.map((message) => message.id));
  const callById = new Map(
    messages.flatMap((message) => message.calls.map((call) => [call.id, call] as const)),
  );
  const places = new Map<string, SourcePlace>();
  for (const message of messages) {
    const call = message.callId === null ? undefined : callById.get(message.callId);
    if (call?.name === 'history_search') {
      const answer = parseSearch(message.text);
      if (answer?.kind !== 'hits') continue;
      const query = argument(call.args, 'query') ?? '';
      for (const hit of answer.hits) {
        if (hit.messageId === null || !present.has(hit.messageId)) continue;
        places.set(hit.id, { message: hit.messageId, start: hit.start, end: hit.end, query });
      }
    } else if (call?.name === 'history_read') {
      const answer = parseRead(message.text);
      if (answer?.kind !== 'page' || answer.messageId === null || places.has(answer.id)) continue;
      if (!present.has(answer.messageId)) continue;
      places.set(answer.id, { message: answer.messageId, start: 0, end: answer.text.length, query: '' });
    }
  }
  return places;
}

/** Where words stand in a message, to be marked as a search for `query` would; all of its text when they do not. */
export function placeOfWords({ id, text }: ShownMessage, said: string, query: string): SourcePlace {
  const at = text.indexOf(said);
  const start = at < 0 ? 0 : codePoints(text.slice(0, at));
  return { message: id, start, end: start + codePoints(at < 0 ? text : said), query };
}
