// How every test starts Chromium.
import { existsSync } from 'node:fs';

const ON_THE_MACHINE = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** `CHROMIUM` names a browser; else one on the machine is taken; else Playwright's own download. */
const executablePath = process.env.CHROMIUM ?? ON_THE_MACHINE.find((path) => existsSync(path));

/** Playwright launch options. Chromium does not run as root (a container's user) inside its own sandbox. */
export const chromium = {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
};
