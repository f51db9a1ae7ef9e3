// Gives every call an id of its own and every result the call that it answers.
import type { ImportedCall, ImportedMessage, ImportWarning } from './conversation.js';
import type { RawMessage } from './message.js';

/** The messages with all ids settled, and what had to be guessed. */
export function linkCalls(raw: readonly RawMessage[]): {
  messages: readonly ImportedMessage[];
  warnings: readonly ImportWarning[];
} {
  const messages: ImportedMessage[] = [];
  const warnings: ImportWarning[] = [];
  const used = new Set<string>();
  const renamed = new Set<number>();
  /** Calls without a result yet, those of the latest message first: the id in the file, and ours. */
  let open: { written: string | null; id: string; name: string }[] = [];
  const answer = (written: string | null, name: string | null): string | null => {
    const found =
      open.find((call) => written !== null && call.written === written) ??
      (written === null ? (open.find((call) => call.name === name) ?? open[0]) : undefined);
    open = open.filter((call) => call !== found);
    return found?.id ?? null;
  };

  for (const [index, message] of raw.entries()) {
    const position = index + 1;
    const { role, content, name } = message;
    if (role === 'assistant') {
      const calls: ImportedCall[] = [];
      const opened: typeof open = [];
      for (const [order, call] of message.calls.entries()) {
        const id = unused(call.id ?? `call-${position}-${order + 1}`, used);
        used.add(id);
        if (call.id !== null && call.id !== id) renamed.add(position);
        if (!call.isValid) warnings.push({ kind: 'invalid-arguments', message: position, tool: call.name });
        opened.push({ written: call.id, id, name: call.name });
        calls.push({ id, name: call.name, args: call.args });
      }
      open = [...opened, ...open];
      messages.push({ role, content, name, calls });
    } else if (role === 'tool') {
      const [first = null, ...others] = message.callIds;
      const id = answer(first, name);
      if (id === null) warnings.push({ kind: 'result-without-call', message: position, callId: first });
      messages.push({ role, content, name, callId: id ?? first ?? unused(`result-${position}`, used) });
      if (others.length > 0) {
        warnings.push({ kind: 'several-calls-answered', message: position, count: others.length + 1 });
        for (const other of others) {
          const otherId = answer(other, null);
          // The text stands once, with the first call; the others have their result, which says nothing more.
          if (otherId !== null) messages.push({ role, content: '', name, callId: otherId });
        }
      }
    } else messages.push({ role, content, name });
  }
  if (renamed.size > 0) warnings.push({ kind: 'repeated-call-ids', messages: [...renamed] });
  return { messages, warnings };
}

function unused(id: string, used: ReadonlySet<string>): string {
  if (!used.has(id)) return id;
  let count = 2;
  while (used.has(`${id}-${count}`)) count += 1;
  return `${id}-${count}`;
}
