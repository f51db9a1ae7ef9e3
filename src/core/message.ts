// The neutral message that every rule of the core speaks of, and the source record made from it.

/** A tool call as a model made it. `args` keeps the order in which the model wrote its keys. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly id: string | null;
}

/**
 * A conversation message without a framework. Adapters make it from their own message classes; it is plain
 * data and survives a structured clone.
 */
export interface Message {
  /** `human`, `ai`, `tool`, `system`; anything else is carried but never archived. */
  readonly type: string;
  /** Text, or a list of bare strings and typed blocks, as the framework had it. */
  readonly content: unknown;
  readonly id: string | null;
  readonly name: string | null;
  readonly additional_kwargs: Readonly<Record<string, unknown>>;
  readonly tool_calls: readonly ToolCall[];
  /** The call that a tool message answers; null elsewhere. */
  readonly tool_call_id: string | null;
}

export type Role = 'human' | 'ai' | 'tool';

/** `r` and 32 lower-case hex digits: the first 128 bits of the digest of identity and full text. */
export type SourceId = string & { readonly __brand: 'SourceId' };
/** 64 lower-case hex digits: the digest of the scope and the batch's complete records. */
export type BatchId = string & { readonly __brand: 'BatchId' };

/** What is archived and searched of one message. The key order is the stored payload's. */
export interface SourceRecord {
  readonly role: Role;
  readonly message_id: string | null;
  readonly name: string | null;
  /** The first `maxChars` characters of the visible text. */
  readonly text: string;
  readonly id: SourceId;
  /** True when the full text is longer than the cap. The id is made from the full text all the same. */
  readonly truncated: boolean;
}
