// Packs the package as it would be published and has publint and attw look at the tarball.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must, root } from './prepare.mjs';

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-pack-'));
try {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root });
  const [{ filename, size, entryCount }] = JSON.parse(packed.toString());
  console.log(`${filename}: ${Math.round(size / 1024)} kB, ${entryCount} files`);
  must('publint', ['run', '--strict', join(folder, filename)]);
  must('attw', [join(folder, filename), '--profile', 'esm-only']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
