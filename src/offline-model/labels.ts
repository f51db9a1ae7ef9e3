// What an identifier is of: the noun before `number`, `ID` or `code`.
import { contentWords, questionKeys } from './words.js';

const LABEL =
  /(\p{L}+)(?:[\s_-](?:[Nn]umbers?|[Ii][Dd]s?|[Cc]odes?|[Rr]eferences?|[Nn]o\.)|I[Dd]|Number|Code)(?!\p{L})/gu;

/** Keys of those nouns, in the text's order: of `user_id` and of `my user ID` it is `user`, of `your ID` none. */
export function labelsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(LABEL)).flatMap(([, noun = '']) => [...questionKeys(contentWords(noun))]);
}
