// The calls that an agent makes of its saver in one turn, made again for as many turns as wanted.
import { AIMessageChunk, BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { Send } from '@langchain/langgraph';
import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  emptyCheckpoint,
  MemorySaver,
  type PendingWrite,
  uuid6,
} from '@langchain/langgraph-checkpoint';
import type { IndexedDBSaver } from '../src/langchain/checkpoint.js';
import { converse, textOf } from '../test/support/long-conversation.js';

type Call =
  | {
      readonly kind: 'put';
      readonly checkpoint: Checkpoint;
      readonly metadata: CheckpointMetadata;
      readonly channels: readonly string[];
    }
  | { readonly kind: 'writes'; readonly writes: PendingWrite[]; readonly path: string };

/** The turn whose calls are made again, in a conversation of a few more. */
const MODEL_TURN = 8;
const MESSAGES_PER_TURN = 4;

class RecordingSaver extends MemorySaver {
  readonly calls: Call[] = [];

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    versions: ChannelVersions = {},
  ) {
    // A list of the state may grow in place.
    const values = Object.entries(checkpoint.channel_values).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...value] : value,
    ]);
    const copy = { ...checkpoint, channel_values: Object.fromEntries(values) };
    this.calls.push({ kind: 'put', checkpoint: copy, metadata, channels: Object.keys(versions) });
    return super.put(config, checkpoint, metadata);
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string, path = '') {
    const copies = writes.map(([channel, value]): PendingWrite => [channel, withBare(value)]);
    this.calls.push({ kind: 'writes', writes: copies, path });
    return super.putWrites(config, writes, task);
  }
}

/** A message that a task wrote without an id; its channel gives it one, in place. */
class Bare {
  readonly message: BaseMessage;

  constructor(message: BaseMessage) {
    this.message = message;
  }
}

function withBare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBare);
  return BaseMessage.isInstance(value) && value.id === undefined ? new Bare(value) : value;
}

/** Writes a conversation of so many turns as an agent writes them; answers its messages. */
export async function replayConversation(
  saver: IndexedDBSaver,
  thread: string,
  turns: number,
): Promise<readonly BaseMessage[]> {
  const recording = new RecordingSaver();
  const model = await converse(recording, thread, MODEL_TURN + 3);
  const calls = callsOfTurn(recording.calls);
  const indexById = new Map(model.map(({ id }, at) => [id, at]));
  const messages = Array.from({ length: turns * MESSAGES_PER_TURN }, (_, at) => messageAt(at, model));
  let config: RunnableConfig = { configurable: { thread_id: thread, checkpoint_ns: '' } };
  const versions: Record<string, number | string> = {};
  config = await saver.put(
    config,
    { ...emptyCheckpoint(), id: uuid6(0) },
    { source: 'input', step: -1, parents: {} },
    {},
  );

  for (let turn = 0; turn < turns; turn += 1) {
    const shift = (turn - MODEL_TURN) * MESSAGES_PER_TURN;
    /** The value as it is in this turn. */
    const moved = (value: unknown): unknown => {
      if (value instanceof Bare) return withoutId(moved(value.message));
      if (BaseMessage.isInstance(value)) return messages[(indexById.get(value.id) ?? 0) + shift] ?? value;
      if (value instanceof Send) return new Send(value.node, moved(value.args));
      if (Array.isArray(value)) {
        const isWhole = value.length >= MODEL_TURN * MESSAGES_PER_TURN && BaseMessage.isInstance(value[0]);
        return isWhole ? messages.slice(0, value.length + shift) : value.map(moved);
      }
      if (typeof value !== 'object' || value === null) return value;
      if (Object.getPrototypeOf(value) !== Object.prototype) return value;
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, moved(part)]));
    };
    for (const call of calls) {
      if (call.kind === 'writes') {
        const writes = call.writes.map(([channel, value]): PendingWrite => [channel, moved(value)]);
        await saver.putWrites(config, writes, crypto.randomUUID(), call.path);
        continue;
      }
      const { checkpoint, metadata, channels } = call;
      for (const channel of Object.keys(checkpoint.channel_versions)) {
        if (channels.includes(channel) || !(channel in versions)) {
          versions[channel] = saver.getNextVersion(versions[channel]);
        }
      }
      const seen = Object.entries(checkpoint.versions_seen).map(([node, ofNode]) => [
        node,
        Object.fromEntries(
          Object.keys(ofNode).map((channel) => [channel, versions[channel] ?? ofNode[channel]]),
        ),
      ]);
      const put: Checkpoint = {
        ...checkpoint,
        id: uuid6(0),
        channel_values: moved(checkpoint.channel_values) as Record<string, unknown>,
        channel_versions: { ...versions } as Checkpoint['channel_versions'],
        versions_seen: Object.fromEntries(seen),
      };
      const news = Object.fromEntries(channels.map((channel) => [channel, versions[channel] ?? 1]));
      config = await saver.put(config, put, metadata, news);
    }
  }
  return messages;
}

function withoutId(message: unknown): unknown {
  if (ToolMessage.isInstance(message)) return toolMessage(undefined, message.text, message.tool_call_id);
  return HumanMessage.isInstance(message) ? new HumanMessage(message.text) : message;
}

/** The calls from the put after the last of the turn before to the last of the turn itself. */
function callsOfTurn(calls: readonly Call[]): readonly Call[] {
  const end = (turn: number): number =>
    calls.findLastIndex((call) => {
      const messages: unknown = call.kind === 'put' && call.checkpoint.channel_values['messages'];
      return Array.isArray(messages) && messages.length <= (turn + 1) * MESSAGES_PER_TURN;
    });
  return calls.slice(end(MODEL_TURN - 1) + 1, end(MODEL_TURN) + 1);
}

function toolMessage(id: string | undefined, content: string, call: string): ToolMessage {
  return new ToolMessage({ ...(id === undefined ? {} : { id }), content, tool_call_id: call, name: 'look' });
}

function messageAt(at: number, model: readonly BaseMessage[]): BaseMessage {
  const turn = Math.floor(at / MESSAGES_PER_TURN);
  const place = at % MESSAGES_PER_TURN;
  const like = model[MODEL_TURN * MESSAGES_PER_TURN + place];
  const id = `${like?.id ?? 'm'}-${at}`;
  const call = `call-${turn}`;
  if (place === 0) return new HumanMessage({ id, content: textOf(turn, 'question') });
  if (place === 1) {
    const calls = [{ name: 'look', args: { berth: String(turn) }, id: call, type: 'tool_call' as const }];
    return new AIMessageChunk({
      ...like?.lc_kwargs,
      id,
      content: '',
      tool_calls: calls,
      tool_call_chunks: [
        { name: 'look', args: JSON.stringify({ berth: String(turn) }), id: call, type: 'tool_call_chunk' },
      ],
    });
  }
  if (place === 2) return toolMessage(id, textOf(turn, 'result'), call);
  return new AIMessageChunk({ ...like?.lc_kwargs, id, content: textOf(turn, 'answer') });
}
