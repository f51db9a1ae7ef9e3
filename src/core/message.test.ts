import { describe, expect, test } from 'vitest';
import { extractRecord, extractRecords, type Message, visibleText } from './message.js';

function aMessage(given: Partial<Message>): Message {
  return {
    type: 'human',
    content: 'hello',
    id: 'm1',
    name: null,
    additional_kwargs: {},
    tool_calls: [],
    tool_call_id: null,
    ...given,
  };
}

describe('a source record', () => {
  test('is made of human, ai and tool messages only', () => {
    const roles = ['human', 'ai', 'tool', 'system', 'remove', 'AIMessageChunk'].map((type) =>
      aMessage({ type }),
    );
    expect(extractRecords(roles, 100).map((record) => record.role)).toEqual(['human', 'ai', 'tool']);
  });

  test('has its keys in the order of the stored payload', () => {
    expect(Object.keys(extractRecord(aMessage({}), 100) ?? {})).toEqual([
      'role',
      'message_id',
      'name',
      'text',
      'id',
      'truncated',
    ]);
  });

  test('is cut between code points; exactly the cap is not cut', () => {
    const message = aMessage({ content: '😀😀😀' });
    expect(extractRecord(message, 3)).toMatchObject({ text: '😀😀😀', truncated: false });
    expect(extractRecord(message, 2)).toMatchObject({ text: '😀😀', truncated: true });
    expect(extractRecord(message, 2)?.id).toBe(extractRecord(message, 3)?.id);
  });

  test('holds no lone surrogate in text, id or name', () => {
    const record = extractRecord(aMessage({ content: 'a\ud83d', id: 'i\udc00', name: 'n\ud800' }), 100);
    expect(record).toMatchObject({ text: 'a\ufffd', message_id: 'i\ufffd', name: 'n\ufffd' });
  });
});

describe('visible text', () => {
  test('joins strings and text blocks by line feeds and leaves other blocks out', () => {
    const content = [
      'a',
      '',
      { type: 'text', text: 'b' },
      { type: 'image_url', text: 'c' },
      { type: 'text' },
      null,
      7,
    ];
    expect(visibleText(aMessage({ content }))).toBe('a\nb');
    expect(visibleText(aMessage({ content: { type: 'text', text: 'x' } }))).toBe('');
  });

  test('ends with the tool calls, keys in the order name, args, id', () => {
    const call = { id: 'c1', args: { b: 1, a: 'é' }, name: 'probe' };
    expect(visibleText(aMessage({ type: 'ai', content: '', tool_calls: [call] }))).toBe(
      '\nTool calls: [{"name": "probe", "args": {"b": 1, "a": "é"}, "id": "c1"}]',
    );
  });

  test('says so where arguments have no JSON', () => {
    const args: Record<string, unknown> = {};
    args['self'] = args;
    const calls = [{ name: 'probe', args, id: null }];
    expect(visibleText(aMessage({ type: 'ai', content: 'x', tool_calls: calls }))).toBe(
      'x\nTool calls: [{"name": "probe", "args": "<arguments left out: A value that contains itself has no JSON.>", "id": null}]',
    );
  });

  test('takes missing arguments for null', () => {
    const calls = [{ name: 'probe', args: undefined, id: 'c' }];
    expect(visibleText(aMessage({ tool_calls: calls }))).toContain('"args": null');
  });
});

describe('injected messages are no sources', () => {
  test.each([true, 1, 'false', [0], { a: 1 }, Number.NaN])('hidden by %j', (mark) => {
    for (const key of ['hide_from_ui', 'deerflow_content_kind', 'dynamic_context_reminder']) {
      expect(extractRecord(aMessage({ additional_kwargs: { [key]: mark } }), 100)).toBeNull();
    }
  });

  test.each([false, 0, '', [], {}, null, undefined])('not hidden by %j', (mark) => {
    expect(extractRecord(aMessage({ additional_kwargs: { hide_from_ui: mark } }), 100)).not.toBeNull();
  });

  test('but the answer of a person to a question card is one', () => {
    const reply = {
      version: 1,
      kind: 'human_input_response',
      source: 'ask',
      request_id: 'q',
      response_kind: 'option',
      option_id: 'o',
      value: 'yes',
    };
    const isSource = (given: unknown): boolean =>
      extractRecord(
        aMessage({ additional_kwargs: { hide_from_ui: true, human_input_response: given } }),
        100,
      ) !== null;
    expect(isSource(reply)).toBe(true);
    expect(isSource({ ...reply, version: '1' })).toBe(false);
    expect(isSource({ ...reply, option_id: '\u0085 ' })).toBe(false);
    expect(isSource({ ...reply, value: '\ufeff' })).toBe(true);
    expect(isSource([reply])).toBe(false);
  });
});
