// A local server that speaks the OpenAI chat protocol and misbehaves on demand: streams, calls tools, fails, hangs, cuts.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly ChatCall[];
}

export interface ChatCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What a model answers: words, or calls of tools; or the server's refusal in its place. */
export type ChatAnswer =
  | string
  | readonly { readonly name: string; readonly args: object }[]
  | { readonly refused: string };

export type ChatModel = (body: ChatRequest['body']) => ChatAnswer;

export interface ChatRequest {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly messages: readonly ChatMessage[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
}

export interface ChatServer {
  /** Up to and including the version. */
  readonly baseUrl: string;
  readonly requests: readonly ChatRequest[];
  /** How many answers have come to a pause. */
  readonly pauses: () => number;
  /** Lets the last of them go on. */
  goOn(): void;
  close(): Promise<void>;
}

/**
 * Starts the server on a free port. The user's last words decide: `FAIL` answers 500, `LOCKED` 401, `HANG` nothing
 * at all, `CUT` breaks off after the first words, `PAUSE` waits there for `goOn`; `SEARCH x` calls `history_search` for x and then repeats its
 * result; anything else is answered with "You wrote: …". Without `allowsPages` a browser keeps every answer from its page.
 * Another `model` says other things, unless it is asked for a trouble.
 */
export async function startChatServer({
  allowsPages = true,
  model = repeats,
}: {
  readonly allowsPages?: boolean;
  readonly model?: ChatModel;
} = {}): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  let pauses = 0;
  let goOn = (): void => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      pauses += 1;
      goOn = resolve;
    });
  const server = createServer((request, response) => {
    if (allowsPages) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*, authorization');
    }
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else void answer(request, response, requests, model, pause);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    pauses: () => pauses,
    goOn: () => goOn(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: ChatRequest[],
  model: ChatModel,
  pause: () => Promise<void>,
): Promise<void> {
  let text = '';
  for await (const piece of request) text += String(piece);
  const body: ChatRequest['body'] = JSON.parse(text);
  requests.push({ authorization: request.headers.authorization, body });
  const asked = askedIn(body);
  if (asked.includes('HANG')) return;
  if (asked.includes('FAIL')) return refuse(response, 500, 'The model fell over.');
  if (asked.includes('LOCKED')) return refuse(response, 401, 'Incorrect API key provided.');
  const said = model(body);
  if (typeof said === 'object' && 'refused' in said) return refuse(response, 401, said.refused);
  const words = typeof said === 'string' ? said : '';
  const calls = typeof said === 'string' ? [] : said.map(toolCall);
  const message = { content: words, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  if (body.stream !== true) return whole(response, message);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const sent = head();
  sendDelta(response, sent, { role: 'assistant', content: '' });
  if (calls.length > 0) {
    sendDelta(response, sent, message);
    return finish(response, sent, 'tool_calls');
  }
  for (const [index, word] of (words.match(/\S+\s*/gu) ?? []).entries()) {
    if (index === 2 && asked.includes('PAUSE')) await pause();
    sendDelta(response, sent, { content: word });
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (asked.includes('CUT')) {
      response.destroy();
      return;
    }
  }
  finish(response, sent, 'stop');
}

const askedIn = ({ messages }: ChatRequest['body']): string =>
  String(messages.findLast(({ role }) => role === 'user')?.content ?? '');

function repeats(body: ChatRequest['body']): ChatAnswer {
  const asked = askedIn(body);
  const last = body.messages.at(-1);
  const query = /SEARCH (.+)/u.exec(asked)?.[1];
  const searches = query !== undefined && last?.role === 'user' && (body.tools ?? []).length > 0;
  if (searches) return [{ name: 'history_search', args: { query } }];
  return last?.role === 'tool' ? `The tool says: ${String(last.content)}` : `You wrote: ${asked}`;
}

let calls = 0;

function toolCall({ name, args }: { readonly name: string; readonly args: object }, index: number): object {
  calls += 1;
  return {
    index,
    id: `call_${calls}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'error' } }));
}

function whole(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' };
  response.end(JSON.stringify({ ...head(), object: 'chat.completion', choices: [choice] }));
}

let answers = 0;

/** With an id of its own for each answer: a message with a known id would replace the former one. */
function head(): { id: string; created: number; model: string } {
  answers += 1;
  return { id: `chat-${answers}`, created: 0, model: 'stub' };
}

function sendDelta(
  response: ServerResponse,
  sent: object,
  delta: object,
  reason: string | null = null,
): void {
  const chunk = {
    ...sent,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function finish(response: ServerResponse, sent: object, reason: string): void {
  sendDelta(response, sent, {}, reason);
  response.end('data: [DONE]\n\n');
}
