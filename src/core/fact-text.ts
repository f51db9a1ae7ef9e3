// The words of a message in which facts are looked for: what was said, and what calls and results say in their values.
import { type Message, visibleText } from './message.js';
import { wellFormed } from './text.js';

export interface FactText {
  /** For a reader, a line for each value of a call or of a JSON result, after its name. */
  readonly text: string;
  /** The same with blanks for the names, which somebody's code has chosen and nobody has said. */
  readonly searched: string;
}

/** Deeper values are left out; so are further ones of a message that has very many. */
const MAX_DEPTH = 16;
const MAX_VALUES = 2_000;

/** Ids of calls are left out: they tie messages together and mean nothing. */
export function factText(message: Message): FactText {
  const said = visibleText({ ...message, tool_calls: [] });
  const values: Labelled[] = [];
  const result = message.type === 'tool' ? parsedJson(said) : undefined;
  if (result !== undefined) collect('', result, 0, values);
  for (const { name, args } of message.tool_calls) collect(name, args, 0, values);
  const lines = result === undefined && said !== '' ? [{ label: '', value: said }] : [];
  return joined([...lines, ...values]);
}

interface Labelled {
  readonly label: string;
  readonly value: string;
}

function joined(parts: readonly Labelled[]): FactText {
  const lines = parts.map(({ label, value }) => ({ name: label === '' ? '' : `${label}: `, value }));
  return {
    text: wellFormed(lines.map(({ name, value }) => name + value).join('\n')),
    searched: wellFormed(lines.map(({ name, value }) => ' '.repeat(name.length) + value).join('\n')),
  };
}

/** The value of a text that is an object or a list in JSON; undefined for any other. */
function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function collect(label: string, value: unknown, depth: number, into: Labelled[]): void {
  if (value === null || value === undefined || depth > MAX_DEPTH || into.length >= MAX_VALUES) return;
  if (typeof value !== 'object') {
    into.push({ label, value: String(value) });
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    const name = Array.isArray(value) ? label : key;
    collect(name, part, depth + 1, into);
  }
}
