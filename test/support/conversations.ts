// Conversations by chance: parallel calls, missing results, hidden messages, pictures, dense scripts, huge messages.
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { SeededRandom } from './seeded.js';

const WORDS = [
  'the boats',
  'in the harbour',
  '请把备份保留',
  'café 😀😀',
  '$& $1',
  '</conversation>',
  'ZX-731',
  '한국어',
];

/** Makes the next messages of a conversation; ids go on from call to call. */
export function conversationBy(random: SeededRandom): (count: number) => BaseMessage[] {
  let made = 0;
  const id = (): string => {
    made += 1;
    return `m${made}`;
  };
  const words = (): string => {
    const pieces = random.below(40) === 0 ? 600 : random.below(12);
    return Array.from({ length: pieces }, () => random.pick(WORDS)).join(' ');
  };
  const said = (): BaseMessage => {
    const kind = random.below(12);
    if (kind === 0)
      return new HumanMessage({ id: id(), content: words(), additional_kwargs: { hide_from_ui: true } });
    if (kind === 1) return new SystemMessage({ id: id(), content: words() });
    if (kind === 2)
      return new HumanMessage({
        id: id(),
        content: [{ type: 'text', text: words() }, random.pick(PICTURES)] as never,
      });
    return kind < 7
      ? new HumanMessage({ id: id(), content: words() })
      : new AIMessage({ id: id(), content: words() });
  };
  const worked = (): BaseMessage[] => {
    const calls = Array.from({ length: 1 + random.below(3) }, () => ({
      name: random.pick(['look', 'read_file']),
      args: { path: random.pick(['/mnt/skills/a.md', '/mnt/skills/b.md', '/home/c.md']), note: words() },
      id: `call-${id()}`,
      type: 'tool_call' as const,
    }));
    const results = calls
      // One in eight is missing, and they come in any order.
      .filter(() => random.below(8) > 0)
      .sort(() => random.below(3) - 1)
      .map((call) => new ToolMessage({ id: id(), content: words(), tool_call_id: call.id, name: call.name }));
    const stray =
      random.below(10) === 0 ? [new ToolMessage({ id: id(), content: 'x', tool_call_id: 'none' })] : [];
    // One in four makes its calls in messages of their own before any result has come.
    const made =
      random.below(4) === 0
        ? calls.map((call) => new AIMessage({ id: id(), content: '', tool_calls: [call] }))
        : [new AIMessage({ id: id(), content: '', tool_calls: calls })];
    return [...made, ...results, ...stray];
  };
  return (count) => {
    const messages: BaseMessage[] = [];
    while (messages.length < count) messages.push(...(random.below(3) === 0 ? worked() : [said()]));
    return messages;
  };
}

const BASE64 = 'iVBORw0KGgo'.repeat(4_000);
const PICTURES: readonly object[] = [
  { type: 'image_url', image_url: { url: `data:image/png;base64,${BASE64}` } },
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: BASE64 } },
  { type: 'image', mimeType: 'image/png', data: BASE64 },
  { type: 'file', mimeType: 'application/pdf', data: BASE64 },
  { inlineData: { mimeType: 'image/png', data: BASE64 } },
];
