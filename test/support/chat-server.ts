// A local server that speaks the OpenAI chat protocol and misbehaves on demand: streams, calls tools, fails, hangs, cuts.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatRequest {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
}

export interface ChatServer {
  /** Up to and including the version. */
  readonly baseUrl: string;
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

/**
 * Starts the server on a free port. The user's last words decide: `FAIL` answers 500, `LOCKED` 401, `HANG` nothing
 * at all, `CUT` breaks off after the first words; `SEARCH x` calls `history_search` for x and then repeats its
 * result; anything else is answered with "You wrote: …". Without `allowsPages` a browser keeps every answer from its page.
 */
export async function startChatServer({ allowsPages = true } = {}): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const server = createServer((request, response) => {
    if (allowsPages) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*, authorization');
    }
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else void answer(request, response, requests);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
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
): Promise<void> {
  let text = '';
  for await (const piece of request) text += String(piece);
  const body: ChatRequest['body'] = JSON.parse(text);
  requests.push({ authorization: request.headers.authorization, body });
  const asked = String(body.messages.findLast(({ role }) => role === 'user')?.content ?? '');
  if (asked.includes('HANG')) return;
  if (asked.includes('FAIL')) return refuse(response, 500, 'The model fell over.');
  if (asked.includes('LOCKED')) return refuse(response, 401, 'Incorrect API key provided.');
  const last = body.messages.at(-1);
  const query = /SEARCH (.+)/u.exec(asked)?.[1];
  const searches = query !== undefined && last?.role === 'user' && (body.tools ?? []).length > 0;
  const said = last?.role === 'tool' ? `The tool says: ${String(last.content)}` : `You wrote: ${asked}`;
  const call = { name: 'history_search', arguments: JSON.stringify({ query }) };
  const toolCall = { index: 0, id: 'call_1', type: 'function', function: call };
  const message = searches ? { content: '', tool_calls: [toolCall] } : { content: said };
  if (body.stream !== true) return whole(response, message);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const sent = head();
  sendDelta(response, sent, { role: 'assistant', content: '' });
  if (searches) {
    sendDelta(response, sent, message);
    return finish(response, sent, 'tool_calls');
  }
  for (const word of said.match(/\S+\s*/gu) ?? []) {
    sendDelta(response, sent, { content: word });
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (asked.includes('CUT')) {
      response.destroy();
      return;
    }
  }
  finish(response, sent, 'stop');
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
