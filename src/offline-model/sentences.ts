// Cuts a text into pieces that can be quoted: sentences, list entries, and the members of JSON.

/** A stretch of a text as it stands there: `text.slice(start, end)`, UTF-16 offsets. */
export interface Passage {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The line above a list entry that says what the list is of; empty elsewhere. */
  readonly lead: string;
  /** True for a member of JSON, such as `"reservation_id": "JG7FMM"`. */
  readonly isMember: boolean;
}

/** Longest passage, in UTF-16 units: a text without any full stop is cut here. */
const PASSAGE_UNITS = 400;

const LIST_ENTRY = /^\s*(?:[-*•·]|\d{1,3}[.)、])\s*/u;
// A full stop ends a sentence only before white space, so that `3.5`, `v1.2` and `a.b` stay whole.
const SENTENCE = /[^\n]*?(?:[.!?]+["'”’)\]]*(?=\s|$)|[。！？；…]+["'”’）」』]*|(?=\n)|$)/gu;
const ABBREVIATION = /(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|No|vs|approx|e\.g|i\.e|etc|Inc|Ltd|Co)\.$/u;
const MEMBER =
  /"(?:[^"\\\n]|\\.){1,80}":\s*(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|\[(?:"(?:[^"\\]|\\.)*"(?:,\s*)?)+\])/gu;

/**
 * The quotable passages of a text, in order. Each is a stretch of the text without white space around it; what
 * stands between them is white space, JSON punctuation, or JSON too deep to quote.
 */
export function passagesOf(text: string): readonly Passage[] {
  const json = jsonStart(text);
  return [...prosePassages(text.slice(0, json)), ...memberPassages(text, json)];
}

/** The sentences of a text, for callers that know it is prose. */
export function sentencesOf(text: string): readonly string[] {
  return prosePassages(text).map((passage) => passage.text);
}

/** Where the JSON of a tool's answer, or of a message's tool calls, begins; the text's length when it has none. */
function jsonStart(text: string): number {
  if (/^\s*(?:[{"]|\[\s*[[{"])/u.test(text) && text.search(MEMBER) >= 0) return 0;
  const calls = text.search(/(?:^|\n)Tool calls: \[/u);
  return calls < 0 ? text.length : calls;
}

function prosePassages(text: string): Passage[] {
  const passages: Passage[] = [];
  let lead = '';
  let lineStart = 0;
  for (const line of text.split('\n')) {
    const entry = LIST_ENTRY.exec(line);
    if (entry === null) {
      const found = sentencesOfLine(line, lineStart);
      passages.push(...found);
      const last = found.at(-1);
      // A blank line between the lead and its list is common in Markdown.
      if (last !== undefined) lead = /[:：]["'*”’]*$/u.test(last.text) ? last.text : '';
    } else {
      const marker = entry[0].length;
      for (const found of sentencesOfLine(line.slice(marker), lineStart + marker)) {
        passages.push({ ...found, lead });
      }
    }
    lineStart += line.length + 1;
  }
  return passages;
}

function sentencesOfLine(line: string, lineStart: number): Passage[] {
  const passages: Passage[] = [];
  let from = 0;
  for (const match of line.matchAll(SENTENCE)) {
    const end = match.index + match[0].length;
    const piece = line.slice(from, end);
    if (piece.trim() === '' || (end < line.length && ABBREVIATION.test(piece))) continue;
    passages.push(...cut(piece, lineStart + from));
    from = end;
  }
  return passages;
}

/** One passage, or several where it is too long to be quoted: cut after a comma or a space. */
function cut(piece: string, start: number): Passage[] {
  const passages: Passage[] = [];
  let rest = piece;
  let at = start;
  while (rest.trim().length > PASSAGE_UNITS) {
    const head = rest.slice(0, PASSAGE_UNITS);
    const stop = Math.max(head.lastIndexOf(', '), head.lastIndexOf('，'), head.lastIndexOf(' '));
    const size = stop < PASSAGE_UNITS / 2 ? wholePairs(rest, PASSAGE_UNITS) : stop + 1;
    passages.push(trimmed(rest.slice(0, size), at));
    rest = rest.slice(size);
    at += size;
  }
  if (rest.trim() !== '') passages.push(trimmed(rest, at));
  return passages;
}

function wholePairs(text: string, size: number): number {
  return (text.charCodeAt(size) & 0xfc00) === 0xdc00 ? size - 1 : size;
}

function trimmed(piece: string, start: number): Passage {
  const text = piece.trim();
  const from = start + piece.length - piece.trimStart().length;
  return { text, start: from, end: from + text.length, lead: '', isMember: false };
}

function memberPassages(text: string, from: number): Passage[] {
  if (from >= text.length) return [];
  return Array.from(text.slice(from).matchAll(MEMBER), (match) => ({
    text: match[0],
    start: from + match.index,
    end: from + match.index + match[0].length,
    lead: '',
    isMember: true,
  }));
}
