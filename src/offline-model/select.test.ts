import { describe, expect, test } from 'vitest';
import { sharedFile } from '../../test/support/shared-data.js';
import type { Hit } from './answers.js';
import { type Question, questionOf } from './question.js';
import { isEcho, rankHits, rankSources } from './select.js';
import { wordKeys } from './words.js';

function asking(text: string): Question {
  const question = questionOf(text);
  if (question === null) throw new Error(`“${text}” asks nothing.`);
  return question;
}

const human = (text: string) => ({ role: 'human', name: null, text });
const ai = (text: string) => ({ role: 'ai', name: null, text });

function best(question: string, sources: readonly { role: string; name: string | null; text: string }[]) {
  return rankSources(asking(question), sources)[0]?.quote;
}

describe('of several texts', () => {
  test('the one is quoted that has what was asked for, not the one that asks for it too', () => {
    const sources = [
      ai('Could you tell me your reservation number?'),
      human('I want to change my reservation.'),
      human('Sure, it is reservation JG7FMM.'),
    ];
    expect(best('What was the reservation number?', sources)).toBe('Sure, it is reservation JG7FMM.');
  });

  test('an identifier of something else does not do', () => {
    const sources = [
      {
        role: 'tool',
        name: 'look',
        text: '{"user_id": "omar_davis_3817", "flight_number": "HAT028", "reservation_id": "K1NW8N"}',
      },
    ];
    expect(best('What was the reservation number?', sources)).toBe('"reservation_id": "K1NW8N"');
  });

  test('nor does one that merely stands in the same sentence', () => {
    const sources = [
      human('I have no reservation number, but my user ID is omar_davis_3817.'),
      human('My reservation is K1NW8N.'),
    ];
    expect(best('What was the reservation number?', sources)).toBe('My reservation is K1NW8N.');
  });

  test('a list entry is quoted with the line that says what it is of', () => {
    const sources = [ai('Here are your reservation IDs:\n\n- JG7FMM\n- LQ940Q')];
    expect(best('Which reservation ID was first?', sources)).toBe('Here are your reservation IDs: … JG7FMM');
  });

  test('where several are asked for, the list is quoted and not one of its entries elsewhere', () => {
    const list = 'Here are your reservation IDs:\n\n- JG7FMM\n- LQ940Q';
    const sources = [human('The reservation ID is JG7FMM.'), ai(list)];
    expect(best('Which reservation IDs are there?', sources)).toBe(list);
    expect(best('Which reservation ID is it?', sources)).toBe('The reservation ID is JG7FMM.');
  });

  test('the sentence after comes along where the form of an answer tells nothing', () => {
    const sources = [human('The glaze crates have labels. They are blue. Goodbye.')];
    expect(best('What about the glaze labels?', sources)).toBe(
      'The glaze crates have labels. They are blue.',
    );
  });

  test('what is said is quoted, not what is asked in the same words', () => {
    const sources = [ai('Is the reservation number JG7FMM?'), ai('The reservation number is LQ940Q.')];
    expect(best('What was the reservation number?', sources)).toBe('The reservation number is LQ940Q.');
  });

  test('what a tool answered is quoted, not what it was called with', () => {
    const sources = [
      ai('\nTool calls: [{"name": "look", "args": {"reservation_id": "JG7FMM"}}]'),
      { role: 'tool', name: 'look', text: '{"reservation_id": "LQ940Q"}' },
    ];
    expect(best('What was the reservation number?', sources)).toBe('"reservation_id": "LQ940Q"');
  });

  test('an earlier answer of the model is no source', () => {
    const sources = [ai('I looked it up in this conversation.\n\nYou said: “The reservation is JG7FMM.”')];
    expect(best('What was the reservation number?', sources)).toBeUndefined();
  });

  test('a text that has the form alone is no more than the closest, and without it nothing', () => {
    const question = asking('What was the reservation number?');
    expect(rankSources(question, [human('Code QX-771.')])).toMatchObject([
      { quote: 'Code QX-771.', fits: false },
    ]);
    expect(rankSources(question, [human('QX-771, please.')])).toEqual([]);
  });
});

