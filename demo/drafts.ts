// What a user typed and did not send, or sent without the checkpoint having it yet: it survives a reload.
import { newThreadId } from './threads.js';

const NEW_KEY = 'threadkeep-demo:new';
/** What the storage did not take: there is none, or it is full. It ends with the page. */
const unkept = new Map<string, string>();

const draftKey = (thread: string) => `threadkeep-demo:draft:${thread}`;
const editKey = (thread: string) => `threadkeep-demo:edit:${thread}`;
const sentKey = (thread: string) => `threadkeep-demo:sent:${thread}`;

/** True while a text is here that a reload would lose. */
export function hasUnkept(): boolean {
  return [...unkept.keys()].some((key) => key !== NEW_KEY);
}

/** Null where the browser forbids storage: then a reload loses what was typed, and nothing else. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function read(key: string): string | null {
  return unkept.get(key) ?? storage()?.getItem(key) ?? null;
}

function remove(key: string): void {
  unkept.delete(key);
  storage()?.removeItem(key);
}

/** Keeps a text in the storage or, where that has no room for it, for as long as the page is open. */
function keep(key: string, text: string): void {
  remove(key);
  try {
    const store = storage();
    if (store === null) unkept.set(key, text);
    else store.setItem(key, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    unkept.set(key, text);
  }
}

/** The text that stood in the composer of this conversation, in this tab. */
export function readDraft(thread: string): string {
  return read(draftKey(thread)) ?? '';
}

/** Keeps the composer's text; an empty one is forgotten. */
export function keepDraft(thread: string, text: string): void {
  if (text === '') remove(draftKey(thread));
  else keep(draftKey(thread), text);
}

/** A message that is being written anew, and what it says by now. */
export interface Edit {
  readonly message: string;
  readonly text: string;
}

/** The edit that was going on in this conversation, in this tab. */
export function readEdit(thread: string): Edit | null {
  const stored = read(editKey(thread)) ?? '';
  const line = stored.indexOf('\n');
  return line < 0 ? null : { message: stored.slice(0, line), text: stored.slice(line + 1) };
}

/** Keeps an edit; null ends it. */
export function keepEdit(thread: string, edit: Edit | null): void {
  if (edit === null) remove(editKey(thread));
  else keep(editKey(thread), `${edit.message}\n${edit.text}`);
}

/** Remembers a message on its way to the checkpoint. */
export function keepSent(thread: string, text: string): void {
  keep(sentKey(thread), text);
}

/** The last message on its way; null when there is none. */
export function readSent(thread: string): string | null {
  return read(sentKey(thread));
}

/** The last message on its way, forgotten with this; null when there is none. */
export function takeSent(thread: string): string | null {
  const text = readSent(thread);
  remove(sentKey(thread));
  return text;
}

/**
 * The id that the new conversation will have: the same until it is taken, so that a reload finds what was typed.
 * Once taken, the next new conversation gets another.
 */
export function takeNewThread({ isTaken = false } = {}): string {
  const known = read(NEW_KEY);
  const id = known === null || isTaken ? newThreadId() : known;
  keep(NEW_KEY, id);
  return id;
}

/** Forgets what was typed and sent in a conversation that is no more. */
export function forgetTexts(thread: string): void {
  for (const key of [draftKey, editKey, sentKey]) remove(key(thread));
}
