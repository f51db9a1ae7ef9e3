// Reads from a browser's recording how long the page's main thread was held at a time.

/** An event of Chromium's trace format; times in microseconds. */
export interface TraceEvent {
  readonly name: string;
  /** `X`: a complete event, with a duration. */
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Time of the processor: what others did meanwhile is not in it. */
  readonly tdur?: number;
}

/** The longest task of a span. */
export interface LongestTask {
  /** The span's name. */
  readonly span: string;
  readonly wallMs: number;
  readonly processorMs: number;
}

/** A span lies between two marks of the page: `begin: NAME` and `end: NAME`. */
export const beginOf = (span: string): string => `begin: ${span}`;
export const endOf = (span: string): string => `end: ${span}`;

const TASKS: ReadonlySet<string> = new Set(['RunTask', 'ThreadControllerImpl::RunTask']);
const MARK = /^(begin|end): (.*)$/;

/** For each span, in their order, the longest task of the thread that marked it: by the wall, and by the processor. */
export function longestTasks(events: readonly TraceEvent[]): LongestTask[] {
  const inOrder = [...events].sort((a, b) => a.ts - b.ts);
  const longest: LongestTask[] = [];
  const tasks = inOrder.filter((event) => TASKS.has(event.name) && event.ph === 'X');
  let begun: TraceEvent | null = null;
  for (const event of inOrder) {
    const [, side, span = ''] = MARK.exec(event.name) ?? [];
    if (side === 'begin') begun = event;
    if (side !== 'end' || begun === null) continue;
    const { ts: begin, pid, tid } = begun;
    const within = tasks.filter(
      (task) =>
        task.pid === pid && task.tid === tid && task.ts < event.ts && task.ts + (task.dur ?? 0) > begin,
    );
    if (within.some((task) => task.tdur === undefined))
      throw new Error('The browser tells no processor time.');
    const most = (of: (task: TraceEvent) => number | undefined): number =>
      Math.max(0, ...within.map((task) => of(task) ?? 0)) / 1_000;
    longest.push({ span, wallMs: most((task) => task.dur), processorMs: most((task) => task.tdur) });
    begun = null;
  }
  return longest;
}
