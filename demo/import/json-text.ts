// Reads JSON, or JSON lines, and says at which line and column a text stops being either.

export type JsonOutcome =
  | { readonly ok: true; readonly value: unknown }
  /** Both from 1; columns count characters as an editor shows them. */
  | { readonly ok: false; readonly line: number; readonly column: number };

/** One JSON value, or, where a text has one value on each of several lines, the list of them. */
export function parseJsonText(text: string): JsonOutcome {
  const whole = parsed(text);
  if (whole !== undefined) return { ok: true, value: whole };
  const lines = text.split('\n');
  const values: unknown[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (value === undefined) {
      // The first line alone is no value: then the text was meant as one, not as lines.
      return values.length === 0
        ? placeOf(text, errorOffset(text))
        : { ...placeOf(line, errorOffset(line)), line: index + 1 };
    }
    values.push(value);
  }
  return { ok: true, value: values };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function placeOf(text: string, offset: number): { ok: false; line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return {
    ok: false,
    line: before.split('\n').length,
    column: Array.from(before.slice(lineStart)).length + 1,
  };
}

const TOKEN =
  /[ \t\n\r]*(?:([{}[\]:,])|("[^"\\]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/uy;
const SPACE = /[ \t\n\r]*/uy;

/**
 * The offset of the first token that cannot stand where it stands; the text's length when it ends too soon.
 * Engines word their errors differently, and some give no position, hence this walk of our own.
 */
function errorOffset(text: string): number {
  const open: string[] = [];
  let expects: 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing' =
    'value';
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.exec(text);
    const tokenStart = SPACE.lastIndex;
    if (tokenStart >= text.length) return text.length;
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return tokenStart;
    at = TOKEN.lastIndex;
    const mark = match[1] ?? '';
    const isString = match[2] !== undefined;
    const control = isString ? controlIn(match[2] ?? '') : -1;
    if (control >= 0) return tokenStart + control;
    const isScalar = isString || match[3] !== undefined;
    const closes = (mark === '}' && open.at(-1) === '{') || (mark === ']' && open.at(-1) === '[');
    if (closes && (expects === 'comma-or-end' || expects === 'value-or-end' || expects === 'key-or-end')) {
      open.pop();
      expects = open.length === 0 ? 'nothing' : 'comma-or-end';
    } else if (
      (expects === 'value' || expects === 'value-or-end') &&
      (isScalar || mark === '{' || mark === '[')
    ) {
      if (isScalar) expects = open.length === 0 ? 'nothing' : 'comma-or-end';
      else {
        open.push(mark);
        expects = mark === '{' ? 'key-or-end' : 'value-or-end';
      }
    } else if ((expects === 'key' || expects === 'key-or-end') && isString) expects = 'colon';
    else if (expects === 'colon' && mark === ':') expects = 'value';
    else if (expects === 'comma-or-end' && mark === ',') expects = open.at(-1) === '{' ? 'key' : 'value';
    else return tokenStart;
  }
}

/** Where a string holds a character that JSON wants escaped, such as a line break; -1 where it holds none. */
function controlIn(token: string): number {
  for (let at = 0; at < token.length; at += 1) if (token.charCodeAt(at) < 0x20) return at;
  return -1;
}
