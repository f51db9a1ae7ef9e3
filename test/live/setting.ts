// What the live check plays: a workshop's conversation with exact batch codes, and the task that needs them again.

/** Codes by product: what the manifest has to say. */
export type Codes = Readonly<Record<string, string>>;

export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

const PRODUCTS = ['amber varnish', 'slate primer', 'copper sealant', 'ivory enamel'];

/** Codes that nobody can know or guess: new in every check. */
export function newCodes(): Codes {
  const letters = 'ABCDEFGHKLMNPQRSTVWXYZ';
  const draw = (below: number): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % below;
  const letter = (): string => letters.charAt(draw(letters.length));
  const code = (): string =>
    `${letter()}${letter()}-${1000 + draw(9000)}-${letter()}${letter()}${10 + draw(90)}`;
  return Object.fromEntries(PRODUCTS.map((product) => [product, code()]));
}

/** The conversation: each code is told once, early, in a message of its own. */
export function conversationOf(codes: Codes): Said[] {
  const said: Said[] = [
    { role: 'user', content: 'We keep the log of the paint workshop here. Just confirm what I tell you.' },
    { role: 'assistant', content: 'Ready. Tell me what happens and I will keep track of it.' },
  ];
  const add = (user: string, assistant: string): void => {
    said.push({ role: 'user', content: user }, { role: 'assistant', content: assistant });
  };
  for (const [product, code] of Object.entries(codes)) {
    add(
      `The ${product} is filled. Its batch code is ${code}, 40 drums, rack ${product.length}.`,
      'Noted, the batch is in the log.',
    );
    add(
      `The mixing of the ${product} took two hours longer than planned, since the stirrer was being cleaned.`,
      'I have noted the delay and its cause.',
    );
  }
  for (const product of Object.keys(codes)) {
    add(
      `The viscosity of the ${product} was measured twice and is within its limits.`,
      'Good, that test is passed.',
    );
    add(
      `A customer asked when the ${product} can leave; I said that it goes with the Thursday lorry.`,
      'Thursday it is. I will remember the lorry.',
    );
  }
  add('The forklift needs a new battery.', 'I have put the battery on the list.');
  add('That was all for today.', 'Thank you. The log is closed for today.');
  return said;
}

/** Tells the summary to leave out what is to be found again. */
export const SUMMARY_PROMPT = `Summarise this conversation of a paint workshop in at most six sentences: which products were made, what was delayed, what was promised. Leave out every batch code: no code may stand in the summary, neither whole nor in part. Answer with the summary alone.

{messages}`;

export function taskOf(codes: Codes): string {
  return `Make the shipping manifest for these batches: ${Object.keys(codes).join(', ')}. Their exact batch codes were told earlier in this conversation and are no longer in your context.

1. Find each of them with history_search.
2. Read the source of each with history_read.
3. Then save one note with task_note under the key "manifest": the codes, with the ids of the sources that you have read as source_ids.
4. Then answer with one JSON object alone, from product to batch code, like {"product name": "code"}.`;
}
