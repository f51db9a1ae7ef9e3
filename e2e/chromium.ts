import { existsSync } from 'node:fs';

const SYSTEM_CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * How every test starts Chromium. `CHROMIUM` names a browser; else one of the system's is taken;
 * else Playwright's own download (`npx playwright install chromium`).
 */
const executablePath = process.env['CHROMIUM'] ?? SYSTEM_CHROMIUM.find((path) => existsSync(path));

export const chromium = {
  ...(executablePath === undefined ? {} : { executablePath }),
  // `--no-sandbox`: Chromium refuses to run as root with its sandbox, which is how containers run.
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
};
