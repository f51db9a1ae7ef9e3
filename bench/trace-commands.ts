// The page's main thread as the browser itself records it: its longest tasks, by the wall and by the processor.
import type { BrowserCommand, BrowserCommandContext } from 'vitest/node';
import { type LongestTask, longestTasks, type TraceEvent } from './trace.js';

const CATEGORIES = ['disabled-by-default-devtools.timeline', 'devtools.timeline', 'blink.user_timing'];

type Session = Awaited<ReturnType<BrowserCommandContext['context']['newCDPSession']>>;

let tracing: { readonly session: Session; readonly events: TraceEvent[] } | null = null;

/** From here on the browser records tasks. */
export const startTrace: BrowserCommand<[]> = async ({ page, context }) => {
  const session = await context.newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) events.push(event as unknown as TraceEvent);
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { recordMode: 'recordUntilFull', includedCategories: CATEGORIES },
  });
  tracing = { session, events };
};

/** Ends the recording; answers with the longest task of every span that the page has marked. */
export async function endTrace(): Promise<readonly LongestTask[]> {
  if (tracing === null) throw new Error('Nothing was recorded.');
  const { session, events } = tracing;
  tracing = null;
  const ended = new Promise<boolean>((resolve) => {
    session.on('Tracing.tracingComplete', ({ dataLossOccurred }) => resolve(dataLossOccurred));
  });
  await session.send('Tracing.end');
  if (await ended) throw new Error('The browser lost a part of the recording.');
  await session.detach();
  return longestTasks(events);
}
