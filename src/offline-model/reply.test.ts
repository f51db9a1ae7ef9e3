import { describe, expect, test } from 'vitest';
import { nextReply } from './reply.js';
import { HISTORY_TOOLS, type HistoryTool, type Step, type Visible } from './turn.js';

const ALL = new Set<string>(HISTORY_TOOLS);
const QUESTION = 'What was the berth contract number?';
const ID = `r${'1'.repeat(32)}`;
const OTHER = `r${'2'.repeat(32)}`;

function reply(
  asked: string,
  steps: readonly Step[] = [],
  visible: readonly Visible[] = [],
  tools: ReadonlySet<string> = ALL,
) {
  return nextReply({ asked, askedId: 'asked', steps, visible }, tools);
}

function step(tool: HistoryTool, answer: unknown, args: Readonly<Record<string, unknown>> = {}): Step {
  return { tool, args, answer: typeof answer === 'string' ? answer : JSON.stringify(answer) };
}

const hit = (id: string, excerpt: string, start = 0) => ({
  role: 'human',
  message_id: id,
  name: null,
  id,
  excerpt,
  excerpt_start: start,
});
const FIRST = { query: 'berth contract number' };
const OTHER_WORDS = { query: 'contract number berth id code reference 编号' };
const found = (...results: readonly unknown[]) =>
  step('history_search', { results, status: 'available' }, FIRST);
const nothing = (status = 'available', args = FIRST) => step('history_search', { results: [], status }, args);
const page = (text: string, id = ID) =>
  step(
    'history_read',
    { role: 'human', id, text, name: null, next_offset: null, status: 'available' },
    { source_id: id },
  );

const HIT = hit(ID, 'The berth contract number is QY11-0386, I think.', 40);
const PAGE = page('The berth contract number is QY11-0386, I think. More follows.');
const QUOTE = 'The berth contract number is QY11-0386, I think.';

describe('a question goes from search to answer:', () => {
  test('first it is searched for', () => {
    expect(reply(QUESTION)).toEqual({
      kind: 'call',
      tool: 'history_search',
      args: { query: 'berth contract number' },
    });
  });

  test('the best hit is read from where its excerpt begins', () => {
    const steps = [found(hit(OTHER, 'Which berth?'), HIT)];
    expect(reply(QUESTION, steps)).toEqual({
      kind: 'call',
      tool: 'history_read',
      args: { source_id: ID, offset: 40 },
    });
  });

  test('what answers is noted with its source', () => {
    expect(reply(QUESTION, [found(HIT), PAGE])).toEqual({
      kind: 'call',
      tool: 'task_note',
      args: { key: 'berth-contract-number', content: QUOTE, source_ids: [ID] },
    });
  });

  test('then it is quoted, with who said it and what was noted', () => {
    const steps = [
      found(HIT),
      PAGE,
      step('task_note', { key: 'berth-contract-number', status: 'saved', cited: true }),
    ];
    expect(reply(QUESTION, steps)).toEqual({
      kind: 'text',
      text: `I looked it up in this conversation.\n\nYou said: “${QUOTE}”\n\nI kept this as the note “berth-contract-number”, with its source.`,
    });
  });

  test('a Chinese question is answered in Chinese', () => {
    const text = '大窑的燃气阀门编号是 GV-5518，拆的时候要拍照。';
    const steps = [found(hit(ID, text)), page(text), step('task_note', { key: 'k', status: 'saved' })];
    expect(reply('大窑的燃气阀门编号是多少？', steps)).toEqual({
      kind: 'text',
      text: `我在对话记录里查到了。\n\n您说过：“${text}”\n\n我把它记在笔记“k”里，并注明了出处。`,
    });
  });
});

describe('when the first look-up does not do', () => {
  test('a second search has other words, and there is no third', () => {
    expect(reply(QUESTION, [nothing()])).toEqual({
      kind: 'call',
      tool: 'history_search',
      args: { query: 'contract number berth id code reference 编号' },
    });
    expect(reply(QUESTION, [nothing(), nothing('available', OTHER_WORDS)])).toEqual({
      kind: 'text',
      text: 'I searched the conversation for “berth contract number” and found nothing about it.\n\nNothing that I have in sight answers it either.',
    });
  });

  test('where echoes crowd a full search, user and tools are searched apart before other words', () => {
    const echoes = Array.from({ length: 8 }, (_, at) =>
      hit(`r${at}`, 'What about the berth contract number?'),
    );
    const first = { query: 'berth contract number' };
    const crowded = (args: object) =>
      step('history_search', { results: echoes, status: 'available' }, { ...first, ...args });
    const user = { ...first, role: 'user' };
    const tool = { ...first, role: 'tool' };
    const other = { query: 'contract number berth id code reference 编号' };
    expect(reply(QUESTION, [crowded({})])).toMatchObject({ args: user });
    expect(reply(QUESTION, [crowded({}), crowded(user)])).toMatchObject({ args: tool });
    expect(reply(QUESTION, [crowded({}), crowded(user), crowded(tool)])).toMatchObject({ args: other });
    // Also when the searches before have left the window.
    expect(reply(QUESTION, [crowded(user)])).toMatchObject({ args: tool });
    expect(reply(QUESTION, [crowded(other)])).toMatchObject({ kind: 'text' });
  });

  test('further hits are read while no page has what was asked for, three at most', () => {
    const third = `r${'3'.repeat(32)}`;
    const fourth = `r${'4'.repeat(32)}`;
    const hits = found(
      ...[ID, OTHER, third, fourth].map((id) => hit(id, 'The berth contract number is AB-1234.')),
    );
    const empty = (id: string) => page('The berth has a contract.', id);
    expect(reply(QUESTION, [hits, empty(ID)])).toMatchObject({
      tool: 'history_read',
      args: { source_id: OTHER },
    });
    expect(reply(QUESTION, [hits, empty(ID), empty(OTHER)])).toMatchObject({ args: { source_id: third } });
    expect(reply(QUESTION, [hits, empty(ID), empty(OTHER), empty(third)])).toMatchObject({
      tool: 'history_search',
    });
  });

  test('a hit that only comes close is read, for a page says more, before other words are tried', () => {
    const close = found(hit(ID, 'The berth contract is signed.'));
    expect(reply(QUESTION, [close])).toMatchObject({ tool: 'history_read', args: { source_id: ID } });
    const steps = [close, page('The berth contract is signed.')];
    expect(reply(QUESTION, steps)).toMatchObject({ tool: 'history_search', args: OTHER_WORDS });
  });

  test('what only comes close is said to, and is not noted', () => {
    const steps = [
      found(hit(ID, 'The berth contract is signed.')),
      page('The berth contract is signed.'),
      nothing('available', OTHER_WORDS),
    ];
    expect(reply(QUESTION, steps)).toEqual({
      kind: 'text',
      text: 'I looked it up in this conversation and found no plain answer. This comes closest.\n\nYou said: “The berth contract is signed.”',
    });
  });

  test('a source that is gone is passed over for the next hit', () => {
    const gone = step(
      'history_read',
      { error: 'source_unavailable', status: 'available' },
      { source_id: ID },
    );
    const steps = [found(HIT, hit(OTHER, 'It is contract number AB-1234 for the berth.')), gone];
    expect(reply(QUESTION, steps)).toMatchObject({ tool: 'history_read', args: { source_id: OTHER } });
  });
});

