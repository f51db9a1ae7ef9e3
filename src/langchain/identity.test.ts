// Whose thread a run belongs to.
import { describe, expect, test } from 'vitest';
import { identify } from './identity.js';

describe('user and thread', () => {
  test.each([
    [
      'the run’s context',
      { context: { user_id: 'ada', thread_id: 't' }, configurable: { user_id: 'x', thread_id: 'y' } },
    ],
    ['the configurable part', { configurable: { user_id: 'ada', thread_id: 't' } }],
    ['both', { context: { user_id: 'ada' }, configurable: { user_id: 'x', thread_id: 't' } }],
  ])('come from %s', (_title, run) => {
    expect(identify(run)).toEqual({ user: 'ada', thread: 't', namespace: '' });
  });

  test('have the option’s user and then "local" as defaults; the thread has none', () => {
    expect(identify({}, { user: 'ada' })).toEqual({ user: 'ada', thread: null, namespace: '' });
    expect(identify({ context: { user_id: '', thread_id: 5 }, configurable: null })).toEqual({
      user: 'local',
      thread: null,
      namespace: '',
    });
  });
});

test.each([
  ['model_request:0b1c', ''],
  ['', ''],
  ['tools:0b1c|model_request:77aa', 'tools:0b1c'],
  ['a:1|b:2|c:3', 'a:1|b:2'],
])('the namespace of %s is "%s"', (checkpoint_ns, namespace) => {
  expect(identify({ configurable: { checkpoint_ns } }).namespace).toBe(namespace);
});
