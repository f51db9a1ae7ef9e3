// Reads what coding agents keep of a session, one entry a line, as the messages of a conversation.
import { isObject } from './value.js';

type Entry = Readonly<Record<string, unknown>>;

/**
 * The messages of a Claude Code or pi session, written as OpenAI chat messages and not yet checked; null when the
 * values are no entries of either. Thoughts, and entries that nobody said in the conversation, are left out.
 */
export function sessionMessages(values: readonly unknown[]): readonly unknown[] | null {
  const entries = values.filter(isObject);
  if (entries.some(({ type, cwd }) => type === 'session' && typeof cwd === 'string')) {
    return branchOf(entries).flatMap(({ message }) => piMessages(message));
  }
  const isClaude = entries.some(
    (entry) => isSpoken(entry) && isObject(entry['message']) && typeof entry['uuid'] === 'string',
  );
  return isClaude ? claudeMessages(entries) : null;
}

function isSpoken({ type }: Entry): boolean {
  return type === 'user' || type === 'assistant';
}

/** An answer stands on as many lines as it has blocks, tied by the id of its message. */
function claudeMessages(entries: readonly Entry[]): readonly unknown[] {
  const messages: unknown[] = [];
  let open: { readonly id: unknown; readonly blocks: unknown[] } | null = null;
  const finish = (): void => {
    if (open !== null) messages.push(...assistantMessage(open.blocks));
    open = null;
  };
  for (const entry of withoutRewound(entries)) {
    const { message } = entry;
    const isAside =
      entry['isSidechain'] === true || entry['isMeta'] === true || entry['isCompactSummary'] === true;
    if (!isSpoken(entry) || isAside || !isObject(message)) continue;
    const { id, content } = message;
    if (entry['type'] === 'user') {
      finish();
      messages.push(...claudeUserMessages(content));
      continue;
    }
    if (open === null || id === undefined || open.id !== id) {
      finish();
      open = { id, blocks: [] };
    }
    open.blocks.push(...blocksOf(content));
  }
  finish();
  return messages;
}

/**
 * Without what was taken back: where the user spoke twice after the same entry, the later words count, and what
 * followed from the earlier ones goes with them. The results of parallel calls share no parent, and stay.
 */
function withoutRewound(entries: readonly Entry[]): readonly Entry[] {
  const latestByParent = new Map<unknown, Entry>();
  for (const entry of entries) {
    if (isPrompt(entry) && typeof entry['parentUuid'] === 'string')
      latestByParent.set(entry['parentUuid'], entry);
  }
  const rewound = new Set<unknown>();
  return entries.filter((entry) => {
    const { uuid, parentUuid } = entry;
    const isReplaced = isPrompt(entry) && (latestByParent.get(parentUuid) ?? entry) !== entry;
    if (!isReplaced && !rewound.has(parentUuid)) return true;
    rewound.add(uuid);
    return false;
  });
}

/** What the user said, not what a tool answered or the program added. */
function isPrompt({ type, isMeta, isSidechain, message }: Entry): boolean {
  if (type !== 'user' || isMeta === true || isSidechain === true || !isObject(message)) return false;
  const { content } = message;
  return !(
    Array.isArray(content) && content.some((block) => isObject(block) && block['type'] === 'tool_result')
  );
}

/** Results first: they answer what stands before them, and what else the user says follows. */
function claudeUserMessages(content: unknown): readonly unknown[] {
  if (!Array.isArray(content)) return [{ role: 'user', content }];
  const isResult = (block: unknown): block is Entry => isObject(block) && block['type'] === 'tool_result';
  const results = content.filter(isResult).map((block) => ({
    role: 'tool',
    tool_call_id: block['tool_use_id'],
    content: block['content'] ?? '',
  }));
  const said = content.filter((block) => !isResult(block));
  return said.length === 0 ? results : [...results, { role: 'user', content: said }];
}

/** The messages from the beginning to the last entry; entries without ids are one branch. */
function branchOf(entries: readonly Entry[]): readonly Entry[] {
  const byId = new Map(
    entries.filter(({ id }) => typeof id === 'string').map((entry) => [entry['id'], entry]),
  );
  const last = entries.at(-1);
  if (!entries.some(({ type, parentId }) => type !== 'session' && typeof parentId === 'string'))
    return entries;
  const branch: Entry[] = [];
  const seen = new Set<unknown>();
  for (let at = last; at !== undefined && !seen.has(at['id']); at = byId.get(at['parentId'])) {
    seen.add(at['id']);
    branch.push(at);
  }
  return branch.reverse();
}

function piMessages(message: unknown): readonly unknown[] {
  if (!isObject(message)) return [];
  const { role, content } = message;
  if (role === 'assistant') return assistantMessage(blocksOf(content));
  if (role === 'toolResult') {
    return [
      {
        role: 'tool',
        tool_call_id: message['toolCallId'],
        name: message['toolName'],
        content: content ?? '',
      },
    ];
  }
  if (role === 'bashExecution') {
    return [{ role: 'user', content: `$ ${String(message['command'])}\n${String(message['output'] ?? '')}` }];
  }
  return role === 'user' ? [{ role, content }] : [];
}

function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

const THOUGHTS: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/** None when an answer was nothing but a thought. */
function assistantMessage(blocks: readonly unknown[]): readonly unknown[] {
  const calls: unknown[] = [];
  const content: unknown[] = [];
  for (const block of blocks) {
    const type = isObject(block) ? block['type'] : undefined;
    if (isObject(block) && (type === 'tool_use' || type === 'toolCall')) {
      calls.push({ id: block['id'], name: block['name'], args: block['input'] ?? block['arguments'] });
    } else if (!THOUGHTS.has(type)) content.push(block);
  }
  if (calls.length === 0 && content.length === 0) return [];
  return [{ role: 'assistant', content, tool_calls: calls }];
}
