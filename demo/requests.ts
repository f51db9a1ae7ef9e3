// What the model was sent: the last calls of this page, kept as they left, and drawn up as text when somebody asks.
import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { createMiddleware } from 'langchain';
import { type RequestParts, type SentRequest, watchRequests } from 'threadkeep/langchain';
import { visibleText } from './shown.js';
import { words } from './words.js';

/** Calls that are kept; an older one goes with each new one. */
export const MOST_REQUESTS = 8;

export type Part = keyof RequestParts;
/** Parts of a request, in the order in which they are sent. */
export const PARTS: readonly Part[] = ['system', 'tools', 'notes', 'summary', 'messages'];

export interface KeptRequest extends SentRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly system: SystemMessage | undefined;
  readonly tools: readonly unknown[];
}

/** A piece of a request, under the name of who says it. */
export interface SentPiece {
  readonly title: string;
  readonly text: string;
}

/** Middleware that tells of each request before it leaves; the last of an agent's. */
export function watchSent(listener: (request: KeptRequest) => void) {
  let system: SystemMessage | undefined;
  let tools: readonly unknown[] = [];
  return [
    // The prompt and the tools stand beside the messages of a request.
    createMiddleware({
      name: 'page:prompt',
      wrapModelCall: (request, handler) => {
        system = request.systemMessage;
        tools = request.tools;
        return handler(request);
      },
    }),
    watchRequests((request) => listener({ ...request, at: Date.now(), system, tools })),
  ] as const;
}

/** The kept requests with one more, the newest first. */
export function withRequest(kept: readonly KeptRequest[], request: KeptRequest): readonly KeptRequest[] {
  return [request, ...kept].slice(0, MOST_REQUESTS);
}

/** Everything that a request held, by part. */
export function piecesOf({ system, tools, messages }: KeptRequest): Readonly<Record<Part, SentPiece[]>> {
  const pieces: Record<Part, SentPiece[]> = { system: [], tools: [], notes: [], summary: [], messages: [] };
  if (system !== undefined && system.text !== '') pieces.system.push(pieceOf(system));
  for (const tool of tools) pieces.tools.push(toolPiece(tool));
  for (const message of messages) pieces[partOf(message)].push(pieceOf(message));
  return pieces;
}

/** As `RequestParts` counts them. */
function partOf(message: BaseMessage): Part {
  if (SystemMessage.isInstance(message)) return 'system';
  if (message.additional_kwargs['durable_context_data'] === true) return 'notes';
  const isHidden = message.additional_kwargs['hide_from_ui'] === true;
  return isHidden && message.name === 'summary' ? 'summary' : 'messages';
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
