// The page's few pictures, as strokes on a grid of 16.

const STROKES = {
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h7',
  notebook: 'M4.5 2.5h7.5v11H4.5zM4.5 5.5h-1.5M4.5 8h-1.5M4.5 10.5h-1.5M7 5.5h2.5M7 8h2.5',
  sliders: 'M2.5 5h6M12 5h1.5M2.5 11h1.5M7.5 11h6M10.25 3.25v3.5M5.75 9.25v3.5',
  send: 'M8 13V3.5M4 7.25L8 3.25l4 4',
  stop: 'M5 5h6v6h-6z',
  search: 'M7 2.75a4.25 4.25 0 1 0 0 8.5a4.25 4.25 0 1 0 0-8.5M10.25 10.25L13.5 13.5',
  read: 'M8 4.25C6.5 3 4.5 2.75 2.5 3v9.5c2-.25 4 0 5.5 1.25c1.5-1.25 3.5-1.5 5.5-1.25V3c-2-.25-4 0-5.5 1.25zM8 4.25v9.5',
  note: 'M3 2.75h10v7l-3.25 3.5H3zM13 9.5H9.75v3.5',
  tool: 'M3.5 4.5L7 8l-3.5 3.5M8.5 11.5h4.5',
  open: 'M2.5 12.5v-9h4l1.5 2h5.5v7z',
  sample: 'M3 3h10v7.5H7.5L4.75 13v-2.5H3z',
  close: 'M4 4l8 8M12 4l-8 8',
  fold: 'M2.5 8h2M6.5 8h3M11.5 8h2M8 2v2.5M6.5 3.5L8 5l1.5-1.5M8 14v-2.5M6.5 12.5L8 11l1.5 1.5',
  up: 'M8 12.5V4M4.25 7.5L8 3.75l3.75 3.75',
  down: 'M8 3.5V12M4.25 8.5L8 12.25l3.75-3.75',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  plus: 'M8 3v10M3 8h10',
  pencil: 'M3 13l.6-2.9L10.8 3l2.2 2.2l-7.1 7.2zM9.4 4.4l2.2 2.2',
  bin: 'M3 4.5h10M6.25 4.5V3h3.5v1.5M4.25 4.5l.6 8.5h6.3l.6-8.5M6.75 7v3.75M9.25 7v3.75',
  copy: 'M5.5 5.5h7v7.5h-7zM3.5 10.5v-7.5h7',
  check: 'M3.5 8.5l3 3l6-7',
  pin: 'M8 10.25V14M4.5 10.25h7M5.75 2.75h4.5M6.5 2.75l.25 4l-2 3.5M9.5 2.75l-.25 4l2 3.5',
  undo: 'M3 6.25h6.25a3.25 3.25 0 0 1 0 6.5H6M5.75 3.25L2.75 6.25l3 3',
  retry: 'M12.5 8a4.5 4.5 0 1 1-1.4-3.25M12.5 2.5v2.75h-2.75',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
} as const;

export type IconName = keyof typeof STROKES;

/** A decorative picture: hidden from assistive technology, so the words beside it must say it all. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', STROKES[name]);
  svg.append(path);
  return svg;
}
