// What our own tools said is an echo of sources, not a source: it is neither archived nor searched.
import { pythonJson } from './json.js';
import { type Message, type ToolCall, visibleText } from './message.js';
import { charLength, sliceChars } from './text.js';

/** Key among a tool message's `additional_kwargs` that our tool instances, and nothing else, set. */
export const OWN_RESULT_MARK = 'threadkeep_tool';

/** True for what one of our tool instances answered; a tool that merely has the same name does not count. */
export function isOwnResult(message: Message): boolean {
  return message.type === 'tool' && typeof message.additional_kwargs[OWN_RESULT_MARK] === 'string';
}

/** Tool calls, as objects of their message, that our tool instances answered or are about to. */
export type OwnCalls = ReadonlySet<ToolCall>;

/**
 * Finds the calls that went to our tools: those whose result carries our mark, and, for results that are not
 * there yet, the calls of the last assistant message that `pendingIds` names.
 *
 * Ids are looked up backwards from each result, since some models use an id again in a later turn.
 */
export function ownCallsOf(
  messages: readonly Message[],
  pendingIds: ReadonlySet<string> = new Set(),
): OwnCalls {
  const own = new Set<ToolCall>();
  const latestById = new Map<string, ToolCall>();
  for (const message of messages) {
    for (const call of message.tool_calls) {
      if (call.id !== null) latestById.set(call.id, call);
    }
    if (message.tool_call_id === null || !isOwnResult(message)) continue;
    const call = latestById.get(message.tool_call_id);
    if (call !== undefined) own.add(call);
  }
  const last = messages.findLast((message) => message.type === 'ai');
  for (const call of last?.tool_calls ?? []) {
    if (call.id !== null && pendingIds.has(call.id)) own.add(call);
  }
  return own;
}

const CALLS_OPENING = '\nTool calls: [';

/**
 * Where the arguments of calls to our tools stand in a message's visible text: kept, read and hashed with the rest,
 * but not searched, since a search would find its own question there.
 */
export function ownArgumentRanges(message: Message, own: OwnCalls): readonly CharRange[] {
  if (!message.tool_calls.some((call) => own.has(call))) return [];
  const ranges: CharRange[] = [];
  let at = charLength(visibleText({ ...message, tool_calls: [] })) + CALLS_OPENING.length;
  for (const call of message.tool_calls) {
    const alone = visibleText({ ...message, content: '', tool_calls: [call] });
    const length = charLength(alone) - CALLS_OPENING.length - ']'.length;
    if (own.has(call)) {
      const start = at + charLength(`{"name": ${pythonJson(call.name)}, "args": `);
      ranges.push([start, at + length - charLength(`, "id": ${pythonJson(call.id)}}`)]);
    }
    at += length + ', '.length;
  }
  return ranges;
}

const CALL_HEAD = /\{"name": ("(?:[^"\\]|\\.)*"), "args": /y;
const CALL_ID = ', "id": ';

/**
 * The same for the visible text of a message that is known no better, cut or whole: the arguments of calls to tools of
 * these names. A text that only looks as if it ended in calls is taken at its word.
 */
export function namedArgumentRanges(text: string, names: ReadonlySet<string>): readonly CharRange[] {
  const ranges: CharRange[] = [];
  // JSON holds no line break: whatever stands before the last opening is content.
  const opening = text.lastIndexOf(CALLS_OPENING);
  let at = opening < 0 ? text.length : opening + CALLS_OPENING.length;
  while (at < text.length) {
    CALL_HEAD.lastIndex = at;
    const head = CALL_HEAD.exec(text);
    if (head === null) break;
    const start = at + head[0].length;
    const end = endOfJson(text, start);
    if (names.has(String(JSON.parse(head[1] ?? '""')))) {
      ranges.push([charLength(text.slice(0, start)), charLength(text.slice(0, end))]);
    }
    at = endOfJson(text, end + CALL_ID.length) + '}, '.length;
  }
  return ranges;
}

/** Where the value that begins at `start` ends: before the comma or bracket that follows it, or with the text. */
function endOfJson(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const unit = text[at];
    if (isInString) {
      if (unit === '\\') at += 1;
      else if (unit === '"') isInString = false;
    } else if (unit === '"') isInString = true;
    else if (unit === '{' || unit === '[') depth += 1;
    else if (depth === 0 && (unit === ',' || unit === '}' || unit === ']')) return at;
    else if (unit === '}' || unit === ']') depth -= 1;
  }
  return text.length;
}

/** A part of a text: zero-based, half-open characters. */
export type CharRange = readonly [start: number, end: number];

/** The text with blanks in place of the ranges, character for character: all other offsets stay what they are. */
export function withBlanks(text: string, ranges: readonly CharRange[]): string {
  let result = text;
  for (const [start, end] of ranges) {
    const blanks = ' '.repeat(charLength(sliceChars(result, start, end)));
    result = `${sliceChars(result, 0, start)}${blanks}${sliceChars(result, end)}`;
  }
  return result;
}
