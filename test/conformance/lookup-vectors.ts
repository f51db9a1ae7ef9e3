// The look-up scenarios (d) as they stand in their file.
import type { Message } from '../../src/core/message.js';

export interface VectorMessage {
  readonly type: string;
  readonly content?: unknown;
  readonly id?: string | null;
  readonly name?: string | null;
  readonly additional_kwargs?: Readonly<Record<string, unknown>>;
  readonly tool_calls?: readonly { readonly name: string; readonly args: unknown; readonly id: string }[];
  readonly tool_call_id?: string | null;
}

export interface LookupStep {
  readonly op: string;
  readonly user: string;
  readonly thread: string | null;
  readonly task_history?: unknown;
  readonly messages?: readonly VectorMessage[];
  readonly active_messages?: readonly VectorMessage[];
  readonly config?: {
    readonly max_batches: number;
    readonly max_records_per_batch: number;
    readonly max_record_chars: number;
  };
  readonly args?: Readonly<Record<string, unknown>>;
  readonly task_notes?: unknown;
  readonly tool_call_id?: string;
  readonly expected?: unknown;
}

export interface LookupScenario {
  readonly name: string;
  readonly steps: readonly LookupStep[];
}

/** Vectors leave out what is null or empty, and write long texts as `{"$repeat": [text, times], "$then": text}`. */
export function aMessage(given: VectorMessage): Message {
  return {
    type: given.type,
    content: expanded(given.content ?? null),
    id: given.id ?? null,
    name: given.name ?? null,
    additional_kwargs: given.additional_kwargs ?? {},
    tool_calls: given.tool_calls ?? [],
    tool_call_id: given.tool_call_id ?? null,
  };
}

function expanded(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || !('$repeat' in content)) return content;
  const { $repeat, $then = '' } = content as { $repeat: [string, number]; $then?: string };
  return $repeat[0].repeat($repeat[1]) + $then;
}

/** A database that the reference wrote (g), and what it answers from it. */
export interface DatabaseScenario extends LookupScenario {
  /** Its path; the file's own name counts. */
  readonly file: string;
  readonly scope_input: readonly [user: string, thread: string];
}
