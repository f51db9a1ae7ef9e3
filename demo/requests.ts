// What the model was sent: the last calls of this page, kept as they left, and drawn up as text when somebody asks.
import type { BaseMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { type RequestParts, type SentRequest, watchRequests } from 'threadkeep/langchain';
import { visibleText } from './shown.js';
import { words } from './words/index.js';

/** Calls that are kept; an older one goes with each new one. */
export const MOST_REQUESTS = 8;

export type Part = keyof RequestParts;
/** Parts of a request, in the order in which they are sent. */
export const PARTS: readonly Part[] = ['system', 'tools', 'notes', 'summary', 'messages'];

export interface KeptRequest extends SentRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A piece of a request, under the name of who says it. */
export interface SentPiece {
  readonly title: string;
  readonly text: string;
}

/** Middleware that tells of each request before it leaves; the last of an agent's. */
export function watchSent(listener: (request: KeptRequest) => void) {
  return watchRequests((request) => listener({ ...request, at: Date.now() }));
}

/** The kept requests with one more, the newest first. */
export function withRequest(kept: readonly KeptRequest[], request: KeptRequest): readonly KeptRequest[] {
  return [request, ...kept].slice(0, MOST_REQUESTS);
}

/** Everything that a request held, by part. */
export function piecesOf({ content }: KeptRequest): Readonly<Record<Part, readonly SentPiece[]>> {
  return {
    system: content.system.map(pieceOf),
    tools: content.tools.map(toolPiece),
    notes: content.notes.map(pieceOf),
    summary: content.summary.map(pieceOf),
    messages: content.messages.map(pieceOf),
  };
}

function pieceOf(message: BaseMessage): SentPiece {
  const { content } = message;
  const isText =
    typeof content === 'string' ||
    content.every((block: unknown) => typeof block === 'string' || typeOf(block) === 'text');
  const calls: unknown = Reflect.get(message, 'tool_calls');
  const hasCalls = Array.isArray(calls) && calls.length > 0;
  const answers: unknown = Reflect.get(message, 'tool_call_id');
  return {
    title: [words.sentBy(message.type), typeof answers === 'string' && `${message.name ?? ''} ${answers}`]
      .filter(Boolean)
      .join(' · '),
    text: [
      isText ? visibleText(content) : JSON.stringify(content, null, 2),
      hasCalls ? `${words.sentCalls} ${JSON.stringify(calls, null, 2)}` : '',
    ]
      .filter((text) => text !== '')
      .join('\n'),
  };
}

function toolPiece(tool: unknown): SentPiece {
  const { function: sent } = convertToOpenAITool(tool as Parameters<typeof convertToOpenAITool>[0]);
  return { title: sent.name, text: JSON.stringify(sent, null, 2) };
}

function typeOf(block: unknown): unknown {
  return typeof block === 'object' && block !== null ? Reflect.get(block, 'type') : undefined;
}
