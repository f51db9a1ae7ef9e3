// Makes a list of messages one that strict providers accept: every call answered, every answer called for.
import type { Message } from './message.js';

/** One place of the repaired list: a message as it was, or an answer that says there is none. */
export type RepairStep =
  | { readonly kind: 'keep'; readonly index: number }
  | { readonly kind: 'no-result'; readonly callId: string; readonly name: string };

/**
 * The steps that make a list valid; null when it is valid as it stands.
 *
 * Each call's results come right after it, in the calls' order; a result that stands further down moves up. A call
 * without a result gets one that says so, a result without a call goes. For requests only, never for the state.
 */
export function repairPlan(messages: readonly Message[]): readonly RepairStep[] | null {
  const resultsById = new Map<string, number[]>();
  for (const [index, { type, tool_call_id: id }] of messages.entries()) {
    if (type === 'tool' && id !== null) resultsById.set(id, [...(resultsById.get(id) ?? []), index]);
  }
  const steps: RepairStep[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.type === 'tool') continue;
    steps.push({ kind: 'keep', index });
    for (const { id, name } of message.tool_calls) {
      if (id === null) continue;
      const waiting = resultsById.get(id) ?? [];
      const result = waiting.find((at) => at > index);
      // A later result of the same id belongs to this call only if no later call has the id: first come, first served.
      resultsById.set(id, result === undefined ? waiting : waiting.filter((at) => at > result));
      steps.push(
        result === undefined ? { kind: 'no-result', callId: id, name } : { kind: 'keep', index: result },
      );
    }
  }
  const isSame =
    steps.length === messages.length && steps.every((step, at) => step.kind === 'keep' && step.index === at);
  return isSame ? null : steps;
}
