// The timeline: every end of a run, the newest first; choosing one shows the conversation as it was then.
import type { Actions, View } from '../actions.js';
import { h, type Keyed, keyedList } from '../dom.js';
import type { Moment } from '../moments.js';
import type { PageState, ThreadState } from '../store.js';
import { whenOf } from '../when.js';
import { words } from '../words/index.js';

/** Draws the moments of the open conversation. */
export function timelineView(actions: Actions): View<PageState> {
  const list = h('ol', { class: 'moments' });
  const show = keyedList(list);
  const empty = h('p', { class: 'aside' });
  const more = h('button', { type: 'button', onclick: () => actions.readTimeline(true) }, words.earlier);
  const element = h(
    'div',
    { class: 'timeline' },
    h('p', { class: 'aside' }, words.timelineHint),
    empty,
    list,
    more,
  );
  return {
    element,
    update({ open }) {
      const timeline = open?.timeline ?? null;
      empty.hidden = timeline !== null && timeline.moments.length > 0;
      empty.textContent = timeline === null ? words.reading : words.noMoments;
      more.hidden = timeline?.hasMore !== true;
      if (open === null) return;
      const moments = timeline?.moments ?? [];
      show(moments.map((moment, at) => itemOf(moment, at === 0, open, actions)));
    },
  };
}

function itemOf(moment: Moment, isNewest: boolean, open: ThreadState, actions: Actions): Keyed {
  const isShown = open.past === null ? isNewest : open.past.checkpoint === moment.checkpoint;
  const when = whenOf(moment.at, Date.now(), words.language);
  const isIdle = open.run.kind === 'idle';
  return {
    key: moment.checkpoint,
    signature: JSON.stringify([moment, isNewest, isShown, when, isIdle]),
    build: () =>
      h(
        'li',
        { class: moment.isOnBranch ? 'on-branch' : 'off-branch' },
        h(
          'button',
          {
            type: 'button',
            disabled: !isIdle,
            'aria-current': isShown ? 'step' : null,
            onclick: () => actions.visit(isNewest ? null : { checkpoint: moment.checkpoint, at: moment.at }),
          },
          h('span', { class: 'moment-said' }, words.moment(moment.kind, moment.said)),
          h(
            'span',
            { class: 'moment-meta' },
            h('time', { datetime: new Date(moment.at).toISOString() }, isNewest ? words.now : when),
            ` · ${words.messages(moment.messages)}`,
            moment.kind === 'stopped' || moment.kind === 'cut-off' ? ` · ${words.cutOff}` : null,
            moment.isOnBranch ? null : ` · ${words.otherBranch}`,
          ),
        ),
      ),
  };
}

/** Says that what is shown is past, and leads on from there or back. */
export function pastView(actions: Actions): View<PageState> {
  const text = h('p', { role: 'status' });
  const element = h(
    'div',
    { class: 'past', hidden: true },
    text,
    h('button', { type: 'button', onclick: () => actions.goOnHere() }, words.goOnHere),
    h('button', { type: 'button', class: 'primary', onclick: () => actions.visit(null) }, words.backToNow),
  );
  return {
    element,
    update({ open }) {
      const past = open?.past ?? null;
      element.hidden = past === null;
      const date = new Intl.DateTimeFormat(words.language, { dateStyle: 'medium', timeStyle: 'medium' });
      text.textContent = past === null ? '' : words.past(date.format(past.at));
    },
  };
}
