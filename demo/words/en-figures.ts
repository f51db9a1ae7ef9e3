// Counts and sizes as English says them.

export const number = new Intl.NumberFormat('en');

export const plural = (count: number, one: string, many: string): string =>
  `${number.format(count)} ${count === 1 ? one : many}`;

export const messages = (count: number): string => plural(count, 'message', 'messages');

export const bytes = (count: number): string =>
  new Intl.NumberFormat('en', {
    style: 'unit',
    unit: count < 1e6 ? 'kilobyte' : count < 1e9 ? 'megabyte' : 'gigabyte',
    maximumSignificantDigits: count >= 1e8 && count < 1e9 ? 3 : 2,
  }).format(Math.max(1, count / 1e3) / (count < 1e6 ? 1 : count < 1e9 ? 1e3 : 1e6));
