// Where the model's window begins: opens to the summary that stands for what came before, and to its receipt.
import type { CompactionReceipt } from 'threadkeep/langchain';
import type { Actions } from '../actions.js';
import { fill, h, setText } from '../dom.js';
import { icon } from '../icons.js';
import type { ThreadState } from '../store.js';
import { words } from '../words/index.js';
import { missingFactsView } from './missing-facts.js';
import type { TranscriptContext } from './transcript-context.js';

export interface CompactionMark {
  readonly element: HTMLElement;
  /** Keeps the mark in step. It is one element for as long as the page lives: folds and the focus stay. */
  update(open: ThreadState, context: TranscriptContext): void;
}

/** Makes the mark. Its receipt is drawn up when somebody opens it: that looks through all covered messages. */
export function compactionMark(actions: Actions): CompactionMark {
  const line = h('span');
  const figures = h('p', { class: 'figures' });
  const summary = h('div', { class: 'text summary' });
  const facts = missingFactsView(actions);
  const undo = h('button', { type: 'button', 'aria-describedby': 'undo-hint' }, icon('undo'), words.undo);
  const hint = h('p', { id: 'undo-hint', class: 'aside' }, words.undoHint);
  const undoing = h('div', { class: 'undo' }, undo, hint);
  const fold = h(
    'details',
    {},
    h('summary', { class: 'mark-line' }, icon('fold'), line),
    figures,
    h('h4', {}, words.summaryTitle),
    summary,
    facts.element,
    undoing,
  );
  const element = h('aside', { class: 'mark', 'aria-label': words.contextWindow }, fold);

  let shown = '';
  let hasReceipt = false;
  let canChange = false;
  const read = async () => {
    if (!fold.open || hasReceipt) return;
    hasReceipt = true;
    const own = shown;
    const receipt = await actions.receipt();
    if (own === shown) show(receipt);
  };
  const show = (receipt: CompactionReceipt | null) => {
    setText(
      figures,
      receipt === null ? words.receiptFailed : words.receiptFigures(receipt.covered, receipt.tokens),
    );
    facts.show(receipt?.missing ?? null);
  };
  fold.addEventListener('toggle', () => void read());
  undo.addEventListener('click', () => {
    if (canChange) actions.undo();
  });

  return {
    element,
    update(open, context) {
      const { compaction } = open;
      if (compaction === null) {
        shown = '';
        return;
      }
      const count = compaction.covered.length + compaction.pruned.length;
      canChange = open.run.kind === 'idle' && open.loaded && open.past === null && !open.unfinished;
      undoing.hidden = open.past !== null;
      undo.setAttribute('aria-disabled', String(!canChange));
      facts.update(open, canChange, context);
      const now = JSON.stringify([open.entry.id, open.past?.checkpoint, count, compaction.summary]);
      if (now === shown) return;
      if (!shown.startsWith(JSON.stringify([open.entry.id]).slice(0, -1))) fold.open = false;
      shown = now;
      hasReceipt = false;
      setText(line, words.left(count));
      fill(summary, compaction.summary);
      setText(figures, '');
      facts.show(null);
      void read();
    },
  };
}
