// A block of code as it was written, with its language and a button that copies it.
import { copyText } from '../clipboard.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { words } from '../words/index.js';

/** How long the button says that it has copied, in milliseconds. */
const COPIED_MS = 2_000;

/** `nodes` hold the code; `language` is what stood behind the fence. */
export function codeBlock(nodes: readonly Node[], language: string | null): HTMLElement {
  const code = h('code', {}, ...nodes);
  return h(
    'div',
    { class: 'code' },
    h(
      'div',
      { class: 'code-head' },
      h('span', {}, language ?? ''),
      copyButton(() => code.textContent, words.copyCode),
    ),
    // It scrolls sideways, so it must be reachable by key.
    h('pre', { tabindex: 0 }, code),
  );
}

/** A button that copies a text and says so. */
export function copyButton(text: () => string, label: string): HTMLButtonElement {
  const button = h(
    'button',
    { type: 'button', class: 'icon-button copy', 'aria-label': label, title: label },
    icon('copy'),
  );
  button.addEventListener('click', async () => {
    const isCopied = await copyText(text());
    button.replaceChildren(icon(isCopied ? 'check' : 'close'));
    button.ariaLabel = isCopied ? words.copied : words.notCopied;
    button.title = button.ariaLabel;
    setTimeout(() => {
      button.replaceChildren(icon('copy'));
      button.ariaLabel = label;
      button.title = label;
    }, COPIED_MS);
  });
  return button;
}
