// Every run of the benchmarks in a browser begins with an empty profile.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

export function setup(): void {
  rmSync(join(import.meta.dirname, '../build/bench-profile'), { recursive: true, force: true });
}
