// A long list of which only the part near the reader stands in the page; a short one stands there whole.
import { h, type Keyed, keyedList } from '../dom.js';

/** An entry of the list, with a guess of its height until it has been drawn. */
export interface Row extends Keyed {
  /** In pixels. */
  readonly guess: number;
}

export interface WindowedList {
  readonly element: HTMLElement;
  /** Shows these rows, their end or what is in sight of them; the same array again costs nothing. */
  show(rows: readonly Row[], isAtEnd: boolean): void;
  /** Brings a row into the page, wherever the reader is; false when there is none of that key. */
  reveal(key: string): boolean;
  /** Brings the end into the page and scrolls to it. */
  toEnd(): void;
  /** True when rows are left out: then scrolling smoothly over a long way would pass through nothing. */
  isPartial(): boolean;
}

/** Up to so many rows the list is whole, and the browser finds text in all of it. */
const WHOLE_ROWS = 150;
/** How far beyond what is seen rows are drawn, in pixels, and how near to their end more are drawn. */
const DRAWN_PX = 900;
const NEAR_PX = 300;

/**
 * Makes the list inside of a scrolling element. What is left out is stood for by two spacers, so that the scroll bar
 * tells the truth about as well as the guesses do; what the reader sees stays where it is while rows are measured.
 */
export function windowedList(scroller: HTMLElement): WindowedList {
  const above = h('div', { class: 'spacer', 'aria-hidden': 'true' });
  const below = h('div', { class: 'spacer', 'aria-hidden': 'true' });
  const list = h('div', { class: 'rows' });
  const element = h('div', { class: 'messages' }, above, list, below);
  const draw = keyedList(list);
  /** Measured heights by key; they outlive their element. */
  const measured = new Map<string, number>();
  const keyByElement = new WeakMap<Element, string>();
  let rows: readonly Row[] = [];
  let indexByKey = new Map<string, number>();
  /** Where each row begins, and at last where the list ends. */
  let offsets = new Float64Array(1);
  let [first, end] = [0, 0];

  const isPartial = () => rows.length > WHOLE_ROWS;
  const sizes = new ResizeObserver((entries) => {
    let isChanged = false;
    for (const { target, borderBoxSize } of entries) {
      const key = keyByElement.get(target);
      const height = borderBoxSize[0]?.blockSize ?? 0;
      // A row that was taken out is told of once more, with no size.
      if (key === undefined || !target.isConnected || measured.get(key) === height) continue;
      measured.set(key, height);
      isChanged = true;
    }
    if (isChanged) place();
  });

  function place(): void {
    offsets = new Float64Array(rows.length + 1);
    let at = 0;
    for (const [index, row] of rows.entries()) {
      offsets[index] = at;
      at += measured.get(row.key) ?? row.guess;
    }
    offsets[rows.length] = at;
    space();
  }

  function space(): void {
    above.style.setProperty('height', `${offsets[first] ?? 0}px`);
    below.style.setProperty('height', `${(offsets[rows.length] ?? 0) - (offsets[end] ?? 0)}px`);
  }

  /** The row at so many pixels from the list's beginning. */
  function rowAt(px: number): number {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((offsets[middle + 1] ?? 0) <= px) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function drawRows(from: number, to: number): void {
    first = Math.max(0, from);
    end = Math.min(rows.length, to);
    draw(
      rows.slice(first, end).map((row, at) => ({
        key: row.key,
        signature: row.signature,
        build: () => {
          const built = h('div', { class: first + at === 0 ? 'row-frame first' : 'row-frame' }, row.build());
          keyByElement.set(built, row.key);
          sizes.observe(built);
          return built;
        },
      })),
    );
    space();
  }

  function drawAround(top: number): void {
    drawRows(rowAt(top - DRAWN_PX), rowAt(top + scroller.clientHeight + DRAWN_PX) + 1);
  }

  const drawEnd = () => drawAround((offsets[rows.length] ?? 0) - scroller.clientHeight);
  const topOf = () => scroller.scrollTop - element.offsetTop;
  scroller.addEventListener(
    'scroll',
    () => {
      if (!isPartial()) return;
      const top = topOf();
      const isCovered =
        (first === 0 || (offsets[first] ?? 0) <= top - NEAR_PX) &&
        (end === rows.length || (offsets[end] ?? 0) >= top + scroller.clientHeight + NEAR_PX);
      if (!isCovered) drawAround(top);
    },
    { passive: true },
  );

  return {
    element,
    isPartial,
    show(wanted, isAtEnd) {
      if (wanted === rows) return;
      rows = wanted;
      indexByKey = new Map(rows.map(({ key }, index) => [key, index]));
      if (isPartial()) list.setAttribute('role', 'feed');
      else list.removeAttribute('role');
      place();
      if (!isPartial()) drawRows(0, rows.length);
      else if (isAtEnd) drawEnd();
      else drawAround(topOf());
    },
    reveal(key) {
      const index = indexByKey.get(key);
      if (index === undefined) return false;
      if (index < first || index >= end) drawAround(offsets[index] ?? 0);
      return true;
    },
    toEnd() {
      if (isPartial() && end < rows.length) drawEnd();
      scroller.scrollTop = scroller.scrollHeight;
    },
  };
}