describe('of the hits of a search', () => {
  const hit = (id: string, excerpt: string): Hit => ({
    id,
    excerpt,
    messageId: id,
    role: 'human',
    name: null,
    start: 0,
    origin: null,
  });

  test.each([
    ['the question itself', hit('m9', 'Anything')],
    ['the same words again', hit('m1', ' What was the  gate width?')],
    ['another question of the user', hit('m2', 'How wide was the gate? And how high?')],
    [
      'an answer of the model',
      { ...hit('m3', 'I looked it up in this conversation.\n\nYou said: “x”'), role: 'ai' },
    ],
    [
      'a call of the model',
      { ...hit('m4', '\nTool calls: [{"name": "task_note", "args": {}}]'), role: 'ai' },
    ],
  ])('%s is an echo', (_, found) => {
    expect(
      isEcho(found, asking('What was the gate number?'), { text: 'What was the gate width?', id: 'm9' }),
    ).toBe(true);
  });

  test.each([
    ['a statement', hit('m1', 'The gate width is 1.35 m. Is that enough?')],
    ['a question that holds what is asked for', hit('m3', 'Is gate QY-1103 free?')],
    ['a question of somebody else', { ...hit('m2', 'Is the gate 1.35 m wide?'), role: 'ai' }],
  ])('%s is none', (_, found) => {
    expect(
      isEcho(found, asking('What was the gate number?'), { text: 'What was the gate width?', id: 'm9' }),
    ).toBe(false);
  });

  test('of equals the one that the search had first is first', () => {
    const hits = [hit('m1', 'The gate is 1.35 m wide.'), hit('m2', 'The gate is 1.35 m wide.')];
    expect(rankHits(asking('How wide is the gate?'), hits).map(({ source }) => source.id)).toEqual([
      'm1',
      'm2',
    ]);
  });
});

interface RecordedMessage {
  readonly role: string;
  readonly content: string | null;
  readonly name?: string;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

test('in each of sixteen airline runs the question for the reservation number finds one of that run', (context) => {
  const runs: { messages: RecordedMessage[] }[] = JSON.parse(
    sharedFile('airline-agent/trajectories.json', context),
  );
  const question = asking('What was the reservation number?');
  const query = wordKeys(question.words.join(' '));
  for (const { messages } of runs) {
    const hits = messages
      .filter(({ role }) => role !== 'system')
      .map(({ role, content, name, tool_calls = [] }, position): Hit => {
        const calls = tool_calls.map(
          (call) => `{"name": "${call.function.name}", "args": ${call.function.arguments}}`,
        );
        const text =
          calls.length === 0 ? (content ?? '') : `${content ?? ''}\nTool calls: [${calls.join(', ')}]`;
        return {
          id: `r${position}`,
          messageId: null,
          role: role === 'user' ? 'human' : role === 'tool' ? 'tool' : 'ai',
          name: name ?? null,
          excerpt: text.slice(0, 600),
          start: 0,
          origin: null,
        };
      })
      .map((hit) => ({ hit, shared: [...wordKeys(hit.excerpt)].filter((key) => query.has(key)).length }))
      .filter(({ shared }) => shared > 0)
      .toSorted((left, right) => right.shared - left.shared)
      .slice(0, 8)
      .map(({ hit }) => hit);
    const quote = rankHits(question, hits)[0]?.quote ?? '';
    const known = new Set(JSON.stringify(messages).match(/(?<=reservation_id\W+)[A-Z0-9]{6}\b/g));
    const found = quote.match(/\b[A-Z0-9]{6}\b/)?.[0] ?? `none in “${quote}”`;
    expect([...known]).toContain(found);
  }
});
