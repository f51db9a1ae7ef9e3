// What an identifier is of: the noun before `number`, `ID` or `code`.
import { contentWords, questionKeys } from './words.js';

const LABEL =
  /(\p{L}+)(?:[\s_-](?:[Nn]umbers?|[Ii][Dd]s?|[Cc]odes?|[Rr]eferences?|[Nn]o\.)|I[Dd]|Number|Code)(?!\p{L})/gu;

export interface Label {
  /** Keys of the noun: of `user_id` and of `my user ID` it is `user`. */
  readonly keys: readonly string[];
  /** Where it stands, in UTF-16 units. */
  readonly at: number;
}

/** Those nouns, in the text's order; `your ID` has none. */
export function labelsOf(text: string): readonly Label[] {
  return Array.from(text.matchAll(LABEL), ({ 1: noun = '', index }) => ({
    keys: [...questionKeys(contentWords(noun))],
    at: index,
  })).filter(({ keys }) => keys.length > 0);
}

/** The label that an identifier at a place goes by: the last one before it, else the first one after it. */
export function labelAt(labels: readonly Label[], place: number): Label | undefined {
  return labels.findLast(({ at }) => at < place) ?? labels[0];
}
