// Gives every call an id of its own and every result the call that it answers.
import type { ImportedCall, ImportedMessage, ImportWarning } from './conversation.js';
import type { RawCall, RawMessage } from './message.js';

/** The messages with all ids settled, and what had to be guessed. */
export function linkCalls(raw: readonly RawMessage[]): {
  messages: readonly ImportedMessage[];
  warnings: readonly ImportWarning[];
} {
  const messages: ImportedMessage[] = [];
  const warnings: ImportWarning[] = [];
  const book = callBook();
  for (const [index, { role, content, name, calls, callIds }] of raw.entries()) {
    const position = index + 1;
    if (role === 'assistant') {
      for (const { name: tool } of calls.filter(({ isValid }) => !isValid)) {
        warnings.push({ kind: 'invalid-arguments', message: position, tool });
      }
      messages.push({ role, content, name, calls: book.make(calls, position) });
    } else if (role === 'tool') {
      const [first = null, ...others] = callIds;
      const callId = book.answer(first, name);
      if (callId === null) warnings.push({ kind: 'result-without-call', message: position, callId: first });
      messages.push({ role, content, name, callId: callId ?? book.newId(first ?? `result-${position}`) });
      if (others.length > 0) {
        warnings.push({ kind: 'several-calls-answered', message: position, count: callIds.length });
      }
      // The text stands once, with the first call; the others have their result, which says nothing more.
      for (const other of others) {
        const otherId = book.answer(other, null);
        if (otherId !== null) messages.push({ role, content: '', name, callId: otherId });
      }
    } else messages.push({ role, content, name });
  }
  return { messages, warnings: [...warnings, ...book.warnings()] };
}

interface OpenCall {
  /** The id in the file; null when it has none. */
  readonly written: string | null;
  readonly id: string;
  readonly tool: string;
  readonly message: number;
}

/** Which ids are taken, and which calls wait for their results. */
function callBook() {
  const used = new Set<string>();
  const renamed = new Set<number>();
  /** Those of the latest message first: a file that uses an id twice means the nearer one. */
  let open: readonly OpenCall[] = [];

  function newId(wanted: string): string {
    let id = wanted;
    for (let count = 2; used.has(id); count += 1) id = `${wanted}-${count}`;
    used.add(id);
    return id;
  }

  return {
    newId,
    make(calls: readonly RawCall[], message: number): readonly ImportedCall[] {
      const made = calls.map(({ id: written, name, args }, order) => {
        const id = newId(written ?? `call-${message}-${order + 1}`);
        if (written !== null && written !== id) renamed.add(message);
        return { written, id, name, args };
      });
      open = [...made.map(({ written, id, name }) => ({ written, id, tool: name, message })), ...open];
      return made.map(({ id, name, args }) => ({ id, name, args }));
    },
    /** The call that a result answers; one that names none answers a call of its tool, else any. */
    answer(written: string | null, tool: string | null): string | null {
      const found =
        written === null
          ? (open.find((call) => call.tool === tool) ?? open[0])
          : open.find((call) => call.written === written);
      open = open.filter((call) => call !== found);
      return found?.id ?? null;
    },
    warnings(): readonly ImportWarning[] {
      const unanswered = open.map(({ message, tool }) => ({
        kind: 'call-without-result' as const,
        message,
        tool,
      }));
      const messages = [...renamed];
      return messages.length === 0 ? unanswered : [...unanswered, { kind: 'repeated-call-ids', messages }];
    },
  };
}
