// Short-lived words about what just happened, in live regions that stand in the page from the start.
import { h, setText } from '../dom.js';
import { icon } from '../icons.js';
import { words } from '../words/index.js';

/** How long a toast stays, in milliseconds, unless the pointer or the focus rests on it. */
const STAY_MS = 6_000;
/** A toast of work in progress stays at least this long, in milliseconds, so that it can be read. */
const AT_LEAST_MS = 900;

/** How many toasts of a kind stand on the page at once. */
const MOST_TOASTS = 2;

/** A toast of something that is going on; it ends once. */
export interface Progress {
  /** Turns it into a toast with the outcome, which then goes by itself. */
  done(text: string): void;
  failed(text: string): void;
  /** Removes it: there is nothing to tell. */
  drop(): void;
}

export interface Toasts {
  readonly element: HTMLElement;
  tell(text: string): void;
  warn(text: string): void;
  progress(text: string): Progress;
}

/** Makes the page's toasts. */
export function toastsView(): Toasts {
  const polite = h('div', { class: 'toast-list', role: 'status' });
  const urgent = h('div', { class: 'toast-list', role: 'alert' });
  const element = h('section', { class: 'toasts', 'aria-label': words.notifications }, urgent, polite);

  const add = (list: HTMLElement, kind: string, text: string) => {
    const message = h('p', {}, text);
    const close = h(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': words.dismiss },
      icon('close'),
    );
    const toast = h('div', { class: `toast ${kind}` }, message, close);
    // Of two toasts with the same words one is enough, and the oldest go before they cover the page.
    for (const other of list.querySelectorAll('.told')) if (other.textContent === text) other.remove();
    while (list.childElementCount >= MOST_TOASTS) list.firstElementChild?.remove();
    close.addEventListener('click', () => toast.remove());
    list.append(toast);
    return { toast, message };
  };
  const leave = (toast: HTMLElement) => {
    setTimeout(() => {
      if (toast.matches(':hover, :focus-within')) leave(toast);
      else toast.remove();
    }, STAY_MS);
  };

  return {
    element,
    tell: (text) => leave(add(polite, 'told', text).toast),
    warn: (text) => leave(add(urgent, 'warned', text).toast),
    progress(text) {
      const began = performance.now();
      const { toast, message } = add(polite, 'busy', text);
      // The time is for the eye alone: a live region that counts would never be silent.
      const clock = h('span', { class: 'clock', 'aria-hidden': 'true' });
      message.after(clock);
      const tick = setInterval(() => {
        const seconds = Math.floor((performance.now() - began) / 1_000);
        if (seconds > 0) setText(clock, words.seconds(seconds));
      }, 250);
      const end = (finish: () => void) => {
        setTimeout(
          () => {
            clearInterval(tick);
            clock.remove();
            finish();
          },
          Math.max(0, AT_LEAST_MS - (performance.now() - began)),
        );
      };
      return {
        done: (outcome) =>
          end(() => {
            toast.className = 'toast told';
            message.textContent = outcome;
            leave(toast);
          }),
        failed: (outcome) =>
          end(() => {
            toast.remove();
            leave(add(urgent, 'warned', outcome).toast);
          }),
        drop: () => end(() => toast.remove()),
      };
    },
  };
}
