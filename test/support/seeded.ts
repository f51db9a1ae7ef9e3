// Randomness that can be had again: print the seed, and a failure can be repeated.

export interface SeededRandom {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: small, fast, the same everywhere. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('Nothing to pick from.');
      return item;
    },
  };
}

const PIECES = [
  'replica',
  'Replicas',
  'ZX-731',
  'user_id',
  'camelCase',
  'HTTPServer',
  'src/core/text.ts',
  'don’t',
  '3.14',
  '10,000',
  '5kg',
  'Straße',
  'İstanbul',
  'ﬃ',
  'ΟΔΥΣΣΕΥΣ',
  'café',
  'cafe\u0301',
  'Ёлка',
  '决策',
  '保留备份',
  '决',
  '検索',
  'カタカナ',
  'か\u3099く',
  'サーバー',
  'ひらがな',
  '데이터베이스',
  '한',
  '\u1112\u1161\u11ab',
  'ภาษาไทย',
  'น้ำ',
  'हिन्दी',
  'مَرْحَبًا',
  '𠀀𠮷',
  '豈',
  '👍🏽',
  '👩‍🚀',
  '🇨🇳',
  '1️⃣',
  '葛󠄀城',
  '\ud83d',
  '\udc00',
  '\u200d',
  '\u0301',
  '\u00ad',
  'API',
  'v2',
  '①',
  '½',
  'C++',
  'ａｂｃ',
  'ｶﾅ',
  '\u0000',
  'ꭰ',
  '𐐀',
];
const JOINTS = ['', '', ' ', ' ', '-', '_', '.', '/', ', ', '。', '\n', "'", '::', '\u200d'];

/** Text of many scripts, identifiers, marks, emoji and broken surrogates, of so many pieces. */
export function seededText(random: SeededRandom, pieces: number): string {
  let text = '';
  for (let piece = 0; piece < pieces; piece += 1) text += random.pick(PIECES) + random.pick(JOINTS);
  return text;
}
