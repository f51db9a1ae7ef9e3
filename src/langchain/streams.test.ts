import { describe, expect, test } from 'vitest';
import { ANSWER, MODES, SECRET, toldInEvents, toldInModes, toldInRun } from '../../test/support/streams.js';

describe('summary tokens', () => {
  test.each([...MODES.map((mode) => [mode]), MODES])(
    'do not show in the stream mode %s',
    async (...modes) => {
      const { text, isCompacted } = await toldInModes(modes);
      expect(isCompacted).toBe(true);
      expect(text).not.toContain('SECRET');
      // What is streamed at all is seen here, so that a leak would be.
      if (modes.includes('messages')) expect(text).toContain(ANSWER);
      if (modes.includes('custom')) expect(text).toContain('context_compacted');
    },
  );

  test.each(['v1', 'v2'] as const)('do not show in streamEvents %s, nor does their call', async (version) => {
    const { text, isCompacted, models } = await toldInEvents(version);
    expect(isCompacted).toBe(true);
    expect(text).toContain(ANSWER);
    expect(text).not.toContain('SECRET');
    expect(models).toBe(1);
  });

  test('do not show in the messages of a run stream', async () => {
    const { text, isCompacted } = await toldInRun();
    expect(isCompacted).toBe(true);
    expect(text).toBe(JSON.stringify([ANSWER]));
    expect(text).not.toContain(SECRET);
  });
});
