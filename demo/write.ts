// Makes a conversation of the agent out of a recording: all of it, or nothing that anyone could find.
import { buildAgent, type Services } from './agent.js';
import {
  type ImportedConversation,
  readConversationFile,
  readConversationValue,
  toLangChain,
} from './import/index.js';
import { addThread, newThreadId, type ThreadEntry } from './threads.js';
import { chooseConversation } from './views/open-dialog.js';
import { words } from './words/index.js';

/** What became of a recording: null when the user thought better of it. */
export type Opened =
  | { readonly kind: 'opened'; readonly entry: ThreadEntry; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | null;

/**
 * Room under the trigger beside the recording's instructions, in tokens: about 900 for the tools, 600 for a summary,
 * and some for the newest messages and a look-up. Small, so that a short recording already shows what happens.
 */
const ROOM_TOKENS = 2_900;
const KEEP_MESSAGES = 6;
/** Characters of one token, as a rule of thumb. */
const CHARS_PER_TOKEN = 4;

/** A conversation that nobody has said anything in. */
export function newEntry(id: string): ThreadEntry {
  return {
    id,
    title: words.newThread,
    systemPrompt: null,
    settings: { triggerTokens: ROOM_TOKENS, keepMessages: KEEP_MESSAGES },
    suggestions: [],
    createdAt: Date.now(),
  };
}

/** Opens a file that the user chose or dropped; asks which of its conversations when there are several. */
export async function openRecording(file: File, services: Services): Promise<Opened> {
  const outcome = await readConversationFile(file);
  if (!outcome.ok)
    return { kind: 'refused', reason: words.refused(file.name, words.fileProblem(outcome.problem)) };
  const { conversations } = outcome;
  const chosen =
    conversations.length === 1
      ? 0
      : await chooseConversation(
          file.name,
          conversations.map(({ title, messages }) => ({ title, messages: messages.length })),
        );
  const conversation = chosen === null ? undefined : conversations[chosen];
  return conversation === undefined ? null : open(conversation, [], services);
}

/** Opens the conversation that comes with the page. */
export async function openSampleConversation(services: Services): Promise<Opened> {
  const { HARBOUR_MOVE } = await import('./samples/index.js');
  const outcome = readConversationValue(HARBOUR_MOVE.conversation);
  if (!outcome.ok) return { kind: 'refused', reason: words.fileProblem(outcome.problem) };
  const [conversation] = outcome.conversations;
  if (conversation === undefined) return null;
  const questions = HARBOUR_MOVE.questions.map(({ question }) => question);
  return open({ ...conversation, title: HARBOUR_MOVE.title }, questions, services);
}

async function open(
  conversation: ImportedConversation,
  suggestions: readonly string[],
  services: Services,
): Promise<Opened> {
  const { systemPrompt, messages } = toLangChain(conversation);
  const instructionTokens = Math.ceil((systemPrompt?.length ?? 0) / CHARS_PER_TOKEN);
  const fresh = newEntry(newThreadId());
  const entry: ThreadEntry = {
    ...fresh,
    title: conversation.title,
    systemPrompt,
    settings: {
      ...fresh.settings,
      triggerTokens: ROOM_TOKENS + Math.ceil(instructionTokens / 100) * 100,
    },
    suggestions,
  };
  const agent = buildAgent(entry, services, { onEvent: () => {}, onRequest: () => {} });
  // The list comes last: a conversation that was not written whole is on no list and has no address.
  await agent.write(messages);
  await addThread(entry);
  return { kind: 'opened', entry, warnings: conversation.warnings.map(words.fileWarning) };
}
