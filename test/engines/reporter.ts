// Prints each promise as held, failed, or not possible here and why.
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

export default class PromiseReporter implements Reporter {
  readonly #seen: Record<'held' | 'failed' | 'not possible here', number> = {
    held: 0,
    failed: 0,
    'not possible here': 0,
  };

  onTestEnd(test: TestCase, result: TestResult): void {
    const outcome =
      result.status === 'passed' ? 'held' : result.status === 'skipped' ? 'not possible here' : 'failed';
    this.#seen[outcome] += 1;
    const noted = (type: string) => test.annotations.find((note) => note.type === type)?.description ?? '';
    const engine = [test.parent.project()?.name, noted('version')].filter(Boolean).join(' ');
    console.log(`${outcome}: ${engine}: ${test.title} (${(result.duration / 1_000).toFixed(1)} s)`);
    if (outcome === 'not possible here') console.log(`    ${noted('skip')}`);
    if (outcome === 'failed') for (const { stack, message } of result.errors) console.log(stack ?? message);
  }

  onStdOut(chunk: string | Buffer): void {
    process.stdout.write(chunk);
  }

  onError({ stack, message }: { stack?: string; message?: string }): void {
    console.log(stack ?? message);
  }

  onEnd(): void {
    console.log(
      Object.entries(this.#seen)
        .map(([outcome, count]) => `${count} ${outcome}`)
        .join(', '),
    );
  }

  printsToStdio(): boolean {
    return true;
  }
}
