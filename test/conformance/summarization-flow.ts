// Compares one call of the transient flow with all that a vector says of it.
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type MessageContent,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { expect } from 'vitest';
import type { Message } from '../../src/core/message.js';
import { repairPlan } from '../../src/core/repair.js';
import type { ThreadkeepEvent } from '../../src/events.js';
import { toMessages } from '../../src/langchain/messages.js';
import { referenceCount } from './summarization-vectors.js';

export function langchainForm({
  type,
  content,
  id,
  tool_calls,
  tool_call_id,
  ...rest
}: Message): BaseMessage {
  const fields = { ...rest, content: content as MessageContent, ...(id === null ? {} : { id }) };
  const named = rest.name === null ? { ...fields, name: undefined } : fields;
  if (type === 'human') return new HumanMessage(named as never);
  if (type === 'system') return new SystemMessage(named as never);
  if (type === 'tool') return new ToolMessage({ ...named, tool_call_id } as never);
  return new AIMessage({ ...named, tool_calls } as never);
}

/** What a call was given, and what came of it. */
export interface Seen {
  readonly messages: readonly BaseMessage[];
  readonly request: readonly BaseMessage[];
  readonly summary: string | undefined;
  readonly formerSummary: string | undefined;
  readonly llmCalls: number;
  readonly events: readonly ThreadkeepEvent[];
  readonly stored: Readonly<Record<string, unknown>>;
}

/** Compares what a call decided with all that a vector says of it; a key that is not known here fails. */
export function compareCall(want: Readonly<Record<string, unknown>>, seen: Seen): void {
  const { messages, request, summary, events } = seen;
  const kept = request.filter((message) => message.name !== 'summary');
  const checks: Readonly<Record<string, (value: unknown) => void>> = {
    passthrough: (value) => expect(summary === undefined).toBe(value),
    llm_calls: (value) => expect(seen.llmCalls).toBe(value),
    messages_unchanged: () => expect(ids(request)).toEqual(messages.map(({ id }) => id)),
    // D2: our own keys are written; the messages are those that were given, and the answer.
    state_writes: () =>
      expect(ids(seen.stored['messages']).slice(0, -1)).toEqual(messages.map(({ id }) => id)),
    // Of the events, that of a running summary is the document's.
    events: (value) => expect(events.filter(({ type }) => type === 'context_compacting')).toEqual(value),
    first_message: (value) => {
      const { content_prefix: prefix, ...first } = value as Readonly<Record<string, unknown>>;
      expect(request[0]?.text.startsWith(String(prefix))).toBe(true);
      expect(request[0]).toMatchObject({
        name: first['name'],
        additional_kwargs: first['additional_kwargs'],
      });
      expect(request[0]?.getType()).toBe(first['type']);
    },
    suffix_of_original: () => expect(ids(messages.slice(-kept.length))).toEqual(ids(kept)),
    pairs_intact: () => expect(repairPlan(toMessages(request))).toBeNull(),
    kept_tokens_below: (value) => expect(referenceCount(toMessages(kept))).toBeLessThan(Number(value)),
    kept_messages_below: (value) => expect(kept.length).toBeLessThan(Number(value)),
    same_summary: () => expect(summary).toBe(seen.formerSummary),
    last_message_id: (value) => expect(ids(request).at(-1)).toBe(value),
  };
  for (const [key, value] of Object.entries(want)) {
    const compare = checks[key];
    if (compare === undefined) throw new Error(`A vector says ${key}, which is compared nowhere.`);
    compare(value);
  }
}

const ids = (messages: unknown): unknown[] => (messages as readonly { id: unknown }[]).map(({ id }) => id);
