// The rows of the transcript: messages with their calls, and the marks between them.
import { h } from '../dom.js';
import type { ArchiveState, ShownCompaction, ShownMessage, SourcePlace, ThreadState } from '../store.js';
import { words } from '../words/index.js';
import { messageView } from './message.js';
import type { TranscriptContext } from './transcript-context.js';
import type { Row } from './windowed-list.js';

type Rows = (
  open: ThreadState,
  place: SourcePlace | null,
  archive: ArchiveState,
  context: TranscriptContext,
) => readonly Row[];

/** Makes rows, and answers the same ones as long as nothing that they show has changed: words stream in by the frame. */
export function rowsMemo(markElement: HTMLElement): Rows {
  let known: readonly unknown[] = [];
  let rows: readonly Row[] = [];
  return (open, place, archive, context) => {
    const isRunning = isAnswering(open);
    const now = [open.messages, open.compaction, place, archive, context, isRunning];
    if (now.some((value, at) => value !== known[at]))
      rows = rowsOf(open, place, archive, context, markElement);
    known = now;
    return rows;
  };
}

/** Whether an answer is on its way, here or in another tab. */
function isAnswering({ run }: ThreadState): boolean {
  return run.kind === 'answering' || run.kind === 'elsewhere' || run.kind === 'waiting';
}

/** The row that shows a message: the result of a call stands in the row of the call. */
export function rowOf(message: string, { entry, messages }: ThreadState): string {
  const callId = messages.find(({ id }) => id === message)?.callId ?? null;
  const caller =
    callId === null ? undefined : messages.find(({ calls }) => calls.some(({ id }) => id === callId));
  return keyOf(entry.id, caller?.id ?? message);
}

/** Two recordings may give their messages the same ids. */
function keyOf(thread: string, row: string): string {
  return `${thread}/${row}`;
}

/** A line of text holds about so many characters, and is so many pixels high. */
const LINE_CHARS = 85;
const LINE_PX = 23;

function guessOf({ text, calls, speaker }: ShownMessage): number {
  const lines = text === '' ? 0 : Math.ceil(text.length / LINE_CHARS);
  return 40 + lines * LINE_PX + calls.length * 36 + (speaker === 'human' ? 40 : 20);
}

function rowsOf(
  open: ThreadState,
  place: SourcePlace | null,
  archive: ArchiveState,
  context: TranscriptContext,
  markElement: HTMLElement,
): readonly Row[] {
  const results = new Map<string, ShownMessage>();
  const calls = new Set(open.messages.flatMap((message) => message.calls.map((call) => call.id)));
  for (const message of open.messages) if (message.callId !== null) results.set(message.callId, message);
  const covered = new Set(open.compaction?.covered);
  const boundary = open.messages.findLastIndex((message) => covered.has(message.id));
  const running = isAnswering(open);

  const items: Row[] = [];
  let speaker: string | null = null;
  let asked: ShownMessage | null = null;
  const mark: Row | null =
    open.compaction === null
      ? null
      : { key: keyOf(open.entry.id, 'mark'), signature: '', guess: 60, build: () => markElement };
  const removed = open.compaction === null ? null : removedRow(open.entry.id, open.compaction, archive);
  if (removed !== null) items.push(removed);
  if (mark !== null && boundary < 0) items.push(mark);
  for (const [index, message] of open.messages.entries()) {
    const drawnInCall = message.callId !== null && calls.has(message.callId);
    if (!drawnInCall) {
      const own = message.calls.flatMap((call) => results.get(call.id) ?? []);
      const placed =
        place !== null && (place.message === message.id || own.some(({ id }) => id === place.message));
      const parts = {
        message,
        results,
        place: placed ? place : null,
        outside: covered.has(message.id),
        continued: message.speaker === speaker,
        asked,
        running,
        context,
      };
      items.push({
        key: keyOf(open.entry.id, message.id),
        // Read only for rows that are drawn.
        get signature() {
          return signatureOf(parts, own);
        },
        guess: guessOf(message),
        build: () => messageView(parts),
      });
      speaker = message.speaker;
      if (message.speaker === 'human') asked = message;
    }
    if (mark !== null && index === boundary) {
      items.push(mark);
      speaker = null;
    }
  }
  return items;
}

function signatureOf(
  parts: {
    message: ShownMessage;
    place: SourcePlace | null;
    outside: boolean;
    continued: boolean;
    running: boolean;
    asked: ShownMessage | null;
    context: TranscriptContext;
  },
  results: readonly ShownMessage[],
): string {
  const waiting = parts.running && results.length < parts.message.calls.length;
  // Links of hits and notes depend on what is still in the checkpoint.
  const links = parts.message.calls.length > 0 ? parts.context.revision : '';
  return JSON.stringify([
    parts.message.text.length,
    parts.asked?.id,
    parts.message.calls.length,
    results.map((result) => [result.id, result.text.length]),
    parts.place,
    parts.outside,
    parts.continued,
    waiting,
    links,
  ]);
}

function removedRow(thread: string, compaction: ShownCompaction, archive: ArchiveState): Row | null {
  const count = compaction.pruned.length;
  if (count === 0) return null;
  const text = archive.kind === 'persistent' ? words.removed(count) : words.removedAndLost(count);
  return {
    key: keyOf(thread, 'removed'),
    signature: text,
    guess: 40,
    build: () => h('p', { class: 'removed' }, text),
  };
}
