// Makes a list of messages one that strict providers accept: every call answered, every answer called for.
import type { Message } from './message.js';

/** One place of the repaired list: a message as it was, or an answer that says there is none. */
export type RepairStep =
  | { readonly kind: 'keep'; readonly index: number }
  | { readonly kind: 'no-result'; readonly callId: string; readonly name: string };

/**
 * The steps that make a list valid; null when it is valid as it stands.
 *
 * A call's results come right after it, in the order in which they stand; one that stands further down moves up. A
 * call without a result gets one that says so, a result without a call goes, and so does a second one. An id that is
 * used again in a later message belongs to the later call from there on. For requests only, never for the state.
 */
export function repairPlan(messages: readonly Message[]): readonly RepairStep[] | null {
  if (isPaired(messages)) return null;
  const results = resultsByCall(messages);
  const steps: RepairStep[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.type === 'tool') continue;
    steps.push({ kind: 'keep', index });
    const ids = callIds(message);
    const found = [...ids].map((id) => results.get(keyOf(index, id))).filter((at) => at !== undefined);
    for (const at of found.sort((one, other) => one - other)) steps.push({ kind: 'keep', index: at });
    for (const { id, name } of message.tool_calls) {
      if (id === null || !ids.delete(id) || results.has(keyOf(index, id))) continue;
      steps.push({ kind: 'no-result', callId: id, name });
    }
  }
  return steps;
}

/** Whether each call's results follow it directly, in any order, one each, and no other results are there. */
function isPaired(messages: readonly Message[]): boolean {
  let open: Set<string> = NO_IDS;
  for (const message of messages) {
    if (message.type === 'tool') {
      if (message.tool_call_id === null || !open.delete(message.tool_call_id)) return false;
      continue;
    }
    if (open.size > 0) return false;
    open = message.tool_calls.length === 0 ? NO_IDS : callIds(message);
  }
  return open.size === 0;
}

const NO_IDS = new Set<string>();

/** Ids that results can name; one that stands twice is one call. */
function callIds({ type, tool_calls: calls }: Message): Set<string> {
  const ids = new Set<string>();
  for (const { id } of type === 'ai' ? calls : []) {
    if (id !== null) ids.add(id);
  }
  return ids;
}

/** The first result after each call and before its id is used again, by the call's place and id. */
function resultsByCall(messages: readonly Message[]): ReadonlyMap<string, number> {
  const openAt = new Map<string, number>();
  const results = new Map<string, number>();
  for (const [index, message] of messages.entries()) {
    for (const id of callIds(message)) openAt.set(id, index);
    const call = message.type === 'tool' ? message.tool_call_id : null;
    const at = call === null ? undefined : openAt.get(call);
    if (call !== null && at !== undefined && !results.has(keyOf(at, call)))
      results.set(keyOf(at, call), index);
  }
  return results;
}

const keyOf = (index: number, id: string): string => `${index} ${id}`;
