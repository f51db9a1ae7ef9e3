// The context popover: when to compact, how much to keep, and doing it now.
import type { Actions, View } from '../actions.js';
import { fill, h } from '../dom.js';
import { icon } from '../icons.js';
import type { KeptRequest } from '../requests.js';
import type { PageState } from '../store.js';
import { words } from '../words/index.js';
import { showRequests } from './requests-dialog.js';
import { drawBar, partsList } from './window-parts.js';

/** Smallest trigger offered, in tokens: below it not even a summary and the last message fit. */
const MIN_TRIGGER_TOKENS = 300;

/** Draws the button and the popover that it opens. */
export function contextView(actions: Actions): View<PageState> {
  const trigger = h('input', {
    id: 'trigger',
    type: 'number',
    min: MIN_TRIGGER_TOKENS,
    step: 100,
    required: true,
  });
  const keep = h('input', { id: 'keep', type: 'number', min: 1, max: 500, required: true });
  const now = h('button', { type: 'button' }, words.compactNow);
  const prune = h('button', { type: 'button', 'aria-describedby': 'prune-hint' }, words.compactPrune);
  const hint = h('p', { id: 'prune-hint', class: 'aside' }, words.pruneHint);
  const bar = h('div', { class: 'meter-bar', 'aria-hidden': 'true' });
  const figures = h('div');
  const requests = h('button', { type: 'button' }, words.requests);
  const form = h(
    'form',
    {},
    h('label', { for: 'trigger' }, words.trigger),
    trigger,
    h('label', { for: 'keep' }, words.keep),
    keep,
    h('p', { class: 'aside' }, words.settingsWhen),
  );
  const panel = h(
    'div',
    { id: 'context-panel', class: 'popover', role: 'dialog', 'aria-label': words.contextTitle, hidden: true },
    h('div', { class: 'window-now' }, bar, figures, requests),
    form,
    h('div', { class: 'row' }, now, prune),
    hint,
  );
  const button = h(
    'button',
    { type: 'button', class: 'context-button', 'aria-expanded': 'false', 'aria-controls': 'context-panel' },
    icon('sliders'),
    h('span', {}, words.context),
  );
  const element = h('div', { class: 'context' }, button, panel);

  const show = (open: boolean) => {
    panel.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => show(panel.hidden === true));
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || panel.hidden) return;
    event.stopPropagation();
    show(false);
    button.focus();
  });
  document.addEventListener('pointerdown', (event) => {
    if (event.target instanceof Node && !element.contains(event.target)) show(false);
  });
  const change = () => {
    if (!form.reportValidity()) return;
    actions.changeSettings({ triggerTokens: trigger.valueAsNumber, keepMessages: keep.valueAsNumber });
  };
  form.addEventListener('change', change);
  form.addEventListener('submit', (event) => event.preventDefault());
  const compact = (pruned: boolean) => {
    show(false);
    button.focus();
    actions.compact(pruned);
  };
  requests.addEventListener('click', () => {
    show(false);
    // The dialog gives the focus back to where it was.
    button.focus();
    showRequests(sent);
  });
  now.addEventListener('click', () => compact(false));
  prune.addEventListener('click', () => compact(true));

  let sent: readonly KeptRequest[] = [];
  let drawn = '';
  return {
    element,
    update(state) {
      const open = state.open;
      element.hidden = open === null;
      if (open === null) return;
      const { settings } = open.entry;
      sent = open.requests;
      const shown = JSON.stringify([open.window, settings.triggerTokens]);
      if (shown !== drawn) {
        drawn = shown;
        drawBar(bar, open.window, settings.triggerTokens);
        fill(figures, partsList(open.window, settings.triggerTokens));
      }
      if (document.activeElement !== trigger) trigger.value = String(settings.triggerTokens);
      if (document.activeElement !== keep) keep.value = String(settings.keepMessages);
      const idle = open.run.kind === 'idle' && open.loaded && open.past === null;
      const lasting = state.archive.kind === 'persistent';
      now.disabled = !idle;
      prune.disabled = !idle || !lasting;
      hint.textContent = lasting ? words.pruneHint : words.pruneNeedsDisk;
    },
  };
}
