import { describe, expect, test } from 'vitest';
import { passagesOf, sentencesOf } from './sentences.js';

describe('sentences', () => {
  test.each([
    ['English ends', 'One came. Did two? Yes!', ['One came.', 'Did two?', 'Yes!']],
    [
      'numbers, versions and file names stay whole',
      'It costs 3.50 in v1.2 of a.txt now. Next.',
      ['It costs 3.50 in v1.2 of a.txt now.', 'Next.'],
    ],
    [
      'titles and initials end nothing',
      'Ask Dr. Wu or J. Smith. Then go.',
      ['Ask Dr. Wu or J. Smith.', 'Then go.'],
    ],
    ['a closing quote belongs to its sentence', 'He said “stop.” She did.', ['He said “stop.”', 'She did.']],
    [
      'Chinese ends without a space',
      '先到码头。阀门编号是多少？记下！',
      ['先到码头。', '阀门编号是多少？', '记下！'],
    ],
    ['lines end sentences', 'No stop\nhere', ['No stop', 'here']],
    ['nothing', ' \n ', []],
  ])('%s', (_, text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });

  test('a text without any end is cut where it can be quoted, and nothing of it is lost', () => {
    const text = 'word '.repeat(300).trim();
    const cut = sentencesOf(text);
    expect(cut.length).toBeGreaterThan(1);
    expect(Math.max(...cut.map((part) => part.length))).toBeLessThanOrEqual(400);
    expect(cut.join(' ')).toBe(text);
  });
});

describe('passages', () => {
  test('are stretches of the text', () => {
    const text = '  First one. Second?\n\n- an entry. And more\nLast 码头。好';
    for (const passage of passagesOf(text)) expect(text.slice(passage.start, passage.end)).toBe(passage.text);
    expect(passagesOf(text)).toHaveLength(6);
  });

  test('a list entry knows the line that leads it, across a blank line', () => {
    const found = passagesOf('Your reservations are:\n\n- JG7FMM\n2. LQ940Q\nThat is all.\n- loose');
    expect(found.map(({ text, lead }) => [text, lead])).toEqual([
      ['Your reservations are:', ''],
      ['JG7FMM', 'Your reservations are:'],
      ['LQ940Q', 'Your reservations are:'],
      ['That is all.', ''],
      ['loose', ''],
    ]);
  });

  test('of JSON are its members, also when a page cut it', () => {
    const json =
      '{"id": "A-1", "fees": {"crane": 65, "paid": false}, "days": ["Mo", "Di"], "note": "say \\"x\\"", "cut": "of';
    expect(passagesOf(json).map(({ text }) => text)).toEqual([
      '"id": "A-1"',
      '"crane": 65',
      '"paid": false',
      '"days": ["Mo", "Di"]',
      '"note": "say \\"x\\""',
    ]);
  });

  test('of a message with tool calls are its sentences and the arguments', () => {
    const found = passagesOf(
      'I look. \nTool calls: [{"name": "look", "args": {"at": "Pier 4"}, "id": "c1"}]',
    );
    expect(found.map(({ text, isMember }) => [text, isMember])).toEqual([
      ['I look.', false],
      ['"name": "look"', true],
      ['"at": "Pier 4"', true],
      ['"id": "c1"', true],
    ]);
  });
});
