// What every benchmark shares: timing a thing many times, and saying how it stands against its goal.

export interface Timing {
  /** Milliseconds, of all rounds. */
  readonly median: number;
  readonly p95: number;
}

/** Runs `run` a few times unmeasured, then `rounds` times, and answers what one round took. */
export async function time(
  run: (round: number) => unknown,
  { rounds = 30, warmUp = 3 }: { readonly rounds?: number; readonly warmUp?: number } = {},
): Promise<Timing> {
  for (let round = 0; round < warmUp; round += 1) await run(-1 - round);
  const taken: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await run(round);
    taken.push(performance.now() - start);
  }
  return timingOf(taken);
}

/** Median and 95th percentile of some times. */
export function timingOf(taken: readonly number[]): Timing {
  const sorted = [...taken].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}

function quantile(sorted: readonly number[], share: number): number {
  const at = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1);
  return sorted[Math.max(0, at)] ?? Number.NaN;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  /** `ms`, `×`, `bytes`…; said after the value. */
  readonly unit: string;
  /** The most that is allowed, or the least; without one the figure is only told. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Prints figures as a table, with their goals and whether they are held. A benchmark informs; it fails nothing. */
export function report(title: string, figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const lines = figures.map((figure) => {
    const value = `${shown(figure.value)} ${figure.unit}`.padStart(16);
    return `  ${figure.name.padEnd(width)} ${value}  ${verdict(figure)}`.trimEnd();
  });
  console.log([title, ...lines].join('\n'));
}

const shown = (value: number): string => (Math.abs(value) < 100 ? value.toFixed(2) : value.toFixed(0));

function verdict({ value, unit, atMost, atLeast }: Figure): string {
  const goals: string[] = [];
  if (atMost !== undefined) goals.push(`at most ${atMost} ${unit}: ${value <= atMost ? 'held' : 'MISSED'}`);
  if (atLeast !== undefined)
    goals.push(`at least ${atLeast} ${unit}: ${value >= atLeast ? 'held' : 'MISSED'}`);
  return goals.join(', ');
}
