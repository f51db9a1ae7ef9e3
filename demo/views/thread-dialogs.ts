// Questions about a conversation: what it shall be called, and whether it or its archive shall really go.
import type { Reply } from 'threadkeep';
import { h, setText } from '../dom.js';
import type { Inspection } from '../inspection.js';
import type { ListedThread } from '../threads.js';
import { words } from '../words/index.js';

/** Asks for another title; null when the user leaves it as it is. */
export function askTitle(thread: ListedThread): Promise<string | null> {
  const input = h('input', {
    type: 'text',
    id: 'new-title',
    required: true,
    maxlength: 200,
    autocomplete: 'off',
    value: thread.title,
  });
  const answer = ask(
    words.renameTitle,
    [h('label', { class: 'spoken', for: 'new-title' }, words.threadTitle), input],
    words.rename,
    'primary',
  );
  input.select();
  return answer.then((isAgreed) => {
    const title = input.value.trim();
    return isAgreed && title !== '' && title !== thread.title ? title : null;
  });
}

/** Says what will be removed, its archive as soon as that is known, and asks; false when the user keeps it. */
export function askDeletion(thread: ListedThread, inspected: Promise<Reply<Inspection>>): Promise<boolean> {
  const archive = h('li', {}, words.deleteArchiveLine);
  void inspected.then((reply) => {
    if (reply.ok) setText(archive, archiveLineOf(reply.value));
  });
  return ask(
    words.deleteTitle(thread.title),
    [
      h(
        'ul',
        { class: 'removed-things' },
        h('li', {}, words.deleteMessages(thread.messages, thread.checkpoints, thread.bytes)),
        h('li', {}, words.deleteSummary),
        archive,
        h('li', {}, words.deleteTyped),
      ),
      h('p', {}, words.deleteFinal),
    ],
    words.deleteNow,
    'primary danger',
  );
}

function archiveLineOf({ details, bytes }: Inspection): string {
  if (details === null) return words.deleteNoArchive;
  const sources = details.batches.reduce((sum, batch) => sum + batch.sources, 0);
  return words.deleteArchiveOf(details.batches.length, sources, bytes);
}

/** Says what of an archive will be removed, and asks; false when the user keeps it. */
export function askArchiveDeletion(contents: readonly string[]): Promise<boolean> {
  return ask(
    words.deleteArchiveTitle,
    [
      h('ul', { class: 'removed-things' }, ...contents.map((text) => h('li', {}, text))),
      h('p', {}, words.deleteArchiveStays),
    ],
    words.deleteNow,
    'primary danger',
  );
}

/** Asks whether an imported archive may take the place of the one that is there. */
export function askReplacement(what: string): Promise<boolean> {
  return ask(words.replaceTitle, [h('p', {}, what)], words.replaceNow, 'primary danger');
}

/** Asks what to do with an imported conversation that is here already; null when the user thinks better of it. */
export function askPlace(file: string): Promise<'both' | 'replace' | null> {
  return new Promise((resolve) => {
    const button = (value: string, text: string, kind: string | null) =>
      h('button', { value, class: kind }, text);
    const form = h(
      'form',
      { method: 'dialog' },
      h('h2', { id: 'place-title' }, words.placeTitle),
      h('p', {}, words.placeText(file)),
      h(
        'div',
        { class: 'row end' },
        h('button', { type: 'button', onclick: () => dialog.close() }, words.cancel),
        button('replace', words.placeReplace, 'danger'),
        button('both', words.placeBoth, 'primary'),
      ),
    );
    const dialog = h('dialog', { class: 'question', 'aria-labelledby': 'place-title' }, form);
    dialog.addEventListener('close', () => {
      dialog.remove();
      const { returnValue } = dialog;
      resolve(returnValue === 'both' || returnValue === 'replace' ? returnValue : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A modal question. Escape, the cancel button and the back button of a phone all say no. */
function ask(title: string, body: readonly HTMLElement[], yes: string, yesClass: string): Promise<boolean> {
  return new Promise((resolve) => {
    const form = h(
      'form',
      { method: 'dialog' },
      h('h2', { id: 'question-title' }, title),
      ...body,
      h(
        'div',
        { class: 'row end' },
        h('button', { type: 'button', onclick: () => dialog.close() }, words.cancel),
        h('button', { class: yesClass, value: 'yes' }, yes),
      ),
    );
    const dialog = h('dialog', { class: 'question', 'aria-labelledby': 'question-title' }, form);
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
