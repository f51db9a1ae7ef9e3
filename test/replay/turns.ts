// Cuts a recording into what an agent is given and what its model answers.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

export interface RecordedTurn {
  /** What the run begins with: one message of the user's among it, except where a recording ends without. */
  readonly input: readonly BaseMessage[];
  /** What the model says in this run, one a call; empty where the recording has no answer. */
  readonly answers: readonly AIMessage[];
}

/** The turns of a recording, and what its tools said, by call. */
export interface Recording {
  readonly turns: readonly RecordedTurn[];
  readonly resultByCall: ReadonlyMap<string, string>;
  readonly toolNames: readonly string[];
}

/** A run ends with an answer that calls nothing; what is said after it and before the user is given to the next. */
export function recordingOf(messages: readonly BaseMessage[]): Recording {
  const resultByCall = new Map<string, string>();
  const toolNames = new Set<string>();
  const turns: RecordedTurn[] = [];
  let input: BaseMessage[] = [];
  let answers: AIMessage[] | null = null;
  const finish = (): void => {
    if (answers !== null) turns.push({ input, answers });
    if (answers !== null) input = [];
    answers = null;
  };
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) {
      resultByCall.set(message.tool_call_id, message.text);
    } else if (AIMessage.isInstance(message)) {
      for (const { name } of message.tool_calls ?? []) toolNames.add(name);
      if (answers === null && HumanMessage.isInstance(input.at(-1))) answers = [];
      if (answers === null) input.push(message);
      else {
        answers.push(message);
        if ((message.tool_calls ?? []).length === 0) finish();
      }
    } else {
      finish();
      if (HumanMessage.isInstance(message) && input.some((one) => HumanMessage.isInstance(one))) {
        turns.push({ input, answers: [] });
        input = [];
      }
      input.push(message);
    }
  }
  finish();
  if (input.length > 0) turns.push({ input, answers: [] });
  return { turns, resultByCall, toolNames: [...toolNames] };
}
