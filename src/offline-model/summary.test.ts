import { describe, expect, test } from 'vitest';
import { sharedFile } from '../../test/support/shared-data.js';
import type { Message } from '../core/message.js';
import { summaryPrompt } from '../core/prompt.js';
import { summarize, summaryRequestOf } from './summary.js';

function said(type: string, content: string, name: string | null = null): Message {
  return { type, content, name, id: null, additional_kwargs: {}, tool_calls: [], tool_call_id: null };
}

function summaryOf(messages: readonly Message[], previous: string | null = null): string {
  const prompt = summaryPrompt({ prompt: null, previous, messages, maxTokens: null });
  const request = summaryRequestOf(prompt);
  if (request === null) throw new Error('The prompt is not understood.');
  return summarize(request);
}

const SMALL_TALK = Array.from({ length: 12 }, (_, index) =>
  said(
    index % 2 === 0 ? 'human' : 'ai',
    'It was such a lovely and quiet afternoon at the water, was it not?',
  ),
);
const CONVERSATION = [
  said('human', 'Hello! I want to move my pottery from Pier 4 to Quay 11.'),
  said('ai', 'Gladly. Which things are too large for a van?'),
  said('human', 'The kilns. Never load a kiln on a Friday. The berth contract is QY11-0386.'),
  ...SMALL_TALK,
  said('tool', '{"barge": "Hedda", "price_eur": 1480, "free": true}', 'find_barges'),
];

describe('a summary', () => {
  test('carries the aim, the rule and the identifier, by who said them, and leaves small talk out', () => {
    expect(summaryOf(CONVERSATION).split('\n')).toEqual([
      '- User: I want to move my pottery from Pier 4 to Quay 11.',
      '- User: Never load a kiln on a Friday.',
      '- User: The berth contract is QY11-0386.',
    ]);
  });

  test('keeps the lines of the former one before its own, and repeats none', () => {
    const previous = '- User: The berth contract is QY11-0386.\nA line in any other style, a < b & c.';
    const lines = summaryOf(CONVERSATION, previous).split('\n');
    expect(lines.slice(0, 2)).toEqual(previous.split('\n'));
    expect(lines.filter((line) => line.includes('QY11-0386'))).toHaveLength(1);
  });

  test('is the same each time', () => {
    expect(summaryOf(CONVERSATION)).toBe(summaryOf(CONVERSATION));
  });

  test('has nothing of the model’s own answers, which only repeat', () => {
    const answer = 'I looked it up in this conversation.\n\nYou said: “The berth contract is QY11-0386.”';
    const lines = summaryOf([
      ...CONVERSATION,
      said('human', 'What was the contract?'),
      said('ai', answer),
    ]).split('\n');
    expect(lines.filter((line) => line.includes('QY11-0386'))).toEqual([
      '- User: The berth contract is QY11-0386.',
    ]);
  });

  test('in Chinese carries numbers and rules too', () => {
    const lines = summaryOf([
      said('human', '大窑的燃气阀门编号是 GV-5518。今天天气真不错，我们慢慢聊。'),
      said('ai', '好的。水边的风景也很美，很多人喜欢在这里散步，看看来来往往的船。'),
      said('human', '其中三箱釉料怕冻，不要放在甲板上。'),
      ...SMALL_TALK,
    ]).split('\n');
    expect(lines).toContain('- User: 大窑的燃气阀门编号是 GV-5518。');
    expect(lines).toContain('- User: 其中三箱釉料怕冻，不要放在甲板上。');
  });

  test('of nothing but JSON is not blank, and shorter than the JSON', () => {
    const json = '{"reservation_id": "K1NW8N", "cabin": "economy"}';
    expect(summaryOf([said('tool', json, 'look')])).toBe('"reservation_id": "K1NW8N"');
  });

  test('stays small over many folds, and gives up the least telling of the former lines', () => {
    let summary = '';
    for (let fold = 0; fold < 12; fold += 1) {
      const news = Array.from({ length: 8 }, (_, index) =>
        said(
          'human',
          `We decided on ${fold + 1}-${index + 1} that berth B${fold}${index}-77 costs €${fold + 1}00 from Monday on.`,
        ),
      );
      summary = summaryOf([...news, ...SMALL_TALK], summary === '' ? null : summary);
    }
    expect(summary.length).toBeLessThanOrEqual(1_400);
    expect(summary).toContain('B110-77');
  });

  test('of each airline run is made of its own words, not blank, and less than a quarter as long', (context) => {
    const runs: { messages: { role: string; content: string | null; name?: string }[] }[] = JSON.parse(
      sharedFile('airline-agent/trajectories.json', context),
    );
    for (const { messages } of runs) {
      const recorded = messages
        .slice(1)
        .map(({ role, content, name }) =>
          said(role === 'user' ? 'human' : role === 'tool' ? 'tool' : 'ai', content ?? '', name ?? null),
        );
      const whole = recorded.map(({ content }) => content).join('\n');
      const summary = summaryOf(recorded);
      expect(summary.length).toBeGreaterThan(100);
      expect(summary.length).toBeLessThan(whole.length / 4);
      const pieces = summary.split('\n').flatMap((line) => line.replace(/^- \w+: /, '').split(' … '));
      expect(pieces.filter((piece) => !whole.includes(piece))).toEqual([]);
    }
  });
});

describe('a prompt', () => {
  test('is one when it holds a conversation', () => {
    expect(summaryRequestOf('<conversation>\n[user] a &lt; b\n</conversation>')).toEqual({
      conversation: '[user] a < b',
      previous: '',
    });
    expect(summaryRequestOf('Tell me about the conversation')).toBeNull();
  });

  test('of the user’s own that speaks of the tags is read where they stand', () => {
    const messages = [said('human', 'Hi </conversation> there')];
    const prompt = summaryPrompt({
      prompt: 'Sum up <conversation>.',
      previous: null,
      messages,
      maxTokens: null,
    });
    expect(summaryRequestOf(prompt)?.conversation).toBe('[user] Hi </conversation> there');
  });
});
