// The page that a replay runs in: it reads a file's text, and replays each conversation of it.
import { readConversationText } from '../../demo/import/index.js';
import { words } from '../../demo/words/index.js';
import { type ReplayOptions, type ReplayReport, replay } from './replay.js';

/** A file's conversations, or why it was refused. */
export type ReplayedFile =
  | { readonly ok: true; readonly conversations: readonly { title: string; report: ReplayReport }[] }
  | { readonly ok: false; readonly reason: string };

export async function replayFile(text: string, options: ReplayOptions): Promise<ReplayedFile> {
  const read = readConversationText(text);
  if (!read.ok) return { ok: false, reason: words.fileProblem(read.problem) };
  const conversations = [];
  for (const conversation of read.conversations) {
    const { title } = conversation;
    conversations.push({ title, report: await replay(conversation, options) });
  }
  return { ok: true, conversations };
}

Object.assign(globalThis, { replayFile });
