// What the page says of a file, in English: what is wrong with it, or was understood otherwise than written.
import type { ImportPlace, ImportProblem, ImportWarning } from '../import/conversation.js';

/** The words for files. */
export const enFiles = {
  /** One sentence or two. What comes from the file is cut to a short length. */
  fileProblem,
  /** One sentence, below an opened conversation. */
  fileWarning,
  /** What a value is, in words that fit after "is". */
  value: {
    missing: 'missing',
    nothing: 'null',
    emptyList: 'an empty list',
    list: 'a list',
    emptyObject: 'an empty object',
    object: 'an object',
    text: 'a text',
    number: 'a number',
    true: 'true',
    false: 'false',
  },
  objectWith: (names: readonly string[]) => `an object with ${names.map((name) => `“${name}”`).join(', ')}`,
  callsAre: (found: string) => `tool_calls is ${found}`,
  callIs: (call: number, found: string) => `call ${call} is ${found}`,
  callUnnamed: (call: number) => `call ${call} has no name`,
  callArguments: (call: number, found: string) => `call ${call} has arguments that are ${found}`,
};

function fileProblem(problem: ImportProblem): string {
  switch (problem.kind) {
    case 'empty':
      return 'The file is empty.';
    case 'too-large':
      return `The file is too large: it has ${megabytes(problem.bytes)} MB, and files up to ${megabytes(problem.limitBytes)} MB can be opened.`;
    case 'unreadable':
      return `The file could not be read: ${short(problem.detail)}`;
    case 'not-text':
      return 'The file is no text in UTF-8. A conversation is opened from a JSON file.';
    case 'not-json':
      return `The file is not valid JSON: line ${problem.line}, column ${problem.column} cannot be read.`;
    case 'no-conversation':
      return `The file holds ${short(problem.found)}, but no conversation. Expected is a list of messages, or an object with “messages”.`;
    case 'no-messages':
      return `${problem.conversation === null ? 'The conversation' : `Conversation ${short(problem.conversation)}`} has no messages.`;
    case 'not-a-message':
      return `${place(problem.at)} is no message but ${problem.found}.`;
    case 'no-role':
      return `${place(problem.at)} does not say who speaks: its “role” is ${problem.found}.`;
    case 'unknown-role':
      return `${place(problem.at)} has the unknown role “${short(problem.role)}”. Known are system, developer, user, assistant, tool and function.`;
    case 'wrong-content':
      return `${place(problem.at)} (${problem.role}) has content that is ${problem.found}. Expected is a text, or a list of parts with a “type”.`;
    case 'wrong-call':
      return `${place(problem.at)} has a tool call that cannot be read: ${short(problem.found)}.`;
  }
}

function fileWarning(warning: ImportWarning): string {
  switch (warning.kind) {
    case 'result-without-call':
      return `Message ${warning.message} is a tool result without its call. It is kept, but the model does not see it.`;
    case 'call-without-result':
      return `Message ${warning.message} calls ${short(warning.tool)}, and no result of it follows.`;
    case 'invalid-arguments':
      return `Message ${warning.message} calls ${short(warning.tool)} with arguments that are no JSON object; they are kept as text.`;
    case 'several-calls-answered':
      return `Message ${warning.message} answers ${warning.count} tool calls at once; its text is kept with the first.`;
    case 'repeated-call-ids':
      return `Tool calls have an id that an earlier call has, so they got new ones (message ${warning.messages.join(', ')}).`;
    case 'late-system-message':
      return `Message ${warning.message} is a system message in the middle of the conversation; it is kept in its place.`;
    case 'left-out-fields':
      return `Fields that are no part of a conversation were left out: ${warning.fields.slice(0, 8).map(short).join(', ')}.`;
  }
}

function place({ conversation, message }: ImportPlace): string {
  return conversation === null
    ? `Message ${message}`
    : `Message ${message} of conversation ${short(conversation)}`;
}

/** What comes from a file, cut to a length for a sentence. */
export function short(text: string): string {
  const line = text.replace(/\s+/gu, ' ');
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

/** Without a fraction where there is none. */
export function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '');
}
