// Removes build folders given as arguments, so that no file of an older build is packed.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

for (const folder of process.argv.slice(2)) rmSync(join(root, folder), { recursive: true, force: true });