describe('failures are told in plain words, and the answer is what is in sight:', () => {
  const visible: readonly Visible[] = [
    { role: 'summary', name: null, text: 'The berth contract number is QY11-0386.' },
  ];

  test('no scope', () => {
    expect(reply(QUESTION, [step('history_search', { error: 'scope_unavailable' })], visible)).toEqual({
      kind: 'text',
      text: 'The history cannot be searched: this run does not say whose conversation it is.\n\nThis is what I still have in sight.\n\nThe summary says: “The berth contract number is QY11-0386.”',
    });
  });

  test('a tool that answered no JSON', () => {
    expect(reply(QUESTION, [step('history_search', 'Error: worker lost')])).toEqual({
      kind: 'text',
      text: 'The history cannot be searched now (unreadable).\n\nNothing that I have in sight answers it either.',
    });
  });

  test.each([
    [
      'unavailable',
      'The archive is unavailable, so only the messages still in the conversation were searched.',
    ],
    ['partially_expired', 'A part of the older history has expired, so there may have been more.'],
  ])('nothing was found and the history is %s', (status, words) => {
    expect(reply(QUESTION, [nothing(status), nothing(status, OTHER_WORDS)])).toEqual({
      kind: 'text',
      text: `I searched the conversation for “berth contract number” and found nothing about it.\n\n${words}\n\nNothing that I have in sight answers it either.`,
    });
  });

  test('the note slots are full', () => {
    const steps = [found(HIT), PAGE, step('task_note', { error: 'note_capacity', hint: 'x' })];
    expect(reply(QUESTION, steps)).toMatchObject({
      text: `I looked it up in this conversation.\n\nYou said: “${QUOTE}”\n\nNo note was kept of it: all note slots are in use.`,
    });
  });
});

describe('with fewer tools', () => {
  test('without any, the answer is what is in sight', () => {
    const visible: readonly Visible[] = [
      { role: 'tool', name: 'look_up', text: '{"berth_contract": "QY11-0386"}' },
    ];
    expect(reply(QUESTION, [], visible, new Set(['other']))).toEqual({
      kind: 'text',
      text: 'This is what I still have in sight.\n\nThe tool look_up answered: “"berth_contract": "QY11-0386"”',
    });
  });

  test('without reading, the excerpt is quoted', () => {
    expect(reply(QUESTION, [found(HIT)], [], new Set(['history_search']))).toMatchObject({
      text: `I looked it up in this conversation.\n\nYou said: “${QUOTE}”`,
    });
  });
});

describe('when look-ups left the window before the answer', () => {
  test('a page without its search is used, and not searched for again', () => {
    expect(reply(QUESTION, [PAGE])).toMatchObject({ tool: 'task_note' });
    expect(reply(QUESTION, [page('Nothing of use.')])).toMatchObject({ kind: 'text' });
  });

  test('a note without its page is the answer', () => {
    const note = step(
      'task_note',
      { key: 'k', status: 'saved' },
      { key: 'k', content: 'It is QY11-0386.', source_ids: [ID] },
    );
    expect(reply(QUESTION, [note])).toEqual({
      kind: 'text',
      text: 'I looked it up in this conversation.\n\nThe notes say: “It is QY11-0386.”\n\nI kept this as the note “k”, with its source.',
    });
  });
});

describe('what is no question', () => {
  test.each([
    ['Please reserve Hedda. Pay by card.', 'Noted: “Please reserve Hedda.”'],
    ['好的，订下来。谢谢', '记下了：“好的，订下来。”'],
    [`${'a'.repeat(299)}🛶${'b'.repeat(50)}`, `Noted: “${'a'.repeat(299)}🛶…”`],
    ['…', 'I can look up details of this conversation. Which one do you mean?'],
    ['What is it?', 'I can look up details of this conversation. Which one do you mean?'],
  ])('%s is acknowledged by a quote, and no tool is called', (asked, text) => {
    expect(reply(asked)).toEqual({ kind: 'text', text });
  });
});
