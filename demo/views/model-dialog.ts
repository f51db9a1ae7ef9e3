// Asks which model is to answer, and for the address, name and key of one that is elsewhere.
import { h } from '../dom.js';
import { type EndpointChoice, endpointFrom, type ModelChoice, OFFLINE } from '../models/choice.js';
import { words } from '../words/index.js';

export interface Chosen {
  readonly choice: ModelChoice;
  /** True when it is to be chosen after a reload as well. */
  readonly keeps: boolean;
}

/** Resolves with the choice, or null when the user thinks better of it. */
export function chooseModel(current: ModelChoice, hasBrowserModel: boolean): Promise<Chosen | null> {
  const known: EndpointChoice | null = current.kind === 'endpoint' ? current : null;
  const radio = (kind: ModelChoice['kind'], label: string, disabled = false) => {
    const input = h('input', {
      type: 'radio',
      name: 'kind',
      value: kind,
      checked: current.kind === kind,
      disabled,
    });
    return { input, element: h('label', { class: 'choice' }, input, h('span', {}, label)) };
  };
  const offline = radio('offline', words.modelOffline);
  const endpoint = radio('endpoint', words.modelEndpoint);
  const browser = radio(
    'browser',
    hasBrowserModel ? words.modelBrowser : words.modelBrowserAbsent,
    !hasBrowserModel,
  );
  const address = field('model-address', words.modelAddress, 'url', known?.baseUrl ?? '');
  const name = field('model-name', words.modelName, 'text', known?.model ?? '');
  const key = field('model-key', words.modelKey, 'password', known?.apiKey ?? '');
  const keep = h('input', { type: 'checkbox', checked: true });
  const forget = h('button', { type: 'button', class: 'link', hidden: known === null }, words.modelForget);
  const fields = h(
    'fieldset',
    { class: 'endpoint' },
    ...address.parts,
    h('p', { class: 'aside' }, words.modelAddressHint),
    ...name.parts,
    ...key.parts,
    h('p', { class: 'aside' }, words.modelKeyHint, ' ', forget),
    h('label', { class: 'choice' }, keep, h('span', {}, words.modelKeep)),
  );
  const form = h(
    'form',
    { method: 'dialog' },
    h('h2', { id: 'model-title' }, words.modelTitle),
    offline.element,
    endpoint.element,
    fields,
    browser.element,
    h(
      'div',
      { class: 'row' },
      h('button', { type: 'submit', class: 'primary' }, words.modelUse),
      h('button', { type: 'button', onclick: () => dialog.close() }, words.cancel),
    ),
  );
  const dialog = h('dialog', { class: 'chooser model-dialog', 'aria-labelledby': 'model-title' }, form);

  const showFields = () => {
    fields.hidden = !endpoint.input.checked;
    fields.disabled = !endpoint.input.checked;
  };
  const chosen = (): ModelChoice | null => {
    if (offline.input.checked) return OFFLINE;
    if (browser.input.checked) return { kind: 'browser' };
    const made = endpointFrom(address.input.value, name.input.value, key.input.value);
    address.input.setCustomValidity(made === 'address' ? words.modelAddressBad : '');
    name.input.setCustomValidity(made === 'model' ? words.modelNameBad : '');
    return typeof made === 'string' ? null : made;
  };
  for (const input of [address.input, name.input]) {
    input.addEventListener('input', () => input.setCustomValidity(''));
  }
  form.addEventListener('change', showFields);
  showFields();

  return new Promise((resolve) => {
    let answer: Chosen | null = null;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const choice = chosen();
      if (choice === null) {
        form.reportValidity();
        return;
      }
      answer = { choice, keeps: choice.kind !== 'endpoint' || keep.checked };
      dialog.close();
    });
    forget.addEventListener('click', () => {
      answer = { choice: OFFLINE, keeps: true };
      dialog.close();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function field(id: string, label: string, type: 'url' | 'text' | 'password', value: string) {
  // The form checks what was typed itself, in its own words.
  const input = h('input', {
    id,
    type: type === 'url' ? 'text' : type,
    value,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  return { input, parts: [h('label', { for: id }, label), input] };
}
