import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { turnOf } from './turn.js';

const search = (id: string) =>
  new AIMessage({ content: '', tool_calls: [{ id, name: 'history_search', args: { query: id } }] });
const result = (id: string, content: string) => new ToolMessage({ tool_call_id: id, content });

describe('a request', () => {
  test('asks what the user said last, not what was injected after it', () => {
    const turn = turnOf([
      new HumanMessage({ id: 'm1', content: 'First' }),
      new HumanMessage({ id: 'm2', content: 'Second' }),
      new HumanMessage({ content: '<durable_context_data>', additional_kwargs: { hide_from_ui: true } }),
    ]);
    expect(turn).toMatchObject({ asked: 'Second', askedId: 'm2' });
  });

  test('without a user has nothing asked', () => {
    expect(turnOf([new SystemMessage('Rules')])).toEqual({
      asked: null,
      askedId: null,
      steps: [],
      visible: [],
    });
  });

  test('holds the look-ups since then, with their results, in the order of the results', () => {
    const turn = turnOf([
      new HumanMessage('Old?'),
      search('old'),
      result('old', 'old answer'),
      new HumanMessage('New?'),
      search('a'),
      search('b'),
      result('b', 'B'),
      result('a', 'A'),
    ]);
    expect(turn.steps).toEqual([
      { tool: 'history_search', args: { query: 'b' }, answer: 'B' },
      { tool: 'history_search', args: { query: 'a' }, answer: 'A' },
    ]);
  });

  test('shows all else that can be quoted, and look-ups of no turn', () => {
    const turn = turnOf([
      new SystemMessage('Rules'),
      new HumanMessage({ content: 'a &lt;b&gt; &amp;amp;', additional_kwargs: { hide_from_ui: true } }),
      new HumanMessage({ name: 'summary', content: 'Here is a summary' }),
      new HumanMessage('Hello'),
      new AIMessage({ content: 'I look', tool_calls: [{ id: 'x', name: 'find_barges', args: {} }] }),
      new ToolMessage({ tool_call_id: 'x', name: 'find_barges', content: '[]' }),
      search('s'),
      result('s', 'found before'),
      new HumanMessage('And?'),
    ]);
    expect(turn.visible).toEqual([
      { role: 'notes', name: null, text: 'a <b> &amp;' },
      { role: 'summary', name: null, text: 'Here is a summary' },
      { role: 'human', name: null, text: 'Hello' },
      { role: 'ai', name: null, text: 'I look' },
      { role: 'tool', name: 'find_barges', text: '[]' },
    ]);
  });

  test('holds no look-up for a result whose call is not in sight', () => {
    expect(turnOf([new HumanMessage('New?'), result('gone', 'A')]).steps).toEqual([]);
  });
});
