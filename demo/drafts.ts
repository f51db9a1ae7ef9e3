// What a user typed and did not send, or sent without the checkpoint having it yet: it survives a reload.

const draftKey = (thread: string) => `threadkeep-demo:draft:${thread}`;
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

/** Remembers a message on its way to the checkpoint. */
export function keepSent(thread: string, text: string): void {
  storage()?.setItem(sentKey(thread), text);
}

/** The last message on its way, forgotten with this; null when there is none. */
export function takeSent(thread: string): string | null {
  const text = storage()?.getItem(sentKey(thread)) ?? null;
  storage()?.removeItem(sentKey(thread));
  return text;
}
