// Gives the page its turn in the middle of long work on the main thread.
import type { Breathe } from './core/active.js';

/**
 * How long work may hold the thread before the page gets its turn, in milliseconds. A frame has 16; the longest step
 * between two looks at the clock comes on top.
 */
const SLICE_MS = 5;

/** For one piece of work: resolves at once while its slice lasts, otherwise after the page had its turn. */
export function createBreathe(): Breathe {
  let sliceStart = performance.now();
  return () => {
    if (performance.now() - sliceStart < SLICE_MS) return undefined;
    return turn().then(() => {
      sliceStart = performance.now();
    });
  };
}

/** Ends the present task. A message to oneself is not held back like a timer, which waits 4 ms when nested. */
function turn(): Promise<void> {
  const scheduler: unknown = Reflect.get(globalThis, 'scheduler');
  if (hasYield(scheduler)) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      // An open port would keep Node from ending.
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

function hasYield(scheduler: unknown): scheduler is { yield(): Promise<void> } {
  return (
    typeof scheduler === 'object' &&
    scheduler !== null &&
    'yield' in scheduler &&
    typeof scheduler.yield === 'function'
  );
}
