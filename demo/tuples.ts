// What a stored checkpoint holds of a conversation, as far as the page looks into it.
import { type BaseMessage, isBaseMessage } from '@langchain/core/messages';
import type { CheckpointTuple } from '@langchain/langgraph-checkpoint';

export function messagesOf({ checkpoint }: CheckpointTuple): readonly BaseMessage[] {
  const value: unknown = checkpoint.channel_values['messages'];
  return Array.isArray(value) ? value.filter(isBaseMessage) : [];
}

/** The checkpoint that it grew out of; null for the first. */
export function parentOf({ parentConfig }: CheckpointTuple): string | null {
  const id: unknown = parentConfig?.configurable?.['checkpoint_id'];
  return typeof id === 'string' ? id : null;
}
