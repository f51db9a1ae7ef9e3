// Counts and sizes as Chinese says them.

export const LANGUAGE = 'zh-CN';

const number = new Intl.NumberFormat(LANGUAGE);

export const n = (value: number): string => number.format(value);

export const messages = (count: number): string => `${n(count)} 条消息`;

export const bytes = (count: number): string =>
  new Intl.NumberFormat(LANGUAGE, {
    style: 'unit',
    unit: count < 1e6 ? 'kilobyte' : count < 1e9 ? 'megabyte' : 'gigabyte',
    maximumSignificantDigits: count >= 1e8 && count < 1e9 ? 3 : 2,
  }).format(Math.max(1, count / 1e3) / (count < 1e6 ? 1 : count < 1e9 ? 1e3 : 1e6));
