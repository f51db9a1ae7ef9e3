// What the page was told of one thread, and whether a file agrees with it.
import type { Report } from './page.js';

/** Follows the reports of pages that capture one after another into a thread. */
export class Ledger {
  readonly #maxBatches: number;
  /** Known to be written, in their order. */
  #written: number[] = [];
  /** Begun, and not known to be written. */
  #open: number[] = [];
  readonly #numbers = new Map<string, number>();
  confirmed = 0;
  /** Receipts whose evictions are not what the retention asks for, in words. */
  readonly faults: string[] = [];

  constructor(maxBatches: number) {
    this.#maxBatches = maxBatches;
  }

  note(report: Report): void {
    if (report.kind === 'begin') {
      this.#open.push(...report.batches.filter((batch) => !this.#open.includes(batch)));
      for (const [at, id] of report.ids.entries()) this.#numbers.set(id, report.batches[at] ?? -1);
    }
    if (report.kind !== 'confirmed') return;
    const due = this.#held().length === this.#maxBatches ? this.#held().slice(0, 1) : [];
    this.confirmed += 1;
    // While it is not known what the file holds, neither is what must leave it.
    const evicted = report.evicted.map((id) => this.#numbers.get(id) ?? -1);
    if (this.#open[0] === report.batch && evicted.join() !== due.join()) {
      this.faults.push(`batch ${report.batch} evicted ${evicted.join()}, not ${due.join()}`);
    }
    this.#open = this.#open.filter((batch) => batch !== report.batch);
    this.#written.push(report.batch);
  }

  /** Batches that may stand in the file. */
  get candidates(): readonly number[] {
    return [...this.#held(), ...this.#open];
  }

  get open(): readonly number[] {
    return this.#open;
  }

  /**
   * Compares with a file into which `next` was captured after a kill.
   *
   * What was open at the kill is written in its order up to some batch, and not at all from there on; everything
   * else is exact. Answers what was lost, and goes on from what the file holds.
   */
  settle(
    stored: readonly number[],
    next: number,
  ): { readonly lost: readonly number[]; readonly survivedOpen: number } {
    const open = this.#open.filter((batch) => batch !== next);
    const before = this.#written.filter((batch) => batch !== next);
    const survivedOpen = open.filter((batch) => stored.includes(batch)).length;
    const expected = [...before, ...open.slice(0, survivedOpen), next].slice(-this.#maxBatches);
    const lost = expected.filter((batch) => !stored.includes(batch));
    if (lost.length === 0 && stored.join() !== expected.join()) {
      this.faults.push(`the file holds ${stored.join()}, not ${expected.join()}`);
    }
    this.#written = [...stored];
    this.#open = [];
    return { lost, survivedOpen };
  }

  #held(): readonly number[] {
    return this.#written.slice(-this.#maxBatches);
  }
}
