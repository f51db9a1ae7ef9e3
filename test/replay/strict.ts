// What a strict provider would refuse in a request.
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';

/** What is wrong with a request, in words; empty when every provider takes it. */
export function faultsOf(request: readonly BaseMessage[]): readonly string[] {
  const faults: string[] = [];
  const first = request.find(({ type }) => type !== 'system');
  if (first?.type !== 'human')
    faults.push(`the first message is ${first?.type ?? 'missing'}, not the user's`);
  let open = new Set<string>();
  const close = (): void => {
    for (const id of open) faults.push(`call ${id} has no result`);
    open = new Set();
  };
  for (const message of request) {
    if (ToolMessage.isInstance(message)) {
      const { tool_call_id: id } = message;
      if (!open.delete(id)) faults.push(`a result answers ${id}, which nothing before it calls`);
      continue;
    }
    close();
    for (const { id } of AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []) {
      if (id === undefined || open.has(id)) faults.push(`a call has ${id ?? 'no id'}, not one of its own`);
      else open.add(id);
    }
  }
  close();
  const said = request.map((message) => [
    message.content,
    AIMessage.isInstance(message) ? message.tool_calls : null,
  ]);
  if (hasLoneSurrogate(said)) faults.push('half a character stands alone');
  return faults;
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, part]) => hasLoneSurrogate(key) || hasLoneSurrogate(part));
}
