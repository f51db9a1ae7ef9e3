// A model for the live check that reads and acts like one, and others that fail it in one way each.
import type { ChatAnswer, ChatMessage, ChatModel } from '../support/chat-server.js';

/** How a model goes wrong; `good` does not. */
export type Manner = 'good' | 'tells' | 'never-searches' | 'never-reads' | 'invents' | 'cites-unread';

/** What a batch code looks like to whoever reads of one. */
const CODE = /[A-Z]{2}-\d{4}-[A-Z]{2}\d{2}/u;
const INVENTED = 'XX-1234-YY56';

/** It knows nothing but the request: what it looked up it takes from the tools' answers. */
export function scriptedModel(manner: Manner): ChatModel {
  return ({ messages, tools = [] }) => {
    const task = messages.findLastIndex(
      ({ role, content }) => role === 'user' && /manifest/u.test(String(content)),
    );
    if (tools.length === 0 || task < 0) return summaryOf(messages, manner);
    return nextMove(String(messages[task]?.content), messages.slice(task + 1), manner);
  };
}

/** The first lines that the conversation has, without codes. */
function summaryOf(messages: readonly ChatMessage[], manner: Manner): string {
  const asked = messages.map(({ content }) => String(content)).join('\n');
  const lines = asked.split('\n').filter((line) => /is filled|took two hours/u.test(line));
  const text = lines.join(' ').slice(0, 900);
  return manner === 'tells' ? text : text.replaceAll(new RegExp(CODE, 'gu'), 'noted elsewhere');
}

interface Done {
  readonly name: string;
  readonly answer: { readonly results?: readonly Hit[]; readonly id?: string; readonly text?: string };
}

interface Hit {
  readonly id: string;
  readonly excerpt: string;
}

function nextMove(task: string, since: readonly ChatMessage[], manner: Manner): ChatAnswer {
  const products = /these batches: ([^.]+)\./u.exec(task)?.[1]?.split(', ') ?? [];
  if (manner === 'never-searches') return manifest(products.map((product) => [product, INVENTED]));
  const done = doneIn(since);
  const ofTool = (name: string) => done.filter((one) => one.name === name).map(({ answer }) => answer);
  const searches = ofTool('history_search');
  if (searches.length === 0) {
    return products.map((product) => ({ name: 'history_search', args: { query: `batch code ${product}` } }));
  }
  const hits = searches.flatMap(({ results = [] }) => results);
  const sources = products.flatMap((product) => hits.find((hit) => tells(hit.excerpt, product)) ?? []);
  const pages = ofTool('history_read');
  if (pages.length === 0 && manner !== 'never-reads') {
    return sources.map(({ id }) => ({ name: 'history_read', args: { source_id: id } }));
  }
  const texts =
    manner === 'never-reads' ? sources.map(({ excerpt }) => excerpt) : pages.map(({ text = '' }) => text);
  const found = products.map((product): [string, string] => {
    const text = texts.find((one) => tells(one, product)) ?? '';
    return [product, CODE.exec(text)?.[0] ?? 'unknown'];
  });
  if (ofTool('task_note').length === 0) {
    const read = sources.map(({ id }) => id);
    const unread = hits.filter(({ id }) => !read.includes(id)).map(({ id }) => id);
    const ids = manner === 'cites-unread' ? [...read.slice(1), ...unread.slice(0, 1)] : read;
    return [{ name: 'task_note', args: { key: 'manifest', content: manifest(found), source_ids: ids } }];
  }
  if (manner !== 'invents') return manifest(found);
  return manifest(found.map(([product, code], at) => [product, at === 0 ? INVENTED : code]));
}

const tells = (text: string, product: string): boolean => text.includes(product) && CODE.test(text);

const manifest = (entries: readonly (readonly [string, string])[]): string =>
  JSON.stringify(Object.fromEntries(entries));

/** The tools' answers so far, each with the name of its tool. */
function doneIn(since: readonly ChatMessage[]): Done[] {
  const names = new Map(
    since.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id, function: { name } }) => [id, name])),
  );
  return since
    .filter(({ role }) => role === 'tool')
    .map(({ tool_call_id = '', content }) => ({
      name: names.get(tool_call_id) ?? '',
      answer: JSON.parse(String(content)),
    }));
}
