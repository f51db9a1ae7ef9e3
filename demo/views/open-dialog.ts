// Opening a recording: the empty page's invitation, dropping a file anywhere, and choosing one of several conversations.
import type { Actions, View } from '../actions.js';
import { h, setText } from '../dom.js';
import { icon } from '../icons.js';
import type { PageState } from '../store.js';
import { words } from '../words/index.js';
import { languageChoice } from './language.js';

/** The page before a conversation is open. */
export function welcomeView(actions: Actions, pickFile: () => void): View<PageState> {
  const sample = h(
    'button',
    { type: 'button', class: 'primary', onclick: () => actions.openSample() },
    words.openSample,
  );
  const file = h('button', { type: 'button', onclick: pickFile }, words.openFile);
  const language = languageChoice();
  const element = h(
    'div',
    { class: 'welcome' },
    h(
      'div',
      { class: 'welcome-inner' },
      h('p', { class: 'brand' }, words.brand),
      h('h1', {}, words.pitch),
      h('p', { class: 'lead' }, words.pitchMore),
      h('div', { class: 'row' }, sample, file),
      h('p', { class: 'aside' }, `${words.orDrop} ${words.fileKind}`),
      language,
    ),
  );
  return {
    element,
    update(state) {
      element.hidden = state.open !== null;
      // The side bar has it too, as soon as there is one.
      language.hidden = state.threads.length > 0;
      sample.disabled = state.busy;
      file.disabled = state.busy;
    },
  };
}

/** Why a file was not opened, until the next one is or the user has read it. */
export function refusalView(actions: Actions): View<PageState> {
  const text = h('p');
  const close = h(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      'aria-label': words.dismiss,
      onclick: () => actions.dismissRefusal(),
    },
    icon('close'),
  );
  const box = h('div', { class: 'refusal', hidden: true }, text, close);
  const element = h('div', { role: 'alert' }, box);
  return {
    element,
    update({ refused }) {
      box.hidden = refused === null;
      setText(text, refused ?? '');
    },
  };
}

/** The hidden file input behind the buttons, and the whole page as a place to drop a file on. */
export function filePicker(actions: Actions): { element: HTMLElement; pick(): void } {
  const input = h('input', {
    type: 'file',
    accept: '.json,.jsonl,.threadkeep,application/json',
    hidden: true,
  });
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    // The same file can be chosen again after it was corrected.
    input.value = '';
    if (file !== undefined) actions.openFile(file);
  });
  const curtain = h(
    'div',
    { class: 'curtain', hidden: true, 'aria-hidden': 'true' },
    h('p', {}, words.dropNow),
  );
  const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  document.addEventListener('dragover', (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    curtain.hidden = false;
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) curtain.hidden = true;
  });
  document.addEventListener('drop', (event) => {
    curtain.hidden = true;
    if (!hasFile(event)) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) actions.openFile(file);
  });
  return { element: h('div', {}, input, curtain), pick: () => input.click() };
}

/** Asks which of a file's conversations to open; null when the user thinks better of it. */
export function chooseConversation(
  file: string,
  choices: readonly { readonly title: string; readonly messages: number }[],
): Promise<number | null> {
  return new Promise((resolve) => {
    const cancel = h('button', { type: 'button', onclick: () => dialog.close() }, words.cancel);
    let chosen: number | null = null;
    const dialog = h(
      'dialog',
      { class: 'chooser', 'aria-labelledby': 'chooser-title' },
      h('h2', { id: 'chooser-title' }, words.chooseTitle),
      h('p', { class: 'aside' }, words.chooseLead(file, choices.length)),
      h(
        'ol',
        { class: 'choices' },
        ...choices.map((choice, index) =>
          h(
            'li',
            {},
            h(
              'button',
              {
                type: 'button',
                onclick: () => {
                  chosen = index;
                  dialog.close();
                },
              },
              h('span', { class: 'choice-title' }, choice.title),
              h('span', { class: 'aside choice-count' }, words.messages(choice.messages)),
            ),
          ),
        ),
      ),
      h('div', { class: 'row' }, cancel),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
