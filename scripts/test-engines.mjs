// `npm run test:engines`: the built page's core promises in Firefox and WebKitGTK, as far as they can be installed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies, ensureEngines, root, run } from './prepare.mjs';

ensureDependencies();
if (!existsSync(join(root, 'build', 'demo', 'index.html'))) {
  console.error('There is no built page: npm run build && npm run build:demo');
  process.exit(2);
}
await ensureEngines();
// Before version 22, Node has the client that speaks with Firefox only on request.
const options = typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : [];
process.exitCode = run('playwright', ['test', '-c', 'test/engines', ...process.argv.slice(2)], {
  env: { NODE_OPTIONS: [process.env.NODE_OPTIONS, ...options].filter(Boolean).join(' ') },
});
