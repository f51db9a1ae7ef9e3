// A button that opens a short list of things to do; by pointer, or by the keys that menus are used with.
import { h } from '../dom.js';
import { type IconName, icon } from '../icons.js';

export interface MenuItem {
  readonly text: string;
  readonly icon: IconName;
  readonly danger?: boolean;
  readonly run: () => void;
}

/** Answers the button; its menu hangs in the page only while it is open. `items` is asked when it opens. */
export function menuButton(label: string, items: () => readonly MenuItem[]): HTMLButtonElement {
  const button = h(
    'button',
    {
      type: 'button',
      class: 'icon-button more',
      'aria-label': label,
      title: label,
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
    },
    icon('more'),
  );
  button.addEventListener('click', () => open(button, items()));
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    open(button, items());
  });
  return button;
}

function open(button: HTMLButtonElement, items: readonly MenuItem[]): void {
  const close = new AbortController();
  const entries = items.map((item) =>
    h(
      'button',
      {
        type: 'button',
        role: 'menuitem',
        tabindex: -1,
        class: item.danger === true ? 'danger' : null,
        onclick: () => {
          end();
          item.run();
        },
      },
      icon(item.icon),
      item.text,
    ),
  );
  const menu = h('div', { class: 'menu', role: 'menu', 'aria-label': button.ariaLabel }, ...entries);
  /** Back to the button, so that whatever opens next has a place to return the focus to. */
  const end = () => {
    if (close.signal.aborted) return;
    close.abort();
    menu.remove();
    button.setAttribute('aria-expanded', 'false');
    button.focus({ preventScroll: true });
  };
  const step = (by: number) => {
    const at = entries.findIndex((entry) => entry.matches(':focus'));
    entries[(at + by + entries.length) % entries.length]?.focus();
  };
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Home') entries[0]?.focus();
    else if (event.key === 'End') entries.at(-1)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') end();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const { signal } = close;
  document.addEventListener(
    'pointerdown',
    (event) => {
      if (event.target instanceof Node && !menu.contains(event.target)) end();
    },
    { signal, capture: true },
  );
  addEventListener('resize', end, { signal });
  document.addEventListener(
    'scroll',
    (event) => {
      if (event.target !== menu) end();
    },
    { signal, capture: true },
  );

  document.body.append(menu);
  button.setAttribute('aria-expanded', 'true');
  const at = button.getBoundingClientRect();
  const isLow = at.bottom + menu.offsetHeight > innerHeight - 8;
  menu.style.setProperty('inset-block-start', `${isLow ? at.top - menu.offsetHeight : at.bottom}px`);
  menu.style.setProperty(
    'inset-inline-start',
    `${Math.max(8, Math.min(at.left, innerWidth - menu.offsetWidth - 8))}px`,
  );
  entries[0]?.focus();
}
