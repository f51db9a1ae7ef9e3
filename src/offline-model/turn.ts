// Reads a request: what the user said last, which look-ups followed, and what else is in sight.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

export const HISTORY_TOOLS = ['history_search', 'history_read', 'task_note'] as const;
export type HistoryTool = (typeof HISTORY_TOOLS)[number];

/** A look-up that the model asked for since the user's last message, with what came back. */
export interface Step {
  readonly tool: HistoryTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly answer: string;
}

/** Something in sight that can be quoted. */
export interface Visible {
  readonly role: 'human' | 'ai' | 'tool' | 'summary' | 'notes';
  readonly name: string | null;
  readonly text: string;
}

export interface Turn {
  /** The user's last message; null when the request holds none. */
  readonly asked: string | null;
  readonly askedId: string | null;
  readonly steps: readonly Step[];
  /** All but the user's last message and the look-ups of this turn, in order. */
  readonly visible: readonly Visible[];
}

/** What stands in a request. Messages that the page never shows count as context, never as the user's words. */
export function turnOf(messages: readonly BaseMessage[]): Turn {
  const at = messages.findLastIndex((message) => HumanMessage.isInstance(message) && !isInjected(message));
  const asked = messages[at];
  const calls = historyCalls(messages);
  const visible = messages.filter((_, index) => index !== at).map((message) => visibleOf(message, calls));
  return {
    asked: asked === undefined ? null : asked.text,
    askedId: asked?.id ?? null,
    steps: stepsOf(messages.slice(at + 1), calls),
    visible: visible.filter((entry) => entry !== null),
  };
}

interface Call {
  readonly tool: HistoryTool;
  readonly args: Readonly<Record<string, unknown>>;
}

function historyCalls(messages: readonly BaseMessage[]): ReadonlyMap<string, Call> {
  const calls = new Map<string, Call>();
  for (const message of messages) {
    if (!AIMessage.isInstance(message)) continue;
    for (const { id, name, args } of message.tool_calls ?? []) {
      if (id !== undefined && isHistoryTool(name)) calls.set(id, { tool: name, args });
    }
  }
  return calls;
}

function stepsOf(messages: readonly BaseMessage[], calls: ReadonlyMap<string, Call>): Step[] {
  const steps: Step[] = [];
  for (const message of messages) {
    if (!ToolMessage.isInstance(message)) continue;
    const call = calls.get(message.tool_call_id);
    if (call !== undefined) steps.push({ ...call, answer: message.text });
  }
  return steps;
}

function visibleOf(message: BaseMessage, calls: ReadonlyMap<string, Call>): Visible | null {
  const { text } = message;
  const name = message.name ?? null;
  if (HumanMessage.isInstance(message)) {
    if (!isInjected(message)) return { role: 'human', name, text };
    return { role: name === 'summary' ? 'summary' : 'notes', name: null, text: unescaped(text) };
  }
  // What the look-ups answered is quoted from their own messages, never a second time from here.
  if (ToolMessage.isInstance(message))
    return calls.has(message.tool_call_id) ? null : { role: 'tool', name, text };
  return AIMessage.isInstance(message) && text !== '' ? { role: 'ai', name, text } : null;
}

function isInjected(message: BaseMessage): boolean {
  return message.name === 'summary' || Boolean(message.additional_kwargs['hide_from_ui']);
}

/** The durable context is escaped when it is written. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function isHistoryTool(name: string): name is HistoryTool {
  return HISTORY_TOOLS.some((tool) => tool === name);
}
