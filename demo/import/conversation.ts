// A recorded conversation as the importer hands it on: neutral, checked, nothing of a framework in it.

/** A part of a message that is no text, such as an image, exactly as the file had it. */
export interface ImportedBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Text, or blocks in the file's order. Never null: a message without content has the empty text. */
export type ImportedContent = string | readonly ImportedBlock[];

export interface ImportedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments; when the file's text is no JSON object, that text stands under `INVALID_ARGUMENTS`. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** Where the text of arguments stands that could not be read as a JSON object. */
export const INVALID_ARGUMENTS = 'invalid_json';

export type ImportedMessage =
  | { readonly role: 'system' | 'user'; readonly content: ImportedContent; readonly name: string | null }
  | {
      readonly role: 'assistant';
      readonly content: ImportedContent;
      readonly name: string | null;
      readonly calls: readonly ImportedCall[];
    }
  | {
      readonly role: 'tool';
      readonly content: ImportedContent;
      readonly name: string | null;
      /** The call that this answers. */
      readonly callId: string;
    };

export interface ImportedConversation {
  readonly title: string;
  readonly messages: readonly ImportedMessage[];
  /** What was understood otherwise than written; nothing of it stands in the way of opening the conversation. */
  readonly warnings: readonly ImportWarning[];
}

/** `message` counts from 1, as people do. */
export type ImportWarning =
  | { readonly kind: 'result-without-call'; readonly message: number; readonly callId: string | null }
  | { readonly kind: 'call-without-result'; readonly message: number; readonly tool: string }
  | { readonly kind: 'invalid-arguments'; readonly message: number; readonly tool: string }
  | { readonly kind: 'several-calls-answered'; readonly message: number; readonly count: number }
  | { readonly kind: 'repeated-call-ids'; readonly messages: readonly number[] }
  | { readonly kind: 'late-system-message'; readonly message: number }
  | { readonly kind: 'left-out-fields'; readonly fields: readonly string[] };

/** Where in a file something is wrong: the conversation when there are several, and the message, both from 1. */
export interface ImportPlace {
  readonly conversation: string | null;
  readonly message: number;
}

/** Why a file was not opened. Nothing of it was kept. */
export type ImportProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-large'; readonly bytes: number; readonly limitBytes: number }
  | { readonly kind: 'unreadable'; readonly detail: string }
  | { readonly kind: 'not-text' }
  | { readonly kind: 'not-json'; readonly line: number; readonly column: number }
  | { readonly kind: 'no-conversation'; readonly found: string }
  | { readonly kind: 'no-messages'; readonly conversation: string | null }
  | { readonly kind: 'not-a-message'; readonly at: ImportPlace; readonly found: string }
  | { readonly kind: 'no-role'; readonly at: ImportPlace; readonly found: string }
  | { readonly kind: 'unknown-role'; readonly at: ImportPlace; readonly role: string }
  | {
      readonly kind: 'wrong-content';
      readonly at: ImportPlace;
      readonly role: string;
      readonly found: string;
    }
  | { readonly kind: 'wrong-call'; readonly at: ImportPlace; readonly found: string };

/** All conversations of a file, at least one, or why there are none. Never a part of a file. */
export type ImportOutcome =
  | { readonly ok: true; readonly conversations: readonly ImportedConversation[] }
  | { readonly ok: false; readonly problem: ImportProblem };
