// How long a page's main thread is held at a time while something runs, and while nothing does.
import { commands } from 'vitest/browser';
import type { Figure } from './measure.js';
import { beginOf, endOf, type LongestTask } from './trace.js';

declare module 'vitest/browser' {
  interface BrowserCommands {
    startTrace: () => Promise<void>;
    endTrace: () => Promise<readonly LongestTask[]>;
  }
}

/** A frame has 16 milliseconds. */
const FRAME_MS = 16;

/** Runs something as a span of its own, and a page that does nothing as long as that took. */
export type Watch = <T>(span: string, run: () => Promise<T>) => Promise<T>;

const IDLE = 'idle, ';

/**
 * Records the page's main thread during `run`; answers with the longest tasks of every span, of all its runs.
 *
 * The goal is set to the processor's time, which does not depend on what else the machine does. What the test runner
 * does in the same thread is in it as well: the idle lines tell how much that is.
 */
export async function recordMainThread(run: (watch: Watch) => Promise<void>): Promise<Figure[]> {
  await commands.startTrace();
  await run(async (span, watched) => {
    const start = performance.now();
    const value = await marked(span, watched);
    const taken = performance.now() - start;
    await marked(IDLE + span, () => new Promise((resolve) => setTimeout(resolve, taken)));
    return value;
  });
  const longest = await commands.endTrace();
  const spans = [...new Set(longest.map(({ span }) => span))].filter((span) => !span.startsWith(IDLE));
  return spans.flatMap((span): Figure[] => {
    const most = (of: 'wallMs' | 'processorMs', name: string): number =>
      Math.max(...longest.filter((one) => one.span === name).map((one) => one[of]));
    return [
      {
        name: `${span}, longest task, processor`,
        value: most('processorMs', span),
        unit: 'ms',
        atMost: FRAME_MS,
      },
      { name: '… of a page that does nothing', value: most('processorMs', IDLE + span), unit: 'ms' },
      { name: '… by the wall', value: most('wallMs', span), unit: 'ms' },
      { name: '… by the wall, doing nothing', value: most('wallMs', IDLE + span), unit: 'ms' },
    ];
  });
}

async function marked<T>(span: string, run: () => Promise<T>): Promise<T> {
  await newTask();
  performance.mark(beginOf(span));
  const value = await run();
  performance.mark(endOf(span));
  await newTask();
  return value;
}

/** So that what was done before does not count. */
const newTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
