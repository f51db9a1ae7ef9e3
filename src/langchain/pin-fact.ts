// Writing something that a summary lost into the task notes, at a reader's word.
import type { Fact } from '../core/facts.js';
import { MAX_NOTES, NOTE_CHARS, NOTE_KEY_CHARS } from '../core/limits.js';
import { normalizeNotes, type TaskNote } from '../core/notes.js';
import { sliceChars } from '../core/text.js';
import { ContinuityError } from '../errors.js';
import { type CompactableAgent, type ThreadTarget, viewThread } from './agent-view.js';

/** `note_capacity` when all notes are in use: nothing was written, for the oldest would go. */
export type PinResult =
  | { readonly outcome: 'pinned'; readonly key: string }
  | { readonly outcome: 'note_capacity'; readonly limit: number };

/**
 * Keeps a fact as a task note that cites its source, so that every further request carries it: the sentence it stands
 * in. A fact that is a note already keeps its key. The thread must be at rest.
 *
 * Throws a `ContinuityError` for an agent without enabled summarization and task continuity among its middleware, and
 * what the checkpointer throws.
 */
export async function pinFact(agent: CompactableAgent, target: ThreadTarget, fact: Fact): Promise<PinResult> {
  const { values, hasNotes, write } = await viewThread('pinFact', agent, target);
  if (!hasNotes) {
    throw new ContinuityError(
      'invalid-option',
      'pinFact: this agent keeps no notes; make it with threadkeep({ taskContinuity: { enabled: true }, … }).',
    );
  }
  const notes = normalizeNotes(values['taskNotes']);
  const note: TaskNote = {
    content: sliceChars(fact.sentence, 0, NOTE_CHARS),
    source_ids: [fact.sourceId],
    authority: 'model_report',
  };
  const same = Object.keys(notes).find((key) => notes[key]?.content === note.content);
  if (same === undefined && Object.keys(notes).length >= MAX_NOTES) {
    return { outcome: 'note_capacity', limit: MAX_NOTES };
  }
  const key = same ?? freeKey(fact, notes);
  await write({ taskNotes: { [key]: note } });
  return { outcome: 'pinned', key };
}

/** A key that says what the note is of. */
function freeKey({ kind, text }: Fact, notes: Readonly<Record<string, unknown>>): string {
  const words = text.replace(/[^A-Za-z0-9]+/gu, '-').replace(/^-+|-+$/gu, '');
  const key = (suffix: string) => {
    const base = words === '' ? kind : `${kind}-${words}`;
    return `${base.slice(0, NOTE_KEY_CHARS - suffix.length).replace(/-+$/u, '')}${suffix}`;
  };
  for (let count = 1; ; count += 1) {
    const free = key(count === 1 ? '' : `-${count}`);
    if (!Object.hasOwn(notes, free)) return free;
  }
}
