import { expect, test, vi } from 'vitest';
import { pause } from './pause.js';

test('no time is no wait', async () => {
  await expect(pause(0, undefined)).resolves.toBeUndefined();
});

test('an aborted signal rejects with its reason, whatever the time', async () => {
  await expect(pause(0, AbortSignal.abort('stopped'))).rejects.toBe('stopped');
});

test('an abort ends the wait at once and leaves no timer behind', async () => {
  vi.useFakeTimers();
  try {
    const stop = new AbortController();
    const waiting = pause(60_000, stop.signal);
    stop.abort('stopped');
    await expect(waiting).rejects.toBe('stopped');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a wait that ends by itself no longer listens for an abort', async () => {
  vi.useFakeTimers();
  try {
    const stop = new AbortController();
    const removed = vi.spyOn(stop.signal, 'removeEventListener');
    const waiting = pause(5, stop.signal);
    await vi.advanceTimersByTimeAsync(5);
    await expect(waiting).resolves.toBeUndefined();
    expect(removed).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
