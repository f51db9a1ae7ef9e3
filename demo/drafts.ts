// What a user typed and did not send, or sent without the checkpoint having it yet: it survives a reload.
import { newThreadId } from './threads.js';

const NEW_KEY = 'threadkeep-demo:new';
/** Stands in for the storage where there is none. */
let fallback: string | null = null;

const draftKey = (thread: string) => `threadkeep-demo:draft:${thread}`;
const editKey = (thread: string) => `threadkeep-demo:edit:${thread}`;
const sentKey = (thread: string) => `threadkeep-demo:sent:${thread}`;

/** Null where the browser forbids storage: then a reload loses what was typed, and nothing else. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** The text that stood in the composer of this conversation, in this tab. */
export function readDraft(thread: string): string {
  return storage()?.getItem(draftKey(thread)) ?? '';
}

/** Keeps the composer's text; an empty one is forgotten. */
export function keepDraft(thread: string, text: string): void {
  if (text === '') storage()?.removeItem(draftKey(thread));
  else storage()?.setItem(draftKey(thread), text);
}

/** A message that is being written anew, and what it says by now. */
export interface Edit {
  readonly message: string;
  readonly text: string;
}

/** The edit that was going on in this conversation, in this tab. */
export function readEdit(thread: string): Edit | null {
  const stored = storage()?.getItem(editKey(thread)) ?? '';
  const line = stored.indexOf('\n');
  return line < 0 ? null : { message: stored.slice(0, line), text: stored.slice(line + 1) };
}

/** Keeps an edit; null ends it. */
export function keepEdit(thread: string, edit: Edit | null): void {
  if (edit === null) storage()?.removeItem(editKey(thread));
  else storage()?.setItem(editKey(thread), `${edit.message}\n${edit.text}`);
}

/** Remembers a message on its way to the checkpoint. */
export function keepSent(thread: string, text: string): void {
  storage()?.setItem(sentKey(thread), text);
}

/** The last message on its way; null when there is none. */
export function readSent(thread: string): string | null {
  return storage()?.getItem(sentKey(thread)) ?? null;
}

/** The last message on its way, forgotten with this; null when there is none. */
export function takeSent(thread: string): string | null {
  const text = readSent(thread);
  storage()?.removeItem(sentKey(thread));
  return text;
}

/**
 * The id that the new conversation will have: the same until it is taken, so that a reload finds what was typed.
 * Once taken, the next new conversation gets another.
 */
export function takeNewThread({ isTaken = false } = {}): string {
  const known = storage()?.getItem(NEW_KEY) ?? fallback;
  const id = known === null || isTaken ? newThreadId() : known;
  fallback = id;
  storage()?.setItem(NEW_KEY, id);
  return id;
}

/** Forgets what was typed and sent in a conversation that is no more. */
export function forgetTexts(thread: string): void {
  for (const key of [draftKey, editKey, sentKey]) storage()?.removeItem(key(thread));
}
